package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	report "github.com/fairway-sched/fairway/runtime/report/replay"
)

// week is a site with recorded jobs.
var week = deskSite{[]string{"../../examples/replay/maui.cfg"},
	[]string{"../../examples/replay/week.swf", "../../examples/replay/nodes.json"}}

const weekJobs = "../../examples/replay/week.swf"

// openWeek is a desk that plays those jobs.
func openWeek(t *testing.T) *deskServer {
	t.Helper()
	f := week.flags()
	f.snap.now, f.workload = "2026-11-23T12:00:00Z", []string{weekJobs}
	d, err := f.open(week.files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.replay.end)
	return d
}

// askReplay asks until the replay of a change is done.
func askReplay(t *testing.T, d *deskServer, change map[string]string) *report.Beside {
	t.Helper()
	for range 300 {
		value, err := d.answerReplay(t.Context(), &deskRequest{Change: change})
		if err != nil {
			t.Fatal(err)
		}
		if answer := value.(map[string]any); answer["done"] == true {
			return answer["replay"].(*report.Beside)
		}
	}
	t.Fatal("the replay does not end")
	return nil
}

// Law: the desk plays as `fairway replay` does with the same --param.
func TestDeskReplaysAsReplay(t *testing.T) {
	d := openWeek(t)
	for _, change := range []map[string]string{nil, {"QUEUETIMEWEIGHT": "0", "XFACTORWEIGHT": "500"}} {
		f := &replayFlags{workload: []string{weekJobs}, nodes: week.snapshots[1:], zone: "UTC", runtime: "recorded",
			arrivals: "recorded"}
		for name, value := range change {
			f.pol.params = append(f.pol.params, name+"="+value)
		}
		want := mustReplay(t, f)
		before := mustReplay(t, &replayFlags{workload: f.workload, nodes: f.nodes, zone: "UTC", runtime: "recorded",
			arrivals: "recorded"})
		got := askReplay(t, d, change)
		wanted, err := report.ShowBeside(before, want)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Groups, wanted.Groups) || !slices.Equal(got.Metrics, wanted.Metrics) ||
			!slices.Equal(got.Charts, wanted.Charts) {
			t.Errorf("%v: the desk has %+v, replay %+v", change, got.Groups, wanted.Groups)
		}
		if moved := got.Shorter + got.Longer; (moved > 0) != (change != nil) {
			t.Errorf("%v: %d jobs start at another time", change, moved)
		}
		for _, c := range got.Charts {
			if strings.Count(c.SVG, "<path") != 2 || strings.Contains(c.SVG, "NaN") {
				t.Errorf("%s: %.300s", c.Title, c.SVG)
			}
		}
	}
}

func mustReplay(t *testing.T, f *replayFlags) *report.Report {
	t.Helper()
	selection, _, _, err := f.options(func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	from := &disk{&f.opened}
	machine, err := f.machine(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := f.records(from, machine)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.pol.compile(from, week.files, machine)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.jobs(jobs, selection)
	if err != nil {
		t.Fatal(err)
	}
	c := f.caseOf(out.Program, machine, w, 0, 0)
	shown, err := f.play(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// A newer change ends the replay of the one before it, which is played anew when it is asked for again.
func TestDeskReplayFollows(t *testing.T) {
	d := openWeek(t)
	d.replay.turns <- true // none may begin
	value, err := d.answerReplay(t.Context(), &deskRequest{Change: map[string]string{"XFACTORWEIGHT": "3"}})
	if err != nil || value.(map[string]any)["done"] != false {
		t.Fatalf("%v %v", value, err)
	}
	first := d.replay.now
	if _, err := d.answerReplay(t.Context(), &deskRequest{Change: map[string]string{"XFACTORWEIGHT": "4"}}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-first.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the replay of the earlier change goes on")
	}
	if !errors.Is(first.err, context.Canceled) {
		t.Errorf("it ends with %v", first.err)
	}
	<-d.replay.turns
	if again := askReplay(t, d, map[string]string{"XFACTORWEIGHT": "3"}); again.Shorter+again.Longer == 0 {
		t.Error("the earlier change is not played again")
	}
}

// Without a workload or without nodes the page says what is missing.
func TestDeskReplayMissing(t *testing.T) {
	d := serveDesk(t, meadow)
	if list := d.refused("replay", m{}); !strings.Contains(list[0].Message, "--workload") {
		t.Errorf("%+v", list)
	}
	f := deskSite{mauiQueue.files, []string{"../../examples/maui-queue/jobs.json"}}.flags()
	f.workload = []string{weekJobs}
	q, err := f.open(mauiQueue.files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.replay.end)
	for range 100 {
		value, err := q.answerReplay(t.Context(), &deskRequest{})
		if err != nil {
			if !strings.Contains(err.Error(), "scontrol show node") {
				t.Errorf("%v", err)
			}
			return
		}
		if value.(map[string]any)["done"] == true {
			t.Fatal("a machine without nodes is played on")
		}
	}
}

// The release that the workload shows is the one that is played, as `fairway replay` plays it.
func TestDeskReplaysRelease(t *testing.T) {
	folder := t.TempDir()
	conf := write(t, folder+"/slurm.conf", "ClusterName=a\nSlurmctldHost=h\nSelectType=select/cons_tres\n"+
		"PriorityType=priority/multifactor\nPriorityWeightAge=1000\nNodeName=n[1-2] CPUs=4\n"+
		"PartitionName=p Nodes=ALL Default=YES\n")
	jobs := "JobID|User|Account|Partition|QOS|Submit|Start|End|AllocTRES|ReqTRES|State|TimelimitRaw|Reserved\n"
	for _, id := range []string{"1", "2", "3", "4"} { // Reserved is Planned since 23.02
		jobs += id + "|ana|a|p|normal|2026-11-02T06:0" + id + ":00|2026-11-02T06:10:00|2026-11-02T07:1" + id +
			":00|cpu=4,node=1|cpu=4,node=1|COMPLETED|90|00:05:00\n"
	}
	workload := write(t, folder+"/sacct.txt", jobs)
	queue := write(t, folder+"/queue.txt", "JobId=9 UserId=ana(1) Account=a QOS=normal JobState=PENDING "+
		"TimeLimit=01:00:00 "+
		"SubmitTime=2026-11-20T08:05:00 Partition=p NumNodes=1 NumCPUs=4\n")
	f := &deskFlags{workload: []string{workload}, iter: iterationFlags{readOnly: true, fairshare: "computed"},
		snap: snapshotFlags{paths: []string{queue}, zone: "UTC", now: meadowNow}}
	d, err := f.open([]string{conf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.replay.end)
	r := &replayFlags{workload: []string{workload}, zone: "UTC", runtime: "recorded", arrivals: "recorded",
		place: time.UTC}
	machine, err := r.machine(&disk{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.records(&disk{}, machine); err != nil {
		t.Fatal(err)
	}
	out, err := r.pol.compile(&disk{}, []string{conf}, machine)
	if err != nil {
		t.Fatal(err)
	}
	played, err := d.replay.playedAs(d, d.before)
	if err != nil || played.Policy.Version != out.Policy.Version {
		t.Fatalf("the desk plays Slurm %s, replay %s: %v", played.Policy.Version, out.Policy.Version, err)
	}
	if out.Policy.Version == d.before.out.Policy.Version {
		t.Errorf("the workload shows no release: %s", out.Policy.Version)
	}
	askReplay(t, d, nil)
	if want := assumedRelease(out, machine); d.replay.now.release != want || want == "" {
		t.Errorf("it says %q, replay %q", d.replay.now.release, want)
	}
}
