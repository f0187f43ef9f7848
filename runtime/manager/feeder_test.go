package manager_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// told are the commands as a person would type them.
func told(calls []manager.Call) string {
	var lines []string
	for _, c := range calls {
		line := strings.Join(c.Argv, " ") + c.File
		if c.Input != nil {
			line += " << " + strings.ReplaceAll(strings.TrimSpace(string(c.Input)), "\n", " / ")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func heldText(jobs []manager.Holding) string {
	var lines []string
	for _, h := range jobs {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s (%s) %s %q %d of %d %s", h.Job, h.Name, h.Standing,
			h.Submitted, h.Value, h.Priority, h.Unknown)))
	}
	return strings.Join(lines, "\n")
}

// setting gives the job of a name a value.
func setting(name string, value int64) manager.Setting {
	return manager.Setting{Holding: manager.Holding{Job: name, Name: name}, New: value}
}

// resource is the feeder of a resource by which a site sorts.
func resource() manager.Feeder {
	f, _ := manager.PBSResource("site_priority")
	return f
}

func TestSet(t *testing.T) {
	site := manager.SiteCommand([]string{"/opt/site/feed", "-v"})
	for _, c := range []struct {
		feeder manager.Feeder
		jobs   []manager.Setting
		want   string
	}{
		{manager.SlurmSiteFactor, []manager.Setting{setting("12", 5), setting("13_4", -7), setting("20+1", 0)},
			"scontrol << update JobId=12 SiteFactor=5 / update JobId=13_4 SiteFactor=-7 / update JobId=20+1 SiteFactor=0"},
		{manager.SlurmNice, []manager.Setting{setting("12", 5)}, "scontrol << update JobId=12 Nice=5"},
		{manager.SlurmPriority, []manager.Setting{setting("12", 5)}, "scontrol << update JobId=12 Priority=5"},
		{manager.PBSPriority, []manager.Setting{setting("12.head", 1023), setting("13[].head.site", -1024)},
			"qalter -p 1023 12.head\nqalter -p -1024 13[].head.site"},
		{resource(), []manager.Setting{setting("12.head", 1023)}, "qalter -l site_priority=1023 12.head"},
		{manager.MauiSystemPriority, []manager.Setting{setting("head.12", 1000)}, "setspri 1000 head.12"},
		{site, []manager.Setting{setting("a b", 3)}, `/opt/site/feed -v set << {"job":"a b","value":3}`},
		{manager.SiteFile("out.jsonl"), []manager.Setting{setting("1", 3), setting("2", 0)},
			`out.jsonl << {"job":"1","value":3}`},
	} {
		if got := told(c.feeder.Set(c.jobs, nil)); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.feeder.Kind(), got, c.want)
		}
	}
}

// TestNames: what is no id never becomes an argument or a line of scontrol.
func TestNames(t *testing.T) {
	for _, name := range []string{"", " ", "-p", "--help", "12 13", "12\nshutdown", "12;reboot", "$(id)", "`id`",
		"12 Priority=0", "../12", "12_[1-3]", "*", "12,13", "%s", "12.head/x", "-12.head", "[1]"} {
		for _, f := range []manager.Feeder{manager.SlurmSiteFactor, manager.PBSPriority, resource(),
			manager.MauiSystemPriority} {
			for _, c := range f.Set([]manager.Setting{setting(name, 1)}, nil) {
				if len(c.Input) > 0 || len(c.Argv) > 1 {
					t.Errorf("%s takes %q: %s", f.Kind(), name, told([]manager.Call{c}))
				}
			}
		}
		if calls := manager.MauiSystemPriority.Ask([]manager.Holding{{Job: name}}); len(calls) > 0 {
			t.Errorf("checkjob takes %q", name)
		}
	}
	for _, name := range []string{"", "a=1", "a,b", "-l", "a b", "1a"} {
		if _, ok := manager.PBSResource(name); ok {
			t.Errorf("%q is taken for a resource", name)
		}
	}
}

const qstat = `Job Id: 12.head
    Job_Name = a
    job_state = Q
    ctime = Fri Nov 20 11:00:00 2026
    Priority = 40
    Resource_List.site_priority = 4711
    Variable_List = PBS_O_HOME=/home/ana,A=x\n    Priority = 9
    etime = Fri Nov 20 11:00:00 2026

Job Id: 13[].head
    job_state = H
    Priority = x

Job Id: 14.head
    job_state = R

Job Id: 15.head
    job_state = C

`

// absent is a command that was not run, or failed.
const absent = "absent"

