package verify_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

const oneJobAtATime = `Cluster - 'c':Fairshare=1:QOS='normal'
Parent - 'root'
Account - 'physics':GrpJobs=%d
Parent - 'physics'
User - 'amy'
`

// TestTurnsOfOneSecond: jobs that were tried in the second in which others started share evaluations, and still each
// is judged by the jobs that had their turn before it.
func TestTurnsOfOneSecond(t *testing.T) {
	const waiting = 200
	for _, c := range []struct{ started, explained int }{ // the first ten jobs have a lower priority than all that started
		{1, waiting - 10},
		{3, waiting - 10},
		{40, waiting - 10},
	} {
		q := oneSecond(t, c.started, waiting)
		evaluations := 0
		r, err := verify.Compare(q.Snapshot, func(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
			evaluations++
			return q.run(s, o)
		}, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if evaluations > 60 {
			t.Errorf("%d started: %d evaluations for %d jobs", c.started, evaluations, waiting)
		}
		for _, k := range r.Checks {
			if k.Name == "reason" && (k.Compared != waiting || k.Explained != c.explained) {
				t.Errorf("%d started: %d of %d reasons are explained, want %d", c.started, k.Explained, k.Compared, c.explained)
			}
		}
	}
}

// oneSecond is a queue in which jobs started in the second of the last pass, which came to all that wait, too. The
// limit of the account is reached by those that started. The waiting jobs have a reason that is right until then.
func oneSecond(t *testing.T, started, waiting int) *queue {
	t.Helper()
	in := compiler.Input{Options: lower.Options{Version: "25.11"}, Files: []*source.File{
		source.NewFile("slurm.conf", []byte(twoPartitions+"AccountingStorageEnforce=associations,limits,qos\n")),
		source.NewFile("acc.cfg", fmt.Appendf(nil, oneJobAtATime, started))}}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	var jobs []string
	job := func(id, priority int, state string) {
		jobs = append(jobs, fmt.Sprintf(`{"id": "%d", "user": "amy", "account": "physics", "partition": "batch", "procs": 1, "nodes": 1,
"walltime_seconds": 600, "submit_time": 1699990000, "eligible_time": 1699990000, "last_evaluation_time": 1699999995, "recorded_priority": %d, "direct_priority": true, %s}`, id, priority, state))
	}
	for k := range started {
		job(k+1, 110+5*k, `"state": "running", "start_time": 1699999995, "allocated_hosts": ["n1"]`)
	}
	for k := range waiting {
		job(1000+k, 100+k, `"state": "pending", "state_reason": "Resources"`)
	}
	q := &queue{t: t, program: out.Program}
	q.readFolder(fstest.MapFS{"s.json": {Data: []byte(`{"format_version": 1, "now": 1700000000, "family": "slurm", "jobs": [` + strings.Join(jobs, ",") + `]}`)}}, "s.json")
	return q
}
