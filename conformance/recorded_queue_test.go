package conformance_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/engine"
)

func stepName(i int) string { return fmt.Sprintf("step%d", i) }

// mauiOldOrder names iterations in which showq printed the idle jobs in the order of an earlier
// pass of the same iteration, not in that of the priorities that it printed with them.
var mauiOldOrder = map[string]int64{"r03-replay-fairshare": 1_700_002_100}

// checkQueue compares who runs, may start and is blocked, in showq's order where it has one, with
// Maui's words for those who are blocked.
func checkQueue(t *testing.T, name string, want *mauiStep, result *engine.Result) {
	t.Helper()
	ids, index := jobIDs(result)
	listed := map[string]bool{}
	for list, states := range map[*[]mauiJobName][]engine.State{
		&want.Queue.Active: {engine.Running}, &want.Queue.Idle: {engine.Eligible}, &want.Queue.Blocked: {engine.Blocked, engine.Held},
	} {
		for _, id := range names(*list) {
			listed[id] = true
			if got := result.State[index[id]]; !slices.Contains(states, got) {
				t.Errorf("%s is %s (%s), recorded was %s", id, got, result.Reason[index[id]], states[0])
			}
		}
	}
	for _, id := range ids {
		if s := result.State[index[id]]; !listed[id] && s != engine.Done {
			t.Errorf("%s is %s, recorded was nothing", id, s)
		}
	}
	var blocked []string
	for _, id := range ids {
		if s := result.State[index[id]]; s == engine.Blocked || s == engine.Held {
			blocked = append(blocked, id)
		}
	}
	if !slices.Equal(blocked, names(want.Queue.Blocked)) {
		t.Errorf("the blocked jobs are\n%v, recorded were\n%v", blocked, want.Queue.Blocked)
	}
	got, idle := eligible(result, ids), names(want.Queue.Idle)
	if mauiOldOrder[name] == want.Now {
		slices.Sort(got)
		slices.Sort(idle)
	}
	if !slices.Equal(got, idle) {
		t.Errorf("the idle jobs are\n%v, recorded were\n%v", got, want.Queue.Idle)
	}
	for _, id := range blocked {
		if got := reasons(result, index[id]); !slices.Equal(got, want.Reasons[id]) {
			t.Errorf("%s: the reasons are %q, recorded were %q", id, got, want.Reasons[id])
		}
	}
}

// reasons are all that Maui says of a job that is blocked; of some it says nothing.
func reasons(r *engine.Result, job int) []string {
	var list []string
	if why := r.Why[int32(job)]; why != nil {
		for _, each := range append([]*engine.Block{why}, why.Also...) {
			if each.Text != "" {
				list = append(list, each.Text)
			}
		}
	}
	return list
}

// eligible are the jobs that may start, in the order of the priorities that are stored in the end,
// as showq lists them.
func eligible(r *engine.Result, ids []string) []string {
	var jobs []int
	for i, state := range r.State {
		if state == engine.Eligible {
			jobs = append(jobs, i)
		}
	}
	slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(r.Stored[b], r.Stored[a]) })
	list := []string{}
	for _, i := range jobs {
		list = append(list, ids[i])
	}
	return list
}

// checkCheckjob compares what checkjob says of each job: the stored priority and the processor
// equivalents, which it prints with two decimals.
func checkCheckjob(t *testing.T, want *mauiStep, result *engine.Result) {
	t.Helper()
	_, index := jobIDs(result)
	for _, id := range slices.Sorted(maps.Keys(want.Checkjob)) {
		w, i := want.Checkjob[id], index[id]
		if got := result.Stored[i]; got != w.Stored && len(want.Commands) == 0 {
			t.Errorf("%s: the stored priority is %d, recorded was %d", id, got, w.Stored)
		}
		if pe := result.Jobs.Value("job.processor_equivalents", i).Double; math.Abs(pe-w.PE) > 0.005000001 {
			t.Errorf("%s: processor equivalents are %v, recorded were %v", id, pe, w.PE)
		}
	}
}