const torque = `<?xml version="1.0"?>
<Data><Job><Job_Id>12.head</Job_Id><job_state>Q</job_state><ctime>1795172400</ctime><Priority>40</Priority><Resource_List><site_priority>4711</site_priority></Resource_List><Variable_List>A=x&lt;/Variable_List&gt;
    Priority = 9

Job Id: 13.head
</Variable_List></Job><Job><Job_Id>13.head</Job_Id><job_state>H</job_state></Job></Data>
`

const checkjob = `

checking job head.12

State: Idle
Creds:  user:amy  group:phys  class:batch  qos:DEFAULT
SubmitTime: Tue Nov 14 16:18:49
PE:  17.00  StartPriority:  1000000100  SystemPriority:  100

`

// squeueHead and sprioHead are headers of what is asked to read back.
const (
	squeueHead = "JOBID|JOBID|ARRAY_JOB_ID|ARRAY_TASK_ID|STATE|PRIORITY|SUBMIT_TIME|PARTITION|\n"
	sprioHead  = "JOBID|PARTITION|USER|PRIORITY|SITE\n"
	sprioAll   = "JOBID|PARTITION|USER|PRIORITY|AGE|ASSOC|FAIRSHARE|JOBSIZE|PARTITION|QOS|SITE|NICE\n"
	sprio41    = "41|main|ana|5000|0|0|0|0|5000|0|-2147483648|-2147483648\n41|fast|ana|20000|0|0|0|0|20000|0|-2147483648|-2147483648\n"
	byHand     = sprioAll + "40|main|ana|900|0|0|0|0|0|0|0|0\n" + sprio41 +
		"43|main|ana|7|5|0|0|0|0|0|2|0\n44|main|ana|8|5|0|0|0|0|0|3|0\n"
	byHand41 = sprioAll + sprio41
	set41    = "41|41|41|N/A|PENDING|901|2026-11-20T12:00:00|main,fast|\n"
)

