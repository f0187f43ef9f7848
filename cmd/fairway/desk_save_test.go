package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/edit"
)

// copied is a site whose policy files are copies that may be written to.
func (s deskSite) copied(t *testing.T) deskSite {
	t.Helper()
	folder, out := t.TempDir(), deskSite{snapshots: s.snapshots}
	for _, name := range s.files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.files = append(out.files, write(t, filepath.Join(folder, filepath.Base(name)), string(text)))
	}
	return out
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return name
}

func textIn(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// saves are changes with what they do to the files: lines that go and come.
var saves = []struct {
	site   deskSite
	change map[string]string
	lines  string
	run    []string
}{
	{meadow, map[string]string{"PriorityWeightAge": "2000"}, `
-PriorityWeightAge=1000
+PriorityWeightAge=2000`, nil},
	{meadow, map[string]string{"PriorityWeightAssoc": "7", "PriorityMaxAge": "1-0",
		"PriorityWeightTRES": "CPU=1,GRES/gpu=5"}, `
-PriorityMaxAge=7-0
+PriorityMaxAge=1-0
-PriorityWeightTRES=GRES/gpu=3000
+PriorityWeightTRES=CPU=1,GRES/gpu=5
+PriorityWeightAssoc=7`, nil},
	{meadow, map[string]string{"PartitionName short PriorityJobFactor": "9", "association physics Fairshare": "5",
		"association chemistry/cy Fairshare": "3"}, `
-Account - 'physics':Description='physics':Organization='physics':Fairshare=50
+Account - 'physics':Description='physics':Organization='physics':Fairshare=5
-User - 'cy':DefaultAccount='chemistry':Fairshare=2
+User - 'cy':DefaultAccount='chemistry':Fairshare=3
-PartitionName=short Nodes=c[01-16] MaxTime=2:00:00 PriorityJobFactor=40
+PartitionName=short Nodes=c[01-16] MaxTime=2:00:00 PriorityJobFactor=9`,
		[]string{"sacctmgr -i modify user cy where account=chemistry set Fairshare=3",
			"sacctmgr -i modify account physics set Fairshare=5"}},
	{meadow, map[string]string{"PriorityWeightQOS": "2500", "QOS urgent Priority": "5"}, `
-PriorityWeightQOS=2000
+PriorityWeightQOS=2500`, []string{"sacctmgr -i modify qos urgent set Priority=5"}},
	{deskSite{meadow.files[:1], meadow.snapshots}, map[string]string{"association physics Fairshare": "5",
		"association chemistry/cy Fairshare": "3"}, "",
		[]string{"sacctmgr -i modify user cy where account=chemistry set Fairshare=3",
			"sacctmgr -i modify account physics set Fairshare=5"}},
	{meadow, map[string]string{"PriorityWeightTRES": ""}, `
-PriorityWeightTRES=GRES/gpu=3000`, nil},
	{mauiQueue, map[string]string{"XFACTORWEIGHT": "3", "NODEWEIGHT": "4", "USERCFG ana PRIORITY": "51"}, `
-XFACTORWEIGHT     100
+XFACTORWEIGHT     3
-USERCFG[ana]      PRIORITY=50    # deadline until Friday
+USERCFG[ana]      PRIORITY=51    # deadline until Friday
+NODEWEIGHT 4`, nil},
	{gpuCentre, map[string]string{"term waiting/hours weight": "11", "account vision fairshare shares": "60"}, `
-    fairshare { shares = 50 }
+    fairshare { shares = 60 }
-      weight = 10
+      weight = 11`, nil},
	{gpuCentre, map[string]string{"the factor of term waiting / hours": "double(job.queue_seconds) / 7200.0"}, `
-      factor = "double(job.queue_seconds) / 3600.0"
+      factor = "double(job.queue_seconds) / 7200.0"`, nil},
	{gpuCentre, map[string]string{"account course limit gpus hard": "3"}, `
-      hard   = 1
+      hard   = 3`, nil},
	{gpuCentre, map[string]string{"GPU_HOURS_A_JOB": "12"}, `
+policy "centre" {
+  override = true
+  params = {
+    GPU_HOURS_A_JOB = 12
+  }
+}`, nil},
}

// What is saved is what was shown, only that, and it means what the page had.
func TestDeskSaves(t *testing.T) {
	for _, c := range saves {
		t.Run(fmt.Sprint(filepath.Base(c.site.files[0]), c.change), func(t *testing.T) {
			site := c.site.copied(t)
			d := serveDesk(t, site)
			before := map[string]string{}
			for _, name := range site.files {
				before[name] = textIn(t, name)
			}
			var shown savedReport
			d.ask("save", m{"change": c.change}, &shown)
			var lines strings.Builder
			for _, f := range shown.Files {
				for line := range strings.Lines(f.Diff) {
					if line[0] != ' ' && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && line[0] != '@' {
						lines.WriteString("\n" + strings.TrimSuffix(line, "\n"))
					}
				}
			}
			if lines.String() != c.lines {
				t.Errorf("the diff is%s\nnot%s", lines.String(), c.lines)
			}
			if fmt.Sprint(shown.Commands) != fmt.Sprint(c.run) {
				t.Errorf("the commands are %q, not %q", shown.Commands, c.run)
			}
			for name, text := range before {
				if textIn(t, name) != text {
					t.Fatalf("%s is written before anyone asks", name)
				}
			}
			var done savedReport
			d.ask("save", m{"change": c.change, "write": true}, &done)
			files := site
			for _, f := range shown.Files {
				var b bytes.Buffer
				if err := writeDiff(&b, f.Name, []byte(before[f.Name]), []byte(textIn(t, f.Path))); err != nil {
					t.Fatal(err)
				}
				if b.String() != f.Diff {
					t.Errorf("%s is another text than the diff shows: %s", f.Path, b.String())
				}
				if f.New {
					files.files = append(files.files, f.Path)
				}
			}
			if done.Written != (len(shown.Files) > 0) {
				t.Errorf("it is reported as written: %v", done.Written)
			}
			files.snapshots = onceRun(t, files.snapshots, shown.Commands)
			saved, _, err := evaluate(&policyFlags{}, &files.flags().snap, &files.flags().iter, files.files)
			if err != nil {
				t.Fatal(err)
			}
			side, err := d.side(c.change, "")
			if err != nil {
				t.Fatal(err)
			}
			if x, y := evalJSON(t, saved), evalJSON(t, side.result); x != y {
				t.Errorf("the saved files rank otherwise:\n%s\n%s", x, y)
			}
			if len(shown.Files) > 0 {
				checkSavedAgain(t, d, c.change, shown.Files[0].Path)
			}
		})
	}
}

// onceRun is the snapshot of the cluster once sacctmgr has run the commands, where it has what they change.
func onceRun(t *testing.T, snapshots, commands []string) []string {
	t.Helper()
	changes := map[string][]string{ // per command: a text of the snapshot before and after, in pairs
		"sacctmgr -i modify qos urgent set Priority=5": {"urgent|100|", "urgent|5|"},
		"sacctmgr -i modify user cy where account=chemistry set Fairshare=3": {
			"cy|2|0.666667|", "cy|3|0.750000|", "dee|1|0.333333|", "dee|1|0.250000|"},
		"sacctmgr -i modify account physics set Fairshare=5": {"physics||50|0.495050|", "physics||5|0.089286|",
			"chemistry||40|0.396040|", "chemistry||40|0.714286|", "guests||10|0.099010|", "guests||10|0.178571|",
			"root|root|1|0.009901|", "root|root|1|0.017857|"},
	}
	if len(commands) == 0 {
		return snapshots
	}
	var list []string
	for _, name := range snapshots {
		text := textIn(t, name)
		for _, command := range commands {
			text = strings.NewReplacer(changes[command]...).Replace(text)
		}
		list = append(list, write(t, filepath.Join(t.TempDir(), filepath.Base(name)), text))
	}
	return list
}

// checkSavedAgain saves once more, which writes nothing, and takes it back, but not once somebody else has written.
func checkSavedAgain(t *testing.T, d *testDesk, change map[string]string, name string) {
	t.Helper()
	var again savedReport
	d.ask("save", m{"change": change, "write": true}, &again)
	if len(again.Files) > 0 || again.Written || !again.Saved {
		t.Errorf("saved again: %+v", again)
	}
	saved := textIn(t, name)
	text := saved + "\n# another hand\n"
	write(t, name, text)
	list := d.refused("save", m{"write": true})
	if len(list) != 1 || !strings.Contains(list[0].Message, "has changed since") || textIn(t, name) != text {
		t.Errorf("a file that has changed: %+v", list)
	}
	write(t, name, saved)
}

// What was saved can be taken back, and the diff has each line that is written.
func TestDeskTakesBack(t *testing.T) {
	for _, c := range saves {
		if c.lines == "" {
			continue // nothing is written
		}
		t.Run(fmt.Sprint(filepath.Base(c.site.files[0]), c.change), func(t *testing.T) {
			site := c.site.copied(t)
			d := serveDesk(t, site)
			var first, back, none savedReport
			d.ask("save", m{"change": c.change, "write": true}, &first)
			d.ask("save", m{"write": true}, &back)
			if !back.Written || len(back.Files) != len(first.Files) || len(back.Commands) != len(first.Commands) {
				t.Errorf("taken back: %+v", back)
			}
			for i, name := range site.files {
				if textIn(t, name) != textIn(t, c.site.files[i]) {
					t.Errorf("%s is not as it was", name)
				}
			}
			added := false
			for _, f := range first.Files {
				added = added || f.New
				if f.New && textIn(t, f.Path) != "policy \"centre\" {\n  override = true\n}\n" {
					t.Errorf("%s is %q", f.Path, textIn(t, f.Path))
				}
			}
			d.ask("save", m{"write": true}, &none)
			if none.Written || len(none.Files) > 0 || len(none.Commands) > 0 || none.Saved != added {
				t.Errorf("taken back twice: %+v", none)
			}
			d.ask("save", m{"change": c.change, "write": true}, &savedReport{})
		})
	}
	site := mauiQueue.copied(t)
	d := serveDesk(t, site)
	var r savedReport
	d.ask("save", m{"change": m{"QUEUETIMEWEIGHT": "7"}, "write": true}, &r)
	d.ask("save", m{"change": m{"XFACTORWEIGHT": "50"}, "write": true}, &r)
	for _, line := range []string{"\n-QUEUETIMEWEIGHT   7", "\n+QUEUETIMEWEIGHT   1", "\n+XFACTORWEIGHT     50"} {
		if !strings.Contains(r.Files[0].Diff, line) {
			t.Errorf("no line %q in\n%s", line, r.Files[0].Diff)
		}
	}
	var start struct{ Saved bool }
	if d.ask("start", m{}, &start); !start.Saved {
		t.Error("the page cannot take back what was saved")
	}
}

// Files that the desk was not opened with are not written over; new ones are made where asked.
func TestDeskSavesElsewhere(t *testing.T) {
	site := meadow.copied(t)
	d := serveDesk(t, site)
	conf := site.files[0]
	was := textIn(t, conf)
	other := filepath.Join(filepath.Dir(conf), "new.conf")
	change := m{"PriorityWeightAge": "2000", "association physics Fairshare": "5"}
	for _, to := range []string{site.files[1], filepath.Dir(conf), filepath.Join(filepath.Dir(conf), "no", "folder"),
		"-"} {
		list := d.refused("save", m{"change": change, "write": true, "to": m{conf: to}})
		if len(list) != 1 || list[0].Message == "" {
			t.Errorf("%s: %+v", to, list)
		}
	}
	for _, second := range []string{other, filepath.Dir(conf) + "/./new.conf"} {
		list := d.refused("save", m{"change": change, "write": true, "to": m{conf: other, site.files[1]: second}})
		if len(list) != 1 || !strings.Contains(list[0].Message, "cannot both be written") {
			t.Errorf("two files in one place: %+v", list)
		}
	}
	for i, name := range site.files {
		if text, err := os.ReadFile(meadow.files[i]); err != nil || textIn(t, name) != string(text) {
			t.Fatalf("%s is written though another file is refused: %v", name, err)
		}
	}
	if err := os.Chmod(conf, 0o600); err != nil {
		t.Fatal(err)
	}
	d.ask("save", m{"change": change, "write": true, "to": m{conf: other}}, &savedReport{})
	if info, err := os.Stat(other); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the copy is %v, %v", info.Mode(), err)
	}
	if textIn(t, conf) != was || !strings.Contains(textIn(t, other), "PriorityWeightAge=2000") {
		t.Error("it is saved where it was not asked to be")
	}
	info, err := os.Stat(site.files[1])
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode of the dump has become %v, %v", info.Mode(), err)
	}
}

