package manager_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/manager"
)

func TestCapture(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		fails string // the program that fails
		keeps bool
		kept  string
		err   string
		miss  string
	}{
		{"", true, "a.txt b.txt c.txt", "", ""},
		{"may", true, "a.txt c.txt", "", "may: broken"},
		{"must", true, "", "must: broken", ""},
		{"last", true, "a.txt b.txt", "last: broken", ""},
		{"", false, "", "disk full", ""},
	} {
		var kept []string
		missed, err := manager.Capture(context.Background(), []manager.Command{
			{Argv: []string{"must", "x"}, File: "a.txt", Needed: true}, {Argv: []string{"may"}, File: "b.txt"},
			{Argv: []string{"last"}, File: "c.txt", Needed: true},
		}, func(_ context.Context, argv []string) ([]byte, error) {
			if argv[0] == c.fails {
				return nil, broken
			}
			return []byte(argv[0]), nil
		}, func(command manager.Command, text []byte) error {
			if !c.keeps {
				return errors.New("disk full")
			}
			kept = append(kept, command.File)
			return nil
		})
		miss, failed := "", ""
		for _, m := range missed {
			miss += m.Command.String() + ": " + m.Err.Error()
		}
		if err != nil {
			failed = err.Error()
		}
		if got := strings.Join(kept, " "); got != c.kept || miss != c.miss || failed != c.err {
			t.Errorf("%q fails: kept %q, missed %q, error %q", c.fails, got, miss, failed)
		}
	}
}

// TestCancel: who cancels wants no more, not a snapshot without what can be done without.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := manager.Capture(ctx, []manager.Command{{Argv: []string{"a"}}, {Argv: []string{"b"}}},
		func(ctx context.Context, _ []string) ([]byte, error) {
			calls++
			cancel()
			return nil, ctx.Err()
		}, func(manager.Command, []byte) error { return nil })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestSlurmCluster(t *testing.T) {
	for text, want := range map[string]string{
		"Configuration data as of 2026-11-20T09:03:02\nClusterName             = pond\nX = 1\n": "pond",
		"ClusterName=\n": "", "": "", "NoClusterName = x\n": "", "ClusterName = -x\n": "", "ClusterName = a b\n": "",
		"ClusterName = $(id)\n": "", "ClusterName=b-1.c_D\n": "b-1.c_D",
	} {
		if got, ok := manager.SlurmCluster([]byte(text)); got != want || ok != (want != "") {
			t.Errorf("%q gives %q, %v", text, got, ok)
		}
	}
}

// TestPart: what is only part of an answer fails its command, and is not kept.
func TestPart(t *testing.T) {
	const table = "A|B|\n1|2|\n3|4|\n"
	const stanzas = "Job Id: 1\n    a = b\n\nJob Id: 2\n    a = b\n\n"
	const document = `{"jobs": [{"job_id": 1}], "errors": []}`
	slurm, _ := manager.Slurm.Commands("squeue")
	slurmJSON, _ := manager.Slurm.Commands("json")
	pbs, _ := manager.PBS.Commands("qstat")
	pbsJSON, _ := manager.PBS.Commands("json")
	for _, c := range []struct {
		list       []manager.Command
		file, text string
		whole      map[int]bool // lengths of beginnings that pass for whole
	}{
		{slurm, "squeue.psv", table, map[int]bool{5: true, 10: true}}, // nothing tells that a row is missing
		{slurm, "scontrol_node.txt", "NodeName=a\nNodeName=b\n", map[int]bool{0: true, 11: true}},
		{slurmJSON, "squeue.json", document, nil},
		{pbs, "qstat.txt", stanzas, map[int]bool{0: true, 21: true}},
		{pbs, "pbsnodes.txt", stanzas, map[int]bool{0: true, 21: true}},
		{pbsJSON, "qstat.json", `{"Jobs": {"1.head": {"queue": "a"}}}`, nil},
	} {
		i := slices.IndexFunc(c.list, func(command manager.Command) bool { return command.File == c.file })
		if i < 0 {
			t.Fatalf("no %s", c.file)
		}
		for n := range len(c.text) + 1 {
			kept := ""
			_, err := manager.Capture(context.Background(), c.list[i:i+1],
				func(context.Context, []string) ([]byte, error) { return []byte(c.text[:n]), nil },
				func(_ manager.Command, text []byte) error { kept = string(text); return nil })
			passes := n == len(c.text) || c.whole[n]
			if (err == nil) != passes || passes && n > 0 && kept != c.text[:n] || !passes && kept != "" {
				t.Errorf("%s: %q: %v, kept %q", c.file, c.text[:n], err, kept)
			}
		}
	}
	if err := answered(slurmJSON, `{"jobs": [], "errors": [{"error": "no", "description": "controller"}]}`); err == nil ||
		!strings.Contains(err.Error(), "no controller") {
		t.Errorf("an answer that says that it failed: %v", err)
	}
}