func TestAnswer(t *testing.T) {
	site := manager.SiteCommand([]string{"feed"})
	for _, c := range []struct {
		feeder manager.Feeder
		texts  []string
		want   string // or the error
	}{
		{manager.PBSPriority, []string{qstat, absent}, `12.head (12.head) waiting "Fri Nov 20 11:00:00 2026" 40 of 40
13[].head (13[].head) held "" 0 of 0 its Priority is no whole number
14.head (14.head) started "" 0 of 0
15.head (15.head) ended "" 0 of 0`},
		{resource(), []string{qstat[:200], absent},
			`error: qstat: the output is cut off: no empty line follows "Variable_List = PBS_O_HOME=/home/ana,A=x\\n    Prior"`},
		{manager.PBSPriority, []string{"Job Id: 1.head\n    job_state = Q\n    Variable_List = A=a,\n\tB=b\n\n", absent},
			"error: qstat: long values go on in the next line in spite of -w, so that a line break in the environment of a " +
				"job could pass for an attribute of it, or for another job: PBS Professional before 18 is not read"},
		{manager.PBSPriority, []string{"Job Id: 1.head\nJob Id: 2.head\n    job_state = Q\n\n", absent},
			"1.head (1.head) waiting \"\" 0 of 0 qstat does not print its job_state\n2.head (2.head) waiting \"\" 0 of 0"},
		{manager.PBSPriority, []string{absent, torque},
			"12.head (12.head) waiting \"1795172400\" 40 of 40\n13.head (13.head) held \"\" 0 of 0"},
		{resource(), []string{absent, torque},
			"12.head (12.head) waiting \"1795172400\" 4711 of 4711\n13.head (13.head) held \"\" 0 of 0"},
		{manager.PBSPriority, []string{absent, torque[:300]}, "error: qstat: the output is no whole XML document of TORQUE"},
		{resource(), []string{"Job Id: 1.head\n  job_state = Q\n  Resource_List.site_priority = 7\n\n", absent},
			`1.head (1.head) waiting "" 7 of 7`},
		{manager.PBSPriority, []string{"", absent}, ""},
		{manager.MauiSystemPriority, []string{checkjob, "",
			strings.Replace(checkjob, "SystemPriority:  100", "SystemPriority:  2000000050", 1)},
			`head.12 (head.12) waiting "Tue Nov 14 16:18:49" 100 of 1000000100
head.12 (head.12) waiting "Tue Nov 14 16:18:49" 2000000050 of 1000000100 its system priority is one that is added to its own`},
		{manager.MauiSystemPriority, []string{checkjob[:60]}, "error: checkjob: the text on job head.12 is not whole"},
		{manager.MauiSystemPriority, []string{strings.Replace(checkjob, "  100\n", "  1x0\n", 1)},
			"error: checkjob: 1x0 is no number"},
		{site, []string{`{"job":"1","submitted":"s","standing":"started","value":3}` + "\n"}, `1 (1) started "s" 3 of 3`},
		{site, []string{`{"job":"1","value":3}`}, "error: command feed: line 1 is no job with a value"},
		{site, []string{"\n" + `{"job":"1"}` + "\n"}, "error: command feed: line 2 is no job with a value"},
		{site, []string{`{"job":"1","value":3,"standing":"lost"}` + "\n"},
			`error: command feed: line 1: standing is waiting, held, started or ended, not "lost"`},
		{manager.SlurmSiteFactor, []string{squeueHead, sprioHead}, ""},
		{manager.SlurmSiteFactor, []string{squeueHead + "1|1|1", sprioHead},
			`error: squeue: the output is cut off in the line "1|1|1"`},
		{manager.SlurmSiteFactor, []string{squeueHead + "1|1|1\n", sprioHead},
			`error: squeue: the output is cut off in the line "1|1|1"`},
		{manager.SlurmSiteFactor, []string{squeueHead, ""}, "error: sprio: the output is empty, even without a header"},
		{manager.SlurmSiteFactor, []string{"slurm is fine\n", sprioHead},
			"error: squeue.psv: the file is in no known snapshot format"},
		{manager.SlurmSiteFactor, []string{squeueHead + "1|1|1|N/A|PENDING|7x|2026-11-20T12:00:00|main|\n", sprioHead},
			"error: squeue.psv: 1 records cannot be read, the first: PRIORITY: \"7x\" is no whole number"},
		// as 22.05 prints tasks with records of their own, the rest of an array, and the last task of one
		{manager.SlurmSiteFactor, []string{squeueHead +
			"22|21_2|21|2|PENDING|26|2026-11-20T12:00:00|main|\n21|21_[1,3-9%2]|21|1,3-9%2|PENDING|21|2026-11-20T12:00:00|main|\n26|26_3|26|3|RUNNING|26|2026-11-20T12:00:00|main|\n30|29+1|30|N/A|PENDING|0|2026-11-20T12:00:00|main|\n",
			sprioHead + "21|main|ana|21|0\n22|main|ana|26|5\n"}, `21_2 (22) waiting "1795176000" 5 of 26
21 (21) waiting "1795176000" 0 of 21
26_3 (26_3) started "1795176000" 0 of 0 sprio does not list it
30 (29+1) held "1795176000" 0 of 0 sprio does not list it`},
		// the priority of 40 and 41 was set by hand, 41 of two partitions (22.05.8); 43 and 44 are components
		{manager.SlurmSiteFactor, []string{squeueHead +
			"40|40|40|N/A|PENDING|900|2026-11-20T12:00:00|main|\n41|41|41|N/A|PENDING|901|2026-11-20T12:00:00|main,fast|\n43|43+0|43|N/A|PENDING|7|2026-11-20T12:00:00|main|\n44|43+1|44|N/A|PENDING|8|2026-11-20T12:00:00|main|\n",
			byHand}, `40 (40) waiting "1795176000" 0 of 0 its priority was set by hand, so that SiteFactor does nothing
41 (41) waiting "1795176000" 0 of 0 its priority was set by hand, so that SiteFactor does nothing
43 (43+0) waiting "1795176000" 2 of 7
44 (43+1) waiting "1795176000" 3 of 8`},
		{manager.SlurmNice, []string{squeueHead + set41, byHand41},
			`41 (41) waiting "1795176000" 0 of 0 its priority was set by hand, so that Nice does nothing`},
		{manager.SlurmPriority, []string{squeueHead + set41, byHand41}, `41 (41) waiting "1795176000" 901 of 901`},
		{manager.SlurmPriority, []string{squeueHead + set41, byHand},
			"error: squeue: the output is cut off, or jobs were taken out of the queue meanwhile: 3 of those that sprio " +
				"lists are not in it"},
		{site, []string{`{"job":"1","value":3}{"junk":1}` + "\n"},
			"error: command feed: in line 1 something follows the job"},
		{site, []string{`{"job":"1","value":3} # old` + "\n"}, "error: command feed: in line 1 something follows the job"},
		{manager.SiteFile("out"), []string{`{"job":"1","submitted":"s","value":3}` + "\n" +
			`{"job":"1","submitted":"t","value":3}` + "\n" + `{"job":"1","submitted":"s","value":4} ` + "\n"},
			`error: file out: lines 1 and 3 are of one job: "1"`},
	} {
		texts := make([][]byte, len(c.texts))
		for i := range texts {
			if c.texts[i] != absent {
				texts[i] = []byte(c.texts[i])
			}
		}
		if len(texts) == 2 && !strings.Contains(c.feeder.Kind(), "pbs") { // of Slurm, which is asked for sprio first
			slices.Reverse(texts)
		}
		jobs, err := c.feeder.Answer(nil, texts)
		got := heldText(jobs)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.feeder.Kind(), got, c.want)
		}
	}
}