// A setting is saved in the file that has it, which another may include; a parameter of the command line is in none.
func TestDeskSavesIncluded(t *testing.T) {
	folder := t.TempDir()
	part := write(t, filepath.Join(folder, "weights.conf"), "# ours\r\nPriorityWeightAge=1000\r\n")
	main := write(t, filepath.Join(folder, "slurm.conf"),
		"ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\n"+
			"AccountingStorageType=accounting_storage/slurmdbd\nInclude "+part)
	d := serveDesk(t, deskSite{[]string{main}, meadow.snapshots})
	change := m{"PriorityWeightAge": "4", "PriorityWeightQOS": "3"}
	d.ask("save", m{"change": change, "write": true}, &savedReport{})
	if got := textIn(t, part); got != "# ours\r\nPriorityWeightAge=4\r\n" {
		t.Errorf("the included file is %q", got)
	}
	if got := textIn(t, main); !strings.HasSuffix(got, part+"\nPriorityWeightQOS=3") {
		t.Errorf("the file is %q", got)
	}
	f := meadow.flags()
	f.pol.params = []string{"PriorityWeightAge=9"}
	server, err := f.open([]string{main})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.answerSave(t.Context(),
		&deskRequest{Change: map[string]string{"PriorityWeightAge": "8"}}); err == nil ||
		!strings.Contains(err.Error(), "command line") {
		t.Errorf("a parameter of the command line is saved: %v", err)
	}
}

