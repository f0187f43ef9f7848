package push_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/manager"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/push"
)

// ranked is a result with jobs of these priorities, best first.
func ranked(priorities ...int64) *evaluation.Result {
	n := len(priorities)
	b := column.NewBuilder("jobs")
	r := &evaluation.Result{Program: &program.Program{}, Priority: priorities}
	for i := range n {
		b.Row()
		b.String("job.id", fmt.Sprint(i+1))
		r.JobRow, r.RowJob, r.Order = append(r.JobRow, int32(i)), append(r.RowJob, int32(i)), append(r.Order, int32(i))
	}
	r.Jobs = b.Table()
	r.Rows = r.Jobs
	return r
}

func TestMake(t *testing.T) {
	r := ranked(100, 90, 80, 70, 60, 50, 40)
	r.Failed.Set(6)
	held := []manager.Holding{
		{Job: "1", Name: "1", Submitted: "5", Priority: 60, Value: 10}, // 50 are its own
		{Job: "2", Name: "2", Priority: 95, Value: 6},                  // 1 is right, 6 is near
		{Job: "3", Name: "3", Standing: manager.Started},
		{Job: "4", Name: "4", Unknown: "sprio does not list it"},
		{Job: "5; rm -rf /"},
		{Job: "6", Name: "6", Priority: 1 << 40},
		{Job: "1", Name: "1", Submitted: "4", Value: 9, Left: true}, // of a job that had the id before
	}
	p := push.Plan{Bounds: push.Bounds{MaxShare: 1, Threshold: 6}}
	p.Make(r, held, manager.SlurmSiteFactor, nil)
	want := push.Plan{Bounds: p.Bounds, Waiting: 7, Right: 1,
		Changes: []push.Change{{Job: "1", Name: "1", Submitted: "5", Priority: 100, Old: 10, New: 50,
			Asks: "e3b0c44298fc1c14"}, {Job: "1", Name: "1", Submitted: "4", Old: 9}},
		Skipped: []push.Skipped{{"3", "it does not wait: started"}, {"4", "sprio does not list it"},
			{"5", "the resource manager does not list it"},
			{"6", "it would need -1099511627726, and slurm SiteFactor takes -2147483645 to 2147483645"},
			{"7", "the policy has no priority for it: an expression failed"}}}
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
}

func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		changes, waiting int
		bounds           push.Bounds
		want             string
	}{
		{3, 10, push.Bounds{MaxShare: 1}, ""},
		{3, 10, push.Bounds{MaxShare: 1, MaxChanges: 3}, ""},
		{4, 10, push.Bounds{MaxShare: 1, MaxChanges: 3}, "4 jobs would change, which is more than --max-changes 3"},
		{5, 10, push.Bounds{MaxShare: 0.5}, ""},
		{6, 10, push.Bounds{MaxShare: 0.5}, "6 of 10 jobs would change, which is more than --max-share 0.5"},
		{0, 0, push.Bounds{MaxShare: 0}, ""},
		{1, 10, push.Bounds{MaxShare: 0}, "1 of 10 jobs would change, which is more than --max-share 0"},
	} {
		p := push.Plan{Bounds: c.bounds, Waiting: c.waiting, Changes: make([]push.Change, c.changes)}
		if got := p.Beyond(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestPlanFile(t *testing.T) {
	var text bytes.Buffer
	if err := plan().Write(&text); err != nil {
		t.Fatal(err)
	}
	p, diags := push.Read(source.NewFile("plan.json", text.Bytes()))
	if len(diags) > 0 || !cmp.Equal(p, plan()) {
		t.Fatalf("it is not read as it was written: %v\n%s", diags, cmp.Diff(plan(), p))
	}
	seen := map[string]bool{}
	for name, c := range map[string]struct{ old, new, code string }{
		"torn":    {"\n}", "", "push-plan-torn"},
		"foreign": {"fairway-push-plan", "fairway-other", "push-plan-foreign"},
		"version": {`"format_version": 1`, `"format_version": 2`, "push-plan-version"},
		"unknown": {`"made"`, `"mode"`, "push-plan-value"},
		"no run":  {`"r1"`, `""`, "push-plan-value"},
		"no job":  {`"name": "3"`, `"name": ""`, "push-plan-value"},
		"float":   {`"new": 40`, `"new": 40.5`, "push-plan-value"},
		"twice":   {`"job": "3"`, `"job": "1"`, "push-plan-value"},
		"changed": {`"new": 40`, `"new": 41`, "push-plan-changed"},
		"no sum":  {`"sha256": "`, `"sha256": "0`, "push-plan-changed"},
		"keep":    {`"new": 40`, `"new": 40, "keep": true`, "push-plan-value"},
	} {
		p, diags := push.Read(source.NewFile("plan.json", []byte(strings.Replace(text.String(), c.old, c.new, 1))))
		if p != nil || len(diags) != 1 || diags[0].Code != c.code {
			t.Errorf("%s: %v, not %s", name, diags, c.code)
		}
		seen[c.code] = true
	}
	for _, c := range pages.In("push") {
		if !seen[c.Code] {
			t.Errorf("nothing reports %s", c.Code)
		}
	}
}

func FuzzPlan(f *testing.F) {
	var text bytes.Buffer
	_ = plan().Write(&text)
	f.Add(text.Bytes())
	f.Add([]byte(`{"format":"fairway-push-plan","format_version":1,"changes":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, diags := push.Read(source.NewFile("plan.json", text))
		if (p == nil) != diags.HasErrors() {
			t.Errorf("a plan %v and errors %v", p != nil, diags)
		}
	})
}

func TestJournal(t *testing.T) {
	const whole = `{"time":"t","run":"a","event":"begin"}` + "\n"
	for text, want := range map[string][2]int{ // entries, torn
		"":                               {0, 0},
		whole + whole:                    {2, 0},
		whole + `{"time":"t","run":"a"`:  {1, 1},
		whole[:20] + "\n\n" + whole:      {1, 1},
		whole[:3] + "\n" + whole:         {1, 1},
		whole + "\x00\x00\x00\n" + whole: {2, 1},
		"\x00{\"time\":\"\x00\x00\n":     {0, 1},
		whole + `{"run":"a","ev`:         {-1, 0},
		"{}\n" + whole:                   {-1, 0},
		`{"time":"t"}` + "\n":            {-1, 0},
		"\x7fELF":                        {-1, 0},
		`[` + whole + `]`:                {-1, 0},
	} {
		entries, torn, err := push.ReadJournal(strings.NewReader(text))
		if got := [2]int{len(entries), torn}; err == nil && got != want || (err != nil) != (want[0] < 0) {
			t.Errorf("%q: %v, %v, not %v", text, got, err, want)
		}
	}
}

func FuzzJournal(f *testing.F) {
	f.Add("{\"time\":\"t\",\"run\":\"a\",\"event\":\"begin\"}\n{\"time\":\"t\",\"run\":\"a\",\"ev\n")
	f.Add(`{"run":"a","event":"intent","changes":[{"job":"1","through":5,"old":1,"new":2}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		entries, _, err := push.ReadJournal(strings.NewReader(text))
		if err != nil && entries != nil {
			t.Fatal("a foreign file has entries")
		}
		push.Unsettled(entries)
		for _, r := range push.Runs(entries) {
			if _, ok := push.Undo(entries, r.ID); !ok {
				t.Errorf("run %q is listed and unknown", r.ID)
			}
		}
	})
}