func answered(list []manager.Command, text string) error {
	i := slices.IndexFunc(list, func(c manager.Command) bool { return c.File == "squeue.json" })
	_, err := manager.Capture(context.Background(), list[i:i+1],
		func(context.Context, []string) ([]byte, error) { return []byte(text), nil },
		func(manager.Command, []byte) error { return nil })
	return err
}

// TestLists: each form has a list that reads jobs and nodes, into files of different names.
func TestLists(t *testing.T) {
	for _, r := range manager.Readings {
		for _, form := range r.Forms {
			list, ok := r.Commands(form.Name)
			files, gives, lists := map[string]bool{}, "", 0
			for _, c := range list {
				if files[c.File] || c.Whole == nil || c.Gives == "" {
					t.Errorf("%s %s: %v", r.Kind, form.Name, c)
				}
				if c.File == "" { // a list of jobs, of which nothing is kept
					lists++
					continue
				}
				files[c.File] = true
				if c.Needed {
					gives += c.Gives + " "
				}
			}
			if !ok || lists != 2 || !strings.Contains(gives, "the jobs") || !strings.Contains(gives, "the nodes") {
				t.Errorf("%s %s gives %s", r.Kind, form.Name, gives)
			}
		}
		if _, ok := r.Commands("none"); ok {
			t.Errorf("%s knows a form that it has not", r.Kind)
		}
	}
}