// Shares, priorities and limits are edited by their text, and mistakes are reported at them.
func TestDeskCredentials(t *testing.T) {
	d := serveDesk(t, meadow)
	for change, want := range map[string]string{"a lot": "association physics Fairshare",
		"1:GrpJobs=x":   "association physics Fairshare",
		"5\nUser - 'x'": "association physics Fairshare"} {
		list := d.refused("rank", m{"change": m{"association physics Fairshare": change}})
		if len(list) == 0 || list[0].Key != want {
			t.Errorf("%q: %+v", change, list)
		}
	}
	var gains struct {
		Top    int
		Groups map[string][]struct {
			Name     string
			Jobs, Up int
			Mean     float64
		}
	}
	d.ask("gains", m{"change": m{"PriorityWeightAge": "90000"}}, &gains)
	if g := gains.Groups["user"]; gains.Top != 9 || len(g) != 5 || g[0].Name != "ana" || g[0].Mean != 3.5 {
		t.Errorf("%+v", gains)
	}
}

// Shares and limits that the snapshot alone has are settings too: a change is as if sacctmgr had made it, and saving
// prints the commands that do.
func TestDeskRecorded(t *testing.T) {
	folder := "../../examples/slurm-verify/"
	open := func(changed ...string) *testDesk {
		var files []string
		for _, name := range []string{"assoc_mgr.txt", "sacctmgr_qos.psv", "scontrol_job.txt", "scontrol_node.txt",
			"scontrol_partition.txt"} {
			text := strings.NewReplacer(changed...).Replace(textIn(t, folder+"snapshot/"+name))
			files = append(files, write(t, filepath.Join(t.TempDir(), name), text))
		}
		f := deskSite{nil, files}.flags()
		f.snap.now = "2026-11-18T20:40:00Z"
		server, err := f.open([]string{folder + "slurm.conf"})
		if err != nil {
			t.Fatal(err)
		}
		return &testDesk{t: t, deskServer: server}
	}
	d := open()
	change := edit.Change{"association biology/eli MaxJobs": "3", "association physics Fairshare": "4",
		"association optics/cy Fairshare": "2", "association guests/gus Fairshare": "parent", "QOS high Priority": "1"}
	side, err := d.side(change, "")
	if err != nil {
		t.Fatal(err)
	}
	const gus = "UserName=gus(2008) Partition= Priority=0 ID=13 SharesRaw/Norm/Level/Factor="
	then := open("MaxJobs=1(1)", "MaxJobs=3(1)", "Factor=40/", "Factor=4/", "Factor=2147483647/", "Factor=2/",
		gus+"1/", gus+"2147483647/", "Priority=100 Account", "Priority=1 Account", "high|100|", "high|1|")
	if x, y := evalJSON(t, then.before.result), evalJSON(t, side.result); x != y {
		t.Errorf("once sacctmgr has made the change:\n%s\nand in the desk:\n%s", x, y)
	}
	if x, y := evalJSON(t, d.before.result), evalJSON(t, side.result); x == y {
		t.Error("the change changes nothing")
	}
	saved, err := d.answerSave(t.Context(), &deskRequest{Change: change, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"sacctmgr -i modify qos high set Priority=1",
		"sacctmgr -i modify user eli where account=biology set MaxJobs=3",
		"sacctmgr -i modify user gus where account=guests set Fairshare=parent",
		"sacctmgr -i modify user cy where account=optics set Fairshare=2",
		"sacctmgr -i modify account physics set Fairshare=4"}
	if r := saved.(*savedReport); len(r.Files) > 0 || !slices.Equal(r.Commands, want) {
		t.Errorf("%+v", r)
	}
	report, err := d.answerReport(t.Context(), &deskRequest{Change: change})
	if err != nil || strings.Count(report.(map[string]string)["html"], "association physics Fairshare") == 0 {
		t.Errorf("the report does not name the change: %v", err)
	}
	for key, text := range map[string]string{"association biology/eli MaxJobs": "-2", "QOS high Priority": "",
		"association physics Fairshare": "2147483647", "association optics/cy Fairshare": "much"} {
		_, err := d.side(edit.Change{key: text}, "")
		var typed mistakes
		if !errors.As(err, &typed) || typed[0].Key != key || !strings.Contains(typed[0].Message, "whole number") {
			t.Errorf("%s=%s: %v", key, text, err)
		}
	}
	none := edit.Change{"association biology/eli MaxJobs": ""}
	if _, err := d.side(none, ""); err != nil {
		t.Errorf("without the limit: %v", err)
	}
	if got := edit.Commands(none); len(got) != 1 || !strings.HasSuffix(got[0], " set MaxJobs=-1") {
		t.Errorf("%q", got)
	}
}
