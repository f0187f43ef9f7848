package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// planted is what no output shows.
var planted = regexp.MustCompile(`(?i)zq\d\d[a-z]+`)

// passwordForms are the forms in which passwords are written, each with one of its own.
func passwordForms(t *testing.T) (forms []string) {
	t.Helper()
	text, err := os.ReadFile("../../lang/source/testdata/passwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if form, _, ok := strings.Cut(line, " => "); ok {
			pw := fmt.Sprintf("Zq%02dhunter", len(forms))
			forms = append(forms, strings.NewReplacer("{PW}", pw, "{BLANKS}", pw+" "+pw).Replace(form))
		}
	}
	return forms
}

const (
	passwordSlurm = `ClusterName=meadow
SlurmctldHost=head
SelectType=select/cons_tres
PriorityType=priority/multifactor
PriorityWeightAge=1000
NodeName=c[01-16] CPUs=32 RealMemory=128000
PartitionName=batch Nodes=c[01-16] Default=YES MaxTime=7-0
`
	passwordMaui   = "SERVERHOST head\nRMCFG[base] TYPE=PBS\nQUEUETIMEWEIGHT 1\nUSERCFG[ana] PRIORITY=50\n"
	passwordPolicy = `policy "lab" {
  doc = %[1]q
  # %[2]s
  component "a" {
    doc = %[1]q
    term "t" {
      factor = "job.name == %[3]s ? 1.0 : double(job.procs)"
      doc    = %[1]q
    }
  }
  hold "h" {
    when   = "job.procs > 64"
    reason = %[1]q
  }
%[4]s}
`
	passwordTest = `test %[1]q {
  policy = "lab.fairway.hcl"
  now    = "2026-11-20T10:00:00Z"
  job "7" {
    user  = "ana"
    procs = 65
    name  = %[1]q
  }
  expect "job" "7" { reason = %[2]q }
  assert {
    condition = "job['7'].priority > 400000 && job['7'].name != %[3]s"
    message   = %[1]q
  }
}
`
)