// TestWitness: jobs are held against the lists around them. What came or went meanwhile is no fault.
func TestWitness(t *testing.T) {
	const name = "a job's name with a line break in it can pass for a job; --jobs squeue and --jobs json read no names " +
		"as jobs"
	for _, c := range []struct {
		of                  *manager.Reading
		form                string
		before, jobs, after string
		err                 string
	}{
		{&manager.Slurm, "squeue", "8|\n7|\n", "JOBID|STATE|\n7|R|\n8|PD|\n", "8|\n7|\n", ""},
		{&manager.Slurm, "squeue", "8|\n7|\n", "JOBID|STATE|\n7|R|\n9|PD|\n", "9|\n7|\n", ""}, // 8 went, 9 came
		{&manager.Slurm, "squeue", "8|\n7|\n", "JOBID|STATE|\n7|R|\n", "9|\n7|\n", ""},
		{&manager.Slurm, "squeue", "", "JOBID|STATE|\n", "9|\n", ""},
		{&manager.Slurm, "squeue", "welcome to pond\n8|\n", "JOBID|STATE|\n", "", ""}, // no list, which is reported
		{&manager.Slurm, "squeue", "10|\n9|\n8|\n", "JOBID|STATE|\n8|R|\n", "10|\n9|\n8|\n",
			"squeue: the output is only part of the answer: it lacks 2 of the jobs that are listed both before it and after " +
				"it, for instance 9"},
		{&manager.Slurm, "json", "8|\n7|\n", `{"jobs": [{"job_id": 7}, {"job_id": 6}]}`, "8|\n7|\n",
			"squeue: the output is only part of the answer: it lacks 1 of the jobs that are listed both before it and after " +
				"it, for instance 8"},
		// 6 is done
		{&manager.Slurm, "json", "8|\n7|\n", `{"jobs": [{"job_id": 7}, {"job_id": 8}, {"job_id": 6}]}`, "8|\n7|\n", ""},
		{&manager.Slurm, "scontrol", "8|\n7|\n", "JobId=7 JobName=a\nJobId=8 JobName=b\n", "8|\n7|\n", ""},
		{&manager.Slurm, "scontrol", "", "No jobs in the system\n", "", ""},
		{&manager.Slurm, "scontrol", "7|\n", "JobId=7 JobName=a\nJobId=8 JobName=b\n", "8|\n", ""},
		{&manager.Slurm, "scontrol", "8|\n7|\n", "JobId=7 JobName=a\n", "8|\n7|\n",
			"scontrol: the output is only part of the answer: it lacks 1 of the jobs that are listed both before it and " +
				"after it, for instance 8"},
		{&manager.Slurm, "scontrol", "7|\n", "JobId=7 JobName=x\nJobId=900001 UserId=a(1) Priority=5\n", "7|\n",
			"scontrol: job 900001 is listed neither before the output nor after it: " + name},
		{&manager.Slurm, "scontrol", "8|\n7|\n", "JobId=7 JobName=x\nJobId=8 UserId=a(1)\nJobId=8 JobName=b\n", "8|\n7|\n",
			"scontrol: the output has job 8 twice: " + name},
		{&manager.Slurm, "scontrol", "8|\n7|\n", "JobId=7 JobName=x\nJobId=08 UserId=a(1)\nJobId=8 JobName=b\n", "8|\n7|\n",
			"scontrol: job 08 is listed neither before the output nor after it: " + name},
		{&manager.Slurm, "scontrol", "7|\n", "JobId=7 JobName=x\nJobId=\n", "7|\n",
			"scontrol: a record of a job is without its id: " + name},
		{&manager.PBS, "qstat", "7.head\n40[].head\n", "Job Id: 7.head\n    a = b\n\nJob Id: 40[].head\n    a = b\n\n",
			"7.head\n40[].head\n", ""},
		{&manager.PBS, "qstat", "7.head\n40[].head\n", "Job Id: 7.head\n    a = b\n\n", "7.head\n40[].head\n",
			"qstat: the output is only part of the answer: it lacks 1 of the jobs that are listed both before it and after " +
				"it, for instance 40"},
		{&manager.PBS, "qstat", "7.head\n", "", "7.head\n",
			"qstat: the output is only part of the answer: it lacks 1 of the jobs that are listed both before it and after " +
				"it, for instance 7"},
		{&manager.PBS, "json", "7.head\n40[].head\n", `{"Jobs": {"7.head": {}, "40[].head": {}}}`, "7.head\n40[].head\n", ""},
		{&manager.PBS, "json", "7.head\n40[].head\n", `{"Jobs": {"7.head": {}}}`, "7.head\n40[].head\n",
			"qstat: the output is only part of the answer: it lacks 1 of the jobs that are listed both before it and after " +
				"it, for instance 40"},
	} {
		list, _ := c.of.Commands(c.form)
		list = slices.DeleteFunc(list, func(command manager.Command) bool {
			return command.File != "" && !strings.HasPrefix(command.Gives, "the jobs")
		})
		answers := []string{c.before, c.jobs, c.after}
		_, err := manager.Capture(context.Background(), list, func(context.Context, []string) ([]byte, error) {
			answer := answers[0]
			answers = answers[1:]
			return []byte(answer), nil
		}, func(manager.Command, []byte) error { return nil })
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.err {
			t.Errorf("%s %s %q, %q, %q: %q", c.of.Kind, c.form, c.before, c.jobs, c.after, got)
		}
	}
}

// TestAssociations: sshare has a row for each association of a user that the controller has.
func TestAssociations(t *testing.T) {
	const shares = "Account|User|Partition|RawShares|\nroot||||\n root|root||1|\n lab|||1|\n  lab|ana||1|\n  " +
		"lab|bob|p|1|\n"
	const associations = "Current Association Manager state\n\nUser Records\n\nUserName=root(0) DefAccount=root " +
		"DefWckey= AdminLevel=Administrator\n\nAssociation Records\n\n" +
		"ClusterName=pond Account=root UserName= Partition= Priority=0 ID=1 " +
		"SharesRaw/Norm/Level/Factor=0/0.00/0/0.00\nClusterName=pond Account=root UserName=root(0) Partition= Priority=0 " +
		"ID=2\n" +
		"ClusterName=pond Account=lab UserName=ana(2001) Partition= Priority=0 ID=4\nClusterName=pond Account=lab " +
		"UserName=bob(4294967294) Partition=p Priority=0 ID=5\n"
	if a, b := manager.SlurmShares([]byte(shares)), manager.SlurmAssociations([]byte(associations)); a != 3 || b != 3 {
		t.Errorf("%d and %d users", a, b)
	}
	if a, b := manager.SlurmShares(nil), manager.SlurmAssociations(nil); a != 0 || b != 0 {
		t.Errorf("%d and %d users of nothing", a, b)
	}
}

func TestSlurmDumpWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"# To edit\nCluster - 'c':Fairshare=1\nParent - 'root'\n": true, "Cluster - 'c'\n": true, "# To edit\n": false,
		"": false,
		"# To edit\nCluster - 'c':Fairshare=1\nParent - 'ro": false,
	} {
		if got := manager.SlurmDumpWhole([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
