package snapshot

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// TestTraceAtATime: once a time is chosen, what is submitted later is not in
// the queue; the trace's range is known with and without it.
func TestTraceAtATime(t *testing.T) {
	line := func(id, submit string) string {
		return id + " " + submit + " -1 5 2 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
	}
	from1970 := "; UnixStartTime: 1700000000\n" + line("1", "0") + line("2", "30") + line("3", "-1") + line("4", "90")
	relative := line("1", "0") + line("2", "30") + line("3", "-1") + line("4", "90")
	pyss := "0 1 60 4 5 0 0 amy\n30 2 60 4 5 0 0 amy\n90 4 60 4 5 0 0 amy\n"
	for _, c := range []struct {
		name, text, ids string
		now             int64
		span            [2]int64
		note            string
	}{
		{"a.swf", from1970, "1 2 3 4", 0, [2]int64{1700000000, 1700000090}, ""},
		{"a.swf", from1970, "1 2 3", 1700000030, [2]int64{1700000000, 1700000090},
			"the jobs arrive from 2023-11-14T22:13:20Z to 2023-11-14T22:14:50Z; choose a later time to see more of them"},
		{"a.swf", from1970, "1 2 3 4", 1700000090, [2]int64{1700000000, 1700000090}, ""},
		{"a.swf", relative, "1 3", 29, [2]int64{0, 90},
			"the jobs arrive from second 0 to second 90; choose a later time to see more of them"},
		{"a.0", pyss, "1 2", 30, [2]int64{0, 90},
			"the jobs arrive from second 0 to second 90; choose a later time to see more of them"},
	} {
		s, diags, err := Read(mapFS{c.name: c.text}.open(), []string{c.name}, format.Options{Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for i := range s.Jobs.Rows {
			ids = append(ids, s.Jobs.Value("job.id", i).Str)
		}
		note := ""
		for _, d := range diags {
			note += d.Notes[0].Text
		}
		if got := strings.Join(ids, " "); got != c.ids || s.TimeRange != c.span || note != c.note || s.Sources[0].Bad > 0 {
			t.Errorf("%s at %d: jobs %s, range %v, %q", c.name, c.now, got, s.TimeRange, note)
		}
	}
}

// TestTraceInOtherForm: written as JSON and read back, a trace still knows when
// its jobs arrive; a time beside it in a directory is as good as a chosen one.
func TestTraceInOtherForm(t *testing.T) {
	s, _ := readText(t, "a.swf", makeTrace(10, 1))
	var out strings.Builder
	if err := native.WriteJSON(&out, s); err != nil {
		t.Fatal(err)
	}
	now := "1000000100\n"
	for name, text := range map[string]string{"a.swf": makeTrace(10, 1), "a.json": out.String()} {
		s, diags, err := Read(mapFS{"d/" + name: text, "d/now.txt": now}.open(), []string{"d"}, format.Options{})
		diags = except(diags, "snapshot-job-without-user")
		if err != nil || len(diags) != 1 ||
			diags[0].Message != "3 jobs left out that arrive after the snapshot's time, 2001-09-09T01:48:20Z" ||
			s.Jobs.Rows != 3 {
			t.Errorf("%s: %d jobs, %v %v", name, s.Jobs.Rows, texts(diags), err)
		}
	}
}

// TestJobsWithoutUser: reported once, and not of a trace, which may lack it.
func TestJobsWithoutUser(t *testing.T) {
	for text, want := range map[string]string{
		"id,user\n1,amy\n2,\n3,\n": `2 jobs of 3 have no user, for instance "2"`,
		"id,procs\n1,4\n":          `1 job of 1 has no user, for instance "1"`,
		"JobId=1 JobState=PENDING\nJobId=2 JobState=PENDING UserId=a(1)\n": `1 job of 2 has no user, for instance "1"`,
		"id,user\n1,amy\n": "",
		"1 0 1 5 2 -1 -1 2 60 -1 1 -1 1 -1 -1 -1 -1 -1\n": "",
	} {
		_, diags := readText(t, "f", text)
		got := ""
		for _, d := range diags {
			got += d.Message
		}
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	files := mapFS{"d/a.csv": "id,procs\n1,4\n", "d/b": "JobId=1 JobState=PENDING UserId=a(1)\n"}.open()
	if _, diags, err := Read(files, []string{"d"}, format.Options{}); err != nil || len(diags) > 0 {
		t.Error(err, texts(diags))
	}
}
