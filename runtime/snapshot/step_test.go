package snapshot

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/schema"
)

func stepped(t *testing.T) *Snapshot {
	t.Helper()
	s, diags, err := Read(fstest.MapFS{"q.json": {Data: []byte(`{"format_version": 1, "now": 1700000000, "jobs": [
		{"id": "1", "user": "amy", "state": "pending", "state_reason": "Priority", "submit_time": 1699990000, "procs": 5},
		{"id": "2", "user": "bob", "state": "running", "submit_time": 1699990001, "start_time": 1699990002, "procs": 2, "allocated_hosts": ["n1"]}],
		"nodes": [{"id": "n1", "procs": 8, "procs_available": 6}, {"id": "n2", "procs": 8, "procs_available": 8}]}`)}}, []string{"q.json"}, Options{})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

// TestSteps: a step leaves the snapshot before it as it was, and what it frees or takes shows on the nodes.
func TestSteps(t *testing.T) {
	begun := stepped(t)
	free := func(s *Snapshot, node int) int64 { return s.Nodes.Value("node.procs_available", node).Int }
	s, step, err := Start(begun, "1", []string{"n1", "n2", "n2"})
	if err != nil || step.Job != 0 || step.Was != 0 {
		t.Fatal(step, err)
	}
	if state, start := s.Jobs.Value("job.state", 0).Str, s.Jobs.Value("job.start_time", 0).Int; state != "running" ||
		start != begun.Now {
		t.Errorf("the job is %s since %d", state, start)
	}
	if word := s.Jobs.Value("job.state_reason", 0).Str; word != "" {
		t.Errorf("it runs, and its reason is %s", word)
	}
	if free(s, 0) != 4 || free(s, 1) != 5 {
		t.Errorf("%d and %d processors are free", free(s, 0), free(s, 1))
	}
	if s, step, err = End(s, "2"); err != nil || step.Job != -1 || step.Was != 1 || s.Jobs.Rows != 1 || free(s, 0) != 6 {
		t.Errorf("after the end: %v, %v, %d jobs, %d processors", step, err, s.Jobs.Rows, free(s, 0))
	}
	s, _, err = Submit(s, Cells{"job.id": schema.StringValue("3"), "job.gpus": schema.IntValue(2)})
	if err != nil || s.Jobs.Value("job.submit_time", 1).Int != s.Now || s.Jobs.Value("job.gpus", 0).Known() {
		t.Error("the job was not submitted now, or others have GPUs too", err)
	}
	if s, _, err = Hold(s, "3"); err != nil || s.Jobs.Value("job.held", 1).Int == 0 {
		t.Error("it is not held", err)
	}
	if begun.Jobs.Rows != 2 || begun.Jobs.Value("job.state", 0).Str != "pending" || begun.Jobs.Column("job.gpus") != nil ||
		free(begun, 0) != 6 {
		t.Error("the snapshot before has changed")
	}
}

func TestStepsThatAreNone(t *testing.T) {
	s := stepped(t)
	for want, step := range map[string]func() error{
		"job 7: the queue has no such job":                      func() error { _, _, err := End(s, "7"); return err },
		"job 2: it is running, and only a pending job can hold": func() error { _, _, err := Hold(s, "2"); return err },
		"job 2: it is running, and only a pending job can start": func() error {
			_, _, err := Start(s, "2", nil)
			return err
		},
		"job 1: the queue has a job of this id": func() error {
			_, _, err := Submit(s, Cells{"job.id": schema.StringValue("1")})
			return err
		},
		"job 1: a job keeps its id": func() error {
			_, _, err := Change(s, "1", Cells{"job.id": schema.StringValue("9")})
			return err
		},
		"job 1: job.procs is int, not string": func() error {
			_, _, err := Change(s, "1", Cells{"job.procs": schema.StringValue("many")})
			return err
		},
	} {
		var none *StepError
		if err := step(); !errors.As(err, &none) || err.Error() != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
}
