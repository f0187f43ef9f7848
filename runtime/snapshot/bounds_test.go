package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestImpossibleValues: a value that cannot be makes its record bad, at the
// value's place; the good record beside it stays.
func TestImpossibleValues(t *testing.T) {
	native := func(job string) string {
		return `{"format_version": 1, "now": 1700000000, "jobs": [{"id": "1", "user": "amy", ` + job + `},` + "\n" +
			`{"id": "2", "user": "amy"}]}`
	}
	squeue := func(job string) string {
		return `{"last_update": 1700000000, "jobs": [{"job_id": 1, "job_state": "PENDING", "user_name": "amy", ` + job +
			`},` + "\n" + `{"job_id": 2, "job_state": "PENDING", "user_name": "amy"}]}`
	}
	scontrol := func(job string) string {
		return "JobId=1 UserId=amy(1) JobState=PENDING " + job + "\nJobId=2 UserId=amy(1) JobState=PENDING\n"
	}
	table := func(header, cell string) string {
		return "JOBID|USER|STATE|" + header + "\n1|amy|PENDING|" + cell + "\n2|amy|PENDING|\n"
	}
	swf := func(submit, runtime, procs string) string {
		line := func(id, submit, runtime, procs string) string {
			return id + " " + submit + " 1 " + runtime + " " + procs + " -1 -1 " + procs + " 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
		}
		return line("2", "0", "1", "1") + line("1", submit, runtime, procs)
	}
	qstat := "Job Id: 2\n    job_state = Q\n    euser = amy\nJob Id: 1\n    job_state = Q\n    euser = amy\n    qtime = "
	for _, c := range []struct{ text, place, message string }{
		{native(`"procs": -4`), "f:1:87", "procs cannot be negative: -4"},
		{native(`"procs": 9223372036854775807`), "f:1:87", "procs cannot be more than 268435456: 9223372036854775807"},
		{native(`"nodes": 268435457`), "f:1:87", "nodes cannot be more than 268435456: 268435457"},
		{swf("0", "1", "268435457"), "f:2:1", "the job cannot have more than 268435456 processors: 268435457"},
		{native(`"nodes": -1`), "f:1:87", "nodes cannot be negative: -1"},
		{native(`"mem_mb": -1`), "f:1:88", "mem_mb cannot be negative: -1"},
		{native(`"walltime_seconds": -60`), "f:1:98", "walltime_seconds cannot be negative: -60"},
		{native(`"tres": {"cpu": 1, "gres/gpu": -2}`), "f:1:109", "tres(gres/gpu) cannot be negative: -2"},
		{native(`"nice": 2147483646`), "f:1:86", "nice should be from -2147483645 to 2147483645, not 2147483646"},
		{native(`"start_time": 1700000000000`), "f:1:92",
			"start_time should be seconds since 1970 up to the year 2106, not 1700000000000"},
		{native(`"submit_time": 1700000000000`), "f:1:93",
			"submit_time should be seconds since 1970 up to the year 2106, not 1700000000000"},
		{native(`"submit_time": 1`), "f:1:93", "submit_time cannot be before 1980: 1 seconds since 1970"},
		{native(`"submit_time": "2035-01-01T00:00:00Z"`), "f:1:93",
			"submit_time cannot be ten years after the snapshot's time: 2035-01-01T00:00:00Z and 2023-11-14T22:13:20Z"},
		{"id,user,procs\n1,amy, -4\n2,amy,1\n", "f:2:8", "procs cannot be negative: -4"},
		{`{"id": "1", "user": "amy", "procs": -4}` + "\n" + `{"id": "2", "user": "amy", "procs": 4}` + "\n", "f:1:37",
			"procs cannot be negative: -4"},
		{`[{"id": "1", "user": "amy", "state": "idle", "wclimit": 60, "tasks": 1, "procs_per_task": -4}, {"id": "2", "user": "amy", "state": "idle"}]`, "f:1:2", "tasks times procs_per_task is too large a number"},
		{`[{"id": "1", "user": "amy", "state": "idle", "wclimit": -60, "tasks": 1}, {"id": "2", "user": "amy", "state": "idle"}]`, "f:1:57", "walltime_seconds cannot be negative: -60"},
		{squeue(`"cpus": -4`), "f:1:104", "cpus: -4 is negative"},
		{squeue(`"node_count": {"set": true, "infinite": false, "number": -1}`), "f:1:110", "node_count: -1 is negative"},
		{squeue(`"priority": -5`), "f:1:108", "priority: -5 is negative"},
		{squeue(`"nice": 2147483646`), "f:1:104", "nice: 2147483646 lies outside -2147483645 to 2147483645"},
		{squeue(`"time_limit": -1`), "f:1:110", "time_limit: -1 is no number of minutes"},
		{squeue(`"start_time": 1700000000000`), "f:1:110", "start_time: 1700000000000 is no time in seconds since 1970"},
		{squeue(`"submit_time": 100`), "f:1:111", "submit_time cannot be before 1980: 100 seconds since 1970"},
		{squeue(`"submit_time": 2051222400`), "f:1:111",
			"submit_time cannot be ten years after the snapshot's time: 2035-01-01T00:00:00Z and 2023-11-14T22:13:20Z"},
		{squeue(`"tres_req_str": "cpu=-4"`), "f:1:112", `tres_req_str: the count "-4" is out of range`},
		{squeue(`"tres_req_str": "cpu=-1"`), "f:1:112", `tres_req_str: "cpu=-1" has no amount of cpu`},
		{scontrol("NumCPUs=-4"), "f:1:40", `NumCPUs: the count "-4" is negative`},
		{scontrol("NumNodes=1--4"), "f:1:40", `NumNodes: the count "-4" is negative`},
		{scontrol("TimeLimit=-60"), "f:1:40", `TimeLimit: a number is missing in the time "-60"`},
		{scontrol("MinMemoryNode=-1"), "f:1:40", `MinMemoryNode: "-1" is no amount of memory`},
		{scontrol("Nice=-2147483646"), "f:1:40", "Nice: -2147483646 lies outside -2147483645 to 2147483645"},
		{scontrol("SubmitTime=1970-01-02T00:00:00"), "f:1:40", "submit_time cannot be before 1980: 86400 seconds since 1970"},
		{scontrol("SubmitTime=2222-01-02T00:00:00"), "f:1:40", "SubmitTime: 2222-01-02T00:00:00 is after the year 2106"},
		{scontrol("StartTime=-5"), "f:1:40", "StartTime: -5 is no time in seconds since 1970"},
		{table("CPUS", "-4"), "f:2:1", `CPUS: the count "-4" is negative`},
		{table("SUBMIT_TIME", "100"), "f:2:1", "submit_time cannot be before 1980: 100 seconds since 1970"},
		{qstat + "100\n", "f:4:1", "submit_time cannot be before 1980: 100 seconds since 1970"},
		{qstat + "-100\n", "f:4:1", "submit_time should be seconds since 1970 up to the year 2106, not -100"},
		{swf("-7", "1", "1"), "f:2:1", "field 2 cannot be negative: -7"},
		{swf("99999999999", "1", "1"), "f:2:1", "the submit time 99999999999 lies after the year 2106"},
		{swf("0", "-60", "1"), "f:2:1", "field 4 cannot be negative: -60"},
		{swf("0", "1", "-4"), "f:2:1", "field 5 cannot be negative: -4"},
		{"0 1.1 60 -4 1 0 0 amy\n0 2 60 4 1 0 0 amy\n", "f:1:1", `procs should be a whole number, not "-4"`},
	} {
		s, diags := readText(t, "f", c.text)
		if rowsOf(s.Jobs) != 1 || s.Jobs.Value("job.id", 0).Str != "2" || s.Sources[0].Bad != 1 || s.Sources[0].Records != 1 {
			t.Errorf("%s: %d jobs, %+v %v", c.text, rowsOf(s.Jobs), s.Sources, texts(diags))
			continue
		}
		if len(diags) != 1 || diags[0].Code != "snapshot-bad-record" || diags[0].Span.String() != c.place ||
			diags[0].Message != c.message {
			t.Errorf("%s: %v", c.text, texts(diags))
		}
	}
}