// passwordPlants are where a password is planted: files with FORM, and the command lines that read them. All forms are
// in one file where together is set, else each is planted alone.
var passwordPlants = []struct {
	what     string
	together bool
	files    func(form string) map[string]string
	lines    []string
}{
	{"lines of slurm.conf", true, func(form string) map[string]string {
		return map[string]string{"slurm.conf": passwordSlurm + form + "\n", "old.conf": passwordSlurm}
	}, []string{
		"check slurm.conf", "lint slurm.conf", "lint slurm.conf --fix --diff", "lint slurm.conf -o json",
		"lint slurm.conf -o github", "lint slurm.conf -o sarif", "lint slurm.conf -o junit",
		"lint slurm.conf -o checkstyle", "fmt --diff slurm.conf", "convert slurm.conf --to hcl", "diff old.conf slurm.conf",
		"eval slurm.conf -s q.json",
		"push slurm.conf -s q.json --to slurm", "lint slurm.conf --write-baseline OUT",
	}},
	{"lines of slurm.conf one by one", false, func(form string) map[string]string {
		return map[string]string{"slurm.conf": passwordSlurm + form + "\n", "old.conf": passwordSlurm}
	}, []string{"lint slurm.conf --all -o json", "diff old.conf slurm.conf -o json", "diff slurm.conf old.conf -o html",
		"convert slurm.conf --to hcl", "convert slurm.conf --to maui --tries 2",
		"eval slurm.conf -s q.json --dump=lower"}},
	{"remarks of slurm.conf", true, func(form string) map[string]string {
		return map[string]string{"slurm.conf": "# " + strings.ReplaceAll(form, "\n", "\n# ") + "\n" + passwordSlurm,
			"old.conf": passwordSlurm}
	}, []string{"lint slurm.conf --all", "fmt --diff slurm.conf", "convert slurm.conf --to hcl",
		"convert slurm.conf --to maui", "diff old.conf slurm.conf"}},
	{"values of slurm.conf", false, func(form string) map[string]string {
		quoted := strings.NewReplacer(`\"`, "", `"`, "'").Replace(form)
		if name, rest, ok := strings.Cut(quoted, "="); ok &&
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" &&
			!strings.Contains(strings.ToLower(name), "p") {
			quoted = rest
		}
		return map[string]string{"slurm.conf": passwordSlurm + "MailProg=\"" + quoted + "\"\nSchedulerParameters=\"" +
			quoted + "\"\nPriorityWeightTRES=\"" + quoted + "\"\n" +
			"NodeName=d1 CPUs=2 Comment=\"" + quoted + "\" Reason=\"" + quoted + "\" Features=\"" + quoted + "\"\n",
			"old.conf": passwordSlurm}
	}, []string{"lint slurm.conf --all -o json", "diff old.conf slurm.conf -o json -o text=OUT",
		"diff slurm.conf old.conf -o html",
		"convert slurm.conf --to hcl", "convert slurm.conf --to maui --tries 2",
		"eval slurm.conf -s q.json --dump=lower", "eval slurm.conf -s q.json --dump=fuse", "lint --fix --diff slurm.conf"}},
	{"lines of maui.cfg", true, func(form string) map[string]string {
		return map[string]string{"maui.cfg": passwordMaui + form + "\n", "old.cfg": passwordMaui}
	}, []string{
		"check maui.cfg", "lint maui.cfg --all", "lint maui.cfg -o json", "lint maui.cfg -o sarif", "fmt --diff maui.cfg",
		"convert maui.cfg --to hcl", "convert maui.cfg --to slurm", "diff old.cfg maui.cfg", "diff old.cfg maui.cfg -o json",
		"eval maui.cfg -s q.json --dump=lower", "push maui.cfg -s q.json --to maui",
	}},
	{"lines of maui.cfg one by one", false, func(form string) map[string]string {
		return map[string]string{"maui.cfg": passwordMaui + form + "\n", "old.cfg": passwordMaui}
	}, []string{"lint maui.cfg --all", "convert maui.cfg --to hcl", "convert maui.cfg --to slurm --tries 2",
		"diff maui.cfg old.cfg"}},
	{"texts of a policy", false, func(form string) map[string]string {
		return map[string]string{"lab.fairway.hcl": fmt.Sprintf(passwordPolicy, form, form, celString(form), ""),
			"old.fairway.hcl":     fmt.Sprintf(passwordPolicy, "x", "y", "''", ""),
			"lab.fairwaytest.hcl": fmt.Sprintf(passwordTest, form, "a"+form, celString(form))}
	}, []string{"lint lab.fairway.hcl --all", "diff old.fairway.hcl lab.fairway.hcl",
		"diff old.fairway.hcl lab.fairway.hcl -o html", "eval lab.fairway.hcl -s q.json",
		"eval lab.fairway.hcl -s q.json --dump=lower",
		"eval lab.fairway.hcl -s q.json --dump=fuse", "explain lab.fairway.hcl -s q.json 9",
		"explain lab.fairway.hcl -s q.json 10", "eval lab.fairway.hcl -s q.json -o json", "plan lab.fairway.hcl -s q.json",
		"test lab.fairwaytest.hcl -v", "test lab.fairwaytest.hcl --junit OUT", "fmt --diff lab.fairway.hcl",
		"push lab.fairway.hcl -s q.json --to slurm"}},
	{"mistakes of a policy", false, func(form string) map[string]string {
		return map[string]string{"lab.fairway.hcl": fmt.Sprintf(passwordPolicy, "x", "y", celString(form)+"+1",
			"  "+form+"\n"),
			"two.fairway.hcl": "policy \"x\" {\n  use = \"slurm\"\n  record \"StoragePass\" {\n    " + form +
				"\n  }\n  params = {\n    PriorityWeightAge = " + fmt.Sprintf("%q", form) + "\n  }\n}\n",
			"lab.fairwaytest.hcl": "test \"x\" {\n  " + form + "\n}\n",
			"three.fairway.hcl":   "policy \"x\" {\n  use = " + fmt.Sprintf("%q", form) + "\n}\n"}
	}, []string{"check lab.fairway.hcl", "lint lab.fairway.hcl -o json", "check two.fairway.hcl",
		"check three.fairway.hcl", "test lab.fairwaytest.hcl", "eval lab.fairway.hcl -s q.json"}},
	{"texts of jobs", false, func(form string) map[string]string {
		return map[string]string{"old.conf": passwordSlurm, "old.cfg": passwordMaui, "jobs.json": fmt.Sprintf(`{"format_version": 1, "now": 1795161600, "family": "slurm", "jobs": [{"id": "7", "user": "ana", "procs": 2, "partition": "batch",
 "submit_time": 1795161000,
 "walltime_seconds": 60, "comment": %[1]q, "name": %[1]q, "state_reason": %[1]q, "nonsense": %[1]q, "nice": %[1]q},
 {"id": "8", "user": "bo", "procs": 2, "partition": "batch", "submit_time": 1795161000, "walltime_seconds": 60, "comment": %[1]q, "name": %[1]q, "state_reason": %[1]q}]}`, form)}
	}, []string{"eval old.conf -s jobs.json", "eval old.conf -s jobs.json -o json", "explain old.conf -s jobs.json 8",
		"plan old.conf -s jobs.json", "plan old.cfg -s jobs.json --gantt OUT.svg",
		"snapshot info jobs.json", "verify old.conf -s jobs.json", "push old.conf -s jobs.json --to slurm",
		"eval old.cfg -s jobs.json --view checkjob", "diff old.conf old.conf -s jobs.json -o html"}},
	// A slurm.conf and a dump that convert writes are the scheduler's own files, which keep what their source has.
	{"dumps of sacctmgr", false, func(form string) map[string]string {
		bare := strings.NewReplacer(`\"`, "", `"`, "", "'", "", "\n", " ").Replace(form)
		return map[string]string{"slurm.conf": passwordSlurm,
			"dump.cfg": "Cluster - 'meadow':Fairshare=1:QOS='normal'\nParent - 'root'\n" +
				"User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n" +
				"Account - 'lab':Description='" + bare + "':Organization='" + bare +
				"':Fairshare=1\nParent - 'lab'\nUser - 'ana':DefaultAccount='lab':Fairshare=1:Comment='" +
				bare + "'\n"}
	}, []string{"lint slurm.conf dump.cfg --all", "lint dump.cfg -o json",
		"check slurm.conf dump.cfg", "eval slurm.conf dump.cfg -s q.json",
		"convert slurm.conf dump.cfg --to hcl",
		"convert slurm.conf dump.cfg --to slurm --tries 0 --out own.conf --accounts own.cfg -o json"}},
	{"texts of jobs in other snapshots", true, func(form string) map[string]string {
		return map[string]string{"old.conf": passwordSlurm, "key": "0123456789abcdef0123",
			"jobs.json": fmt.Sprintf(`{"format_version": 1, "now": 1795161600, "family": "slurm",
 "jobs": [{"id": "7", "user": "ana", "procs": 2, "partition": "batch",
 "submit_time": 1795161000, "walltime_seconds": 60, "comment": %[1]q,
			"name": %[1]q, "state_reason": %[1]q, "dependency": %[1]q}]}`, form)}
	}, []string{"snapshot convert jobs.json", "snapshot convert jobs.json -o csv",
		"snapshot anonymize jobs.json",
		"snapshot anonymize jobs.json --stable --key-file key --map OUT", "snapshot synth jobs.json --jobs 3",
		"explain old.conf -s jobs.json 7", "eval old.conf -s jobs.json -o csv",
		"push old.conf -s jobs.json --to file=pushed --state-dir state --yes",
		"push --runs --state-dir state"}},
	{"records of usage", true, func(form string) map[string]string {
		var log strings.Builder
		for line := range strings.Lines(form) {
			line = strings.TrimSpace(line)
			fmt.Fprintf(&log,
				"11/20/2026 08:00:00;S;7.head;user=ana group=lab account=lab jobname=a "+
					"queue=batch ctime=1795161600 qtime=1795161600 "+
					"etime=1795161600 start=1795161600 exec_host=n1/0 Resource_List.software=%s\n",
				line)
			fmt.Fprintf(&log, "11/20/2026 08:00:00;%s;7.head;%s\n%s\n", line, line, line)
		}
		return map[string]string{"maui.cfg": passwordMaui +
			"FSPOLICY DEDICATEDPS\nFSDEPTH 2\nFSINTERVAL 12:00:00\n", "log": log.String()}
	}, []string{"usage log --policy maui.cfg --now 1795165200",
		"usage log --policy maui.cfg --now 1795165200 --to OUT",
		"usage log --now 1795165200 -o json", "doc params slurm PriorityMaxAge", "doc rules"}},
	{"lists of what is converted", true, func(form string) map[string]string {
		return map[string]string{"slurm.conf": passwordSlurm + form + "\n", "maui.cfg": passwordMaui + form + "\n"}
	}, []string{"convert slurm.conf --to hcl -o json",
		"convert slurm.conf --to maui --tries 0 -o json",
		"convert maui.cfg --to slurm --tries 0 -o json", "convert maui.cfg --to hcl -o json=OUT"}},
}