// TestSlurmHeld: what a job has, from what scontrol and sprio print of it.
func TestSlurmHeld(t *testing.T) {
	const common = " JobName=a UserId=ana(2001) GroupId=users(100) Nice=0 Account=lab QOS=normal Dependency=(null) " +
		"TimeLimit=01:00:00 SubmitTime=2026-11-20T12:00:00 EligibleTime=2026-11-20T12:00:00 StartTime=Unknown NumNodes=1 " +
		"NumCPUs=1 NumTasks=1 TRES=cpu=1,node=1\n"
	jobs := "JobId=1 Priority=70 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=2 Priority=90 JobState=PENDING Reason=Priority Partition=fast,main" + common +
		"JobId=3 Priority=0 JobState=PENDING Reason=JobHeldAdmin Partition=main" + common +
		"JobId=4 Priority=9 JobState=RUNNING Reason=None Partition=main" + common +
		"JobId=5 Priority=4711 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=6 Priority=1 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=7 Priority=1 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=10 ArrayJobId=10 ArrayTaskId=2-5 Priority=20 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=11 ArrayJobId=10 ArrayTaskId=1 Priority=30 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=20 ArrayJobId=20 ArrayTaskId=7 Priority=30 JobState=PENDING Reason=Priority Partition=main" + common +
		"JobId=12 Priority=30 JobState=PENDING Reason=Priority Partition=main" + common
	sprio := "JOBID|PARTITION|USER|PRIORITY|AGE|ASSOC|FAIRSHARE|JOBSIZE|PARTITION|QOS|SITE|NICE\n" +
		"1|main|ana|70|40|0|0|0|0|0|30|0\n2|main|ana|60|50|0|0|0|0|0|10|0\n2|fast|ana|90|80|0|0|0|0|0|10|0\n" +
		"5|main|ana|4711|0|0|0|0|0|0|0|0\n6|main|ana|1|20|3|0|0|0|0|-500|7\n7|main|ana|1||0|0|0|0|0|-500|7\n10|main|ana|20|20|0|0|0|0|0|0|0\n11|main|ana|30|20|0|0|0|0|0|10|0\n"
	for _, c := range []struct {
		feeder manager.Feeder
		want   string
	}{
		{manager.SlurmSiteFactor, `1 (1) waiting "1795176000" 30 of 70
2 (2) waiting "1795176000" 10 of 90
3 (3) held "1795176000" 0 of 0 sprio does not list it
4 (4) started "1795176000" 0 of 0 sprio does not list it
5 (5) waiting "1795176000" 0 of 0 its priority was set by hand, so that SiteFactor does nothing
6 (6) waiting "1795176000" -500 of -484
7 (7) waiting "1795176000" -500 of 0 its priority is a bound, and sprio was not asked for its factors
10 (10) waiting "1795176000" 0 of 20
10_1 (11) waiting "1795176000" 10 of 30
20_7 (20_7) waiting "1795176000" 0 of 0 sprio does not list it
12 (12) waiting "1795176000" 0 of 0 sprio does not list it`},
		{manager.SlurmPriority, `1 (1) waiting "1795176000" 70 of 70
2 (2) waiting "1795176000" 90 of 90
3 (3) held "1795176000" 0 of 0
4 (4) started "1795176000" 9 of 9
5 (5) waiting "1795176000" 4711 of 4711
6 (6) waiting "1795176000" 1 of 1
7 (7) waiting "1795176000" 1 of 1
10 (10) waiting "1795176000" 20 of 20
10_1 (11) waiting "1795176000" 30 of 30
20_7 (20_7) waiting "1795176000" 30 of 30
12 (12) waiting "1795176000" 30 of 30`},
	} {
		held, err := c.feeder.Answer(nil, [][]byte{[]byte(sprio), []byte(jobs)})
		if got := heldText(held); err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nnot\n%s", c.feeder.Kind(), err, got, c.want)
		}
		if len(held) < 9 {
			t.FailNow()
		}
		if also := c.feeder.Alongside(held[7], held); heldText(also) != heldText(held[8:9]) {
			t.Errorf("with all of array 10 change\n%s", heldText(also))
		}
		if also := c.feeder.Alongside(held[8], held); len(also) > 0 {
			t.Errorf("with a task change\n%s", heldText(also))
		}
	}
}