// TestPossibleValues: what is unusual and true is read.
func TestPossibleValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"jobs": [{"id": "1", "user": "a", "submit_time": 0, "nice": -2147483645, "procs": 0}]}`:                                             "0 -2147483645 0", // time from the start of a trace
		`{"now": 100, "jobs": [{"id": "1", "user": "a", "submit_time": 200, "nice": 2147483645}]}`:                                            "200 2147483645 ?",
		`{"now": 1700000000, "jobs": [{"id": "1", "user": "a", "submit_time": 1700000600, "recorded_priority": -5}]}`:                         "1700000600 ? ?", // clocks differ
		`{"jobs": [{"job_id": 1, "job_state": "PD", "user_name": "a", "submit_time": {"set": false, "number": 0}, "nice": 4294967291}]}`:      "? -5 ?",         // 22.05 prints nice without sign
		`{"jobs": [{"job_id": 1, "job_state": "PD", "user_name": "a", "submit_time": 1700000000, "cpus": {"infinite": true, "set": false}}]}`: "1700000000 ? ?",
	} {
		s, diags := readText(t, "f", text)
		if len(diags) > 0 {
			t.Errorf("%s: %v", text, texts(diags))
			continue
		}
		if got := row(s.Jobs, 0, "job.submit_time", "job.nice", "job.procs"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestNamesAreBounded: a class of its own in each record makes no column for each of them. Records that name what is
// known are read on.
func TestNamesAreBounded(t *testing.T) {
	var nodes strings.Builder
	nodes.WriteString("[")
	for i := range 5000 {
		fmt.Fprintf(&nodes, `{"id": "n%d", "state": "Idle", "procs": 4, "classes": {"c%d": 4}},`, i, i)
	}
	nodes.WriteString(`{"id": "last", "state": "Idle", "procs": 4, "classes": {"c7": 4}}]`)
	s, diags, err := Read(mapFS{"nodes.json": nodes.String()}.open(), []string{"nodes.json"}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Nodes.Columns()); n > format.MostColumns {
		t.Errorf("%d columns", n)
	}
	if last := s.Nodes.Value("node.id", s.Nodes.Rows-1).Str; last != "last" || s.Sources[0].Bad < 3000 ||
		s.Nodes.Rows < 1900 {
		t.Errorf("the last row is %s of %d, %d are bad", last, s.Nodes.Rows, s.Sources[0].Bad)
	}
	if !slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool {
		return strings.Contains(d.Message, "is one name more than the 2000 that are read")
	}) {
		t.Errorf("%v", diags)
	}
}

// TestChosenNowJudgesSubmitTimes: without a time of its own an input is seen
// from the time that was chosen.
func TestChosenNowJudgesSubmitTimes(t *testing.T) {
	files := mapFS{"q.csv": "id,user,submit_time\n1,amy,1500000000\n2,amy,1700000000\n"}.open()
	for now, bad := range map[int64]int{0: 0, 1700000001: 0, 1300000000: 1, 100: 2} {
		s, _, err := Read(files, []string{"q.csv"}, format.Options{Now: now})
		if err != nil || s.Sources[0].Bad != bad || rowsOf(s.Jobs) != 2-bad {
			t.Errorf("seen from %d: %+v %v", now, s.Sources, err)
		}
	}
}

// TestBadNow: the time of a snapshot in milliseconds is no time.
func TestBadNow(t *testing.T) {
	for name, text := range map[string]string{
		"native":      `{"format_version": 1, "now": 1700000000000}`,
		"now.txt":     "1700000000000\n",
		"squeue.json": `{"jobs": [], "meta": {}, "last_update": 1700000000000}`,
		"sdiag":       "sdiag output at Sat Jan 31 12:00:03 2026 (1700000000000)\n",
		"qstat":       `{"timestamp": 1700000000000, "pbs_version": "23", "Jobs": {}}`,
	} {
		if s, diags := readText(t, name, text); s.Now != 0 || strings.Join(codesOf(diags), " ") != "snapshot-bad-time" {
			t.Errorf("%s: now %d, %v", name, s.Now, texts(diags))
		}
	}
}

// TestRules: every column that is counted or measured is bounded, unless it is derived.
func TestRules(t *testing.T) {
	for id, bounded := range map[schema.ColumnID]bool{
		"job.procs": true, "job.tres(gres/gpu)": true, "node.class_slots(batch)": true,
		"partition.walltime_max_seconds": true, "job.deadline": true,
		"job.queue_seconds": false, "job.recorded_priority": false, "job.system_priority": false, "qos.priority": false,
		"node.load": false, "sprio.nice": false, "job.user": false,
	} {
		if format.ColumnRuleOf(id).Bounded != bounded {
			t.Errorf("%s: %+v", id, format.ColumnRuleOf(id))
		}
	}
}
