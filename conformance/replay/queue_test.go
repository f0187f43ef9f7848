package replay_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
)

// mauiOldOrder names iterations in which showq printed the idle jobs in the order of an earlier
// pass of the same iteration, not in that of the priorities that it printed with them.
var mauiOldOrder = map[string]int64{"r03-replay-fairshare": 1_700_002_100}

// checkQueue compares who runs, may start and is blocked, in showq's order where it has one, with
// Maui's words for those who are blocked.
func checkQueue(t *testing.T, name string, p *replay.Played, c compared) {
	t.Helper()
	c["queue"]++
	r, want := p.Result, p.Queue
	ids, index := recordedtest.JobIDs(r)
	listed := map[string]bool{}
	for _, list := range []struct {
		jobs   []replay.JobName
		states []evaluation.State
	}{{want.Active, []evaluation.State{evaluation.Running}}, {want.Idle, []evaluation.State{evaluation.Eligible}},
		{want.Blocked, []evaluation.State{evaluation.Blocked, evaluation.Held}}} {
		for _, id := range replay.Names(list.jobs) {
			listed[id] = true
			if i, ok := index[id]; !ok {
				t.Errorf("%s is missing, recorded was %s", id, list.states[0])
			} else if got := r.State[i]; !slices.Contains(list.states, got) {
				t.Errorf("%s is %s (%s), recorded was %s", id, got, r.Reason[i], list.states[0])
			}
		}
	}
	var blocked []string
	for i, id := range ids {
		switch s := r.State[i]; {
		case !listed[id] && s != evaluation.Done:
			t.Errorf("%s is %s, recorded was nothing", id, s)
		case s == evaluation.Blocked || s == evaluation.Held:
			blocked = append(blocked, id)
		}
	}
	equalLists(t, "blocked", blocked, replay.Names(want.Blocked))
	checkIdle(t, r, replay.Names(want.Idle), mauiOldOrder[name] == p.Now, "")
	for _, id := range blocked {
		c["reasons"]++
		got := reasons(r, index[id])
		equalLists(t, "reasons of "+id, got, p.Reasons[id])
		if len(got) > 0 && r.Reason[index[id]] != got[0] {
			t.Errorf("%s: the reason is %q, but the first is %q", id, r.Reason[index[id]], got[0])
		}
	}
}

func equalLists(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nrecorded %q", what, got, want)
	}
}

// reasons are all that Maui says of a job that is blocked; of some it says nothing.
func reasons(r *evaluation.Result, job int) []string {
	var list []string
	if why := r.Why[int32(job)]; why != nil {
		for _, each := range append([]*evaluation.Block{why}, why.Also...) {
			if each.Text != "" {
				list = append(list, each.Text)
			}
		}
	}
	return list
}

// checkIdle compares the jobs that may start, in their order. That is the order of the priorities
// that are stored in the end, unless Maui printed that of an earlier pass. A job that Maui
// refused is in no list of its own.
func checkIdle(t *testing.T, r *evaluation.Result, want []string, oldOrder bool, refused string) {
	t.Helper()
	ids, _ := recordedtest.JobIDs(r)
	var idle, byStored []int
	for _, job := range maui.Of(r).Idle {
		idle = append(idle, int(job))
	}
	for job, state := range r.State {
		if state == evaluation.Eligible {
			byStored = append(byStored, job)
		}
	}
	slices.SortStableFunc(byStored, func(a, b int) int { return cmp.Compare(r.Stored[b], r.Stored[a]) })
	named := func(jobs []int) (list []string) {
		for _, job := range jobs {
			if ids[job] != refused {
				list = append(list, ids[job])
			}
		}
		return list
	}
	equalLists(t, "idle", named(idle), want)
	got := named(byStored)
	if oldOrder {
		want = slices.Sorted(slices.Values(want))
		slices.Sort(got)
	}
	equalLists(t, "idle, by stored priority", got, want)
}

// checkCheckJob compares what checkjob says of each job: the stored priority and the processor
// equivalents, which it prints with two decimals.
func checkCheckJob(t *testing.T, p *replay.Played, c compared) {
	t.Helper()
	_, index := recordedtest.JobIDs(p.Seen)
	for _, id := range slices.Sorted(maps.Keys(p.CheckJob)) {
		w := p.CheckJob[id]
		i, ok := index[id]
		if !ok {
			t.Errorf("job %s is missing", id)
			continue
		}
		c["stored"]++
		if got := p.Seen.Stored[i]; got != w.Stored {
			t.Errorf("%s: the stored priority is %d, recorded was %d", id, got, w.Stored)
		}
		if pe := p.Seen.Jobs.Value("job.processor_equivalents", i).Double; math.Abs(pe-w.PE) > 0.005000001 {
			t.Errorf("%s: processor equivalents are %v, recorded were %v", id, pe, w.PE)
		}
	}
}