// TestValue: a value that is fed makes the priority that is wished.
func TestValue(t *testing.T) {
	h := manager.Holding{Priority: 70, Value: 30}
	for _, c := range []struct {
		feeder manager.Feeder
		wish   manager.Wish
		want   int64
	}{
		{manager.SlurmSiteFactor, manager.Wish{Priority: 100}, 60}, // 40 + 60
		{manager.SlurmNice, manager.Wish{Priority: 100}, 0},        // 100 - 0
		{manager.SlurmPriority, manager.Wish{Priority: 100}, 100},
		{resource(), manager.Wish{Priority: -100}, -100},
		{manager.PBSPriority, manager.Wish{Rank: 1, Of: 4096}, 1023},
		{manager.PBSPriority, manager.Wish{Rank: 2048, Of: 4096}, 0},
		{manager.PBSPriority, manager.Wish{Rank: 4096, Of: 4096}, -1024},
		{manager.PBSPriority, manager.Wish{Rank: 1, Of: 1}, 1023},
		{manager.MauiSystemPriority, manager.Wish{Rank: 1, Of: 3}, 1000},
		{manager.MauiSystemPriority, manager.Wish{Rank: 2, Of: 3}, 501},
		{manager.MauiSystemPriority, manager.Wish{Rank: 3, Of: 3}, 1},
	} {
		got := c.feeder.Value(c.wish, h)
		if low, high := c.feeder.Range(); got != c.want || got < low || got > high {
			t.Errorf("%s: %+v makes %d, not %d", c.feeder.Kind(), c.wish, got, c.want)
		}
	}
}

// TestFile: lines of other jobs stay, and a job without one has 0.
func TestFile(t *testing.T) {
	f := manager.SiteFile("out")
	asked := []manager.Holding{{Job: "1"}, {Job: "2"}}
	held, err := f.Answer(asked, [][]byte{[]byte("{\"job\":\"2\",\"value\":5}\n{\"job\":\"9\",\"value\":7}\n")})
	if got, want := heldText(held),
		"2 (2) waiting \"\" 5 of 5\n9 (9) waiting \"\" 7 of 7\n1 (1) waiting \"\" 0 of 0"; err != nil || got != want ||
		!held[1].Left || held[0].Left {
		t.Fatalf("%s, %v", got, err)
	}
	if got, want := told(f.Set([]manager.Setting{{Holding: held[2], New: 3}}, held)),
		`out << {"job":"1","value":3} / {"job":"2","value":5} / {"job":"9","value":7}`; got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}

// TestForget: what was fed before is no part of what a policy wants.
func TestForget(t *testing.T) {
	for _, c := range []struct {
		feeder  manager.Feeder
		columns []schema.ColumnID
	}{
		{manager.SlurmSiteFactor, []schema.ColumnID{"job.site_factor"}},
		{manager.SlurmNice, []schema.ColumnID{"job.nice", "job.site_factor"}}, // an earlier run's, when --by was another
		{manager.SlurmPriority, []schema.ColumnID{"job.direct_priority", "job.nice", "job.site_factor"}},
		{manager.MauiSystemPriority, []schema.ColumnID{"job.system_priority"}},
	} {
		b := column.NewBuilder("jobs")
		for range 2 {
			b.Row()
			b.String("job.id", "1")
			for _, id := range []schema.ColumnID{"job.site_factor", "job.nice", "job.system_priority"} {
				b.Int(id, 7)
			}
			b.Bool("job.direct_priority", true)
		}
		s := &snapshot.Snapshot{Jobs: b.Table()}
		c.feeder.Forget(s)
		for _, col := range s.Jobs.Columns() {
			if zero := !slices.Contains(col.Ints, 7) && !slices.Contains(col.Ints, 1); col.Type != schema.String &&
				zero != slices.Contains(c.columns, col.ID) {
				t.Errorf("%s: %s is %v", c.feeder.Kind(), col.ID, col.Ints)
			}
		}
		c.feeder.Forget(&snapshot.Snapshot{})
	}
	manager.PBSPriority.Forget(&snapshot.Snapshot{})
	manager.SiteFile("x").Forget(&snapshot.Snapshot{})
}