func celString(text string) string {
	text = strings.NewReplacer(`\`, "", `"`, "", "'", "").Replace(text)
	return "'" + regexp.MustCompile(`(Zq\w+) Zq\w+`).ReplaceAllString(text, "$1") + "'"
}

// TestPasswords: no verb prints or writes a password, in whichever form it is written and wherever it stands.
func TestPasswords(t *testing.T) {
	forms := passwordForms(t)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TZ", "UTC")
	for _, p := range passwordPlants {
		t.Run(p.what, func(t *testing.T) {
			rounds := forms
			if p.together {
				rounds = []string{strings.Join(forms, "\n")}
			}
			spoke := map[string]bool{}
			for i, form := range rounds {
				dir := t.TempDir()
				t.Chdir(dir)
				files := p.files(form)
				files["q.json"] = `{"format_version": 1, "now": 1795161600, "jobs": [{"id": "9", "user": "ana", "procs": 2, "partition": "batch", "submit_time": 1795161000, "walltime_seconds": 60},
 {"id": "10", "user": "bo", "procs": 65, "partition": "batch", "submit_time": 1795161000, "walltime_seconds": 60}]}`
				for name, text := range files {
					if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				for j, line := range p.lines {
					if !p.together && ((i+j)%3 != 0 || !draws.InSample((i+j)/3, 8)) {
						continue // each form meets a part of the lines, each line a part of the forms
					}
					text, code := runInProcess(t, strings.Fields(strings.ReplaceAll(line, "OUT", filepath.Join(dir, "out"))))
					outs, _ := filepath.Glob("out*")
					for _, kept := range []string{"pushed*", "state/*"} {
						more, _ := filepath.Glob(kept)
						for _, name := range more {
							written, _ := os.ReadFile(name)
							text += string(written)
						}
					}
					for _, name := range outs {
						written, _ := os.ReadFile(name)
						text += string(written)
						_ = os.Remove(name)
					}
					spoke[line] = spoke[line] || text != "" && code != exitUsage
					if code == exitUsage {
						t.Errorf("%s: %s", line, text)
					}
					for _, shown := range planted.FindAllString(text, 3) {
						at := strings.Index(text, shown)
						t.Errorf("%s shows %s: …%s…\n  %s", line, shown, text[max(0, at-120):min(len(text), at+60)],
							map[bool]string{false: form}[p.together])
					}
				}
			}
			for _, line := range p.lines {
				if !spoke[line] && !strings.HasPrefix(line, "fmt") && !strings.Contains(line, "--fix") {
					t.Errorf("%s says nothing, so that nothing is tested", line)
				}
			}
		})
	}
}

// runInProcess runs a command line and returns what it prints on both streams, and its exit code.
func runInProcess(t *testing.T, words []string) (string, int) {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "printed")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, errors := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = f, f
	code := run(words)
	os.Stdout, os.Stderr = out, errors
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), code
}
