package replay_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
)

// TestFullRecordedWalks compares whom the hard and the soft walk through the queue take with
// what Maui's log says of them: so much of the selection no client prints.
func TestFullRecordedWalks(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Full(t, "maui", `^(p|f|t|b|n|r|big)\d`) {
		t.Run(r.Name, func(t *testing.T) {
			played := recordedtest.OpenMaui(t, r.Name, r.Files)
			walks, err := played.ReadWalks()
			if err != nil {
				t.Fatal(err)
			}
			for p, err := range played.Play() {
				if err != nil {
					t.Fatal(err)
				}
				if w := walks[p.Index]; w != nil {
					c["walks"] += 2
					what := fmt.Sprintf("iteration %d", p.Index)
					checkWalk(t, what+", hard walk", p, w.Hard, limit.Hard, c)
					checkWalk(t, what+", soft walk", p, w.Soft, limit.Soft, c)
					checkWalkOrder(t, what, p, w, c)
				}
			}
		})
	}
	c.atLeast(t, map[string]int{"walks": 320, "taken": 5450, "refused by a limit": 420, "ordered": 3200, "machine": 1})
}

func checkWalk(t *testing.T, what string, p *replay.Played, w replay.Walk, b limit.Bound, c compared) {
	t.Helper()
	ids, _ := recordedtest.JobIDs(p.Result)
	taken := map[string]bool{}
	for _, job := range p.Result.Taken[b] {
		taken[ids[job]] = true
	}
	all, deferred := 0, 0
	for job, id := range ids {
		if p.Result.State[job] == evaluation.Done {
			continue
		}
		all++
		why, refused := w.Refused[id]
		switch {
		case strings.Contains(why, "'Deferred'"):
			deferred++ // Maui found no nodes for it before, which is the planner's business
		case len(w.Refused) == 0: // the log names nobody
		case taken[id] && refused:
			t.Errorf("%s takes %s, recorded was%s", what, id, why)
		case !taken[id] && !refused:
			t.Errorf("%s refuses %s, recorded was that it is taken", what, id)
		case larger.MatchString(why):
			checkMachine(t, what, p, larger.FindStringSubmatch(why)[1], c)
		case strings.Contains(why, " violates "):
			c["refused by a limit"]++
		case taken[id]:
			c["taken"]++
		}
	}
	if all != w.All {
		t.Errorf("%s has %d jobs, recorded were %d", what, all, w.All)
	}
	if deferred == 0 && len(taken) != w.Selected {
		t.Errorf("%s takes %d jobs, recorded were %d", what, len(taken), w.Selected)
	}
}

// larger is what Maui says of a job that is larger than the machine.
var larger = regexp.MustCompile(`exceeds available procs in system: \d+ > (\d+)`)

func checkMachine(t *testing.T, what string, p *replay.Played, recorded string, c compared) {
	t.Helper()
	c["machine"]++
	if procs, _, _ := evaluation.Machine(p.Result.Snapshot); strconv.FormatInt(procs, 10) != recorded {
		t.Errorf("%s: %d processors are up, recorded were %s", what, procs, recorded)
	}
}

// checkWalkOrder: those that the filter after the walks leaves are in the order of the hard walk.
func checkWalkOrder(t *testing.T, what string, p *replay.Played, w *replay.Walks, c compared) {
	t.Helper()
	ids, _ := recordedtest.JobIDs(p.Result)
	left := map[string]bool{}
	for _, id := range w.Filtered {
		left[id] = true
	}
	var got []string
	for _, job := range p.Result.Taken[limit.Hard] {
		if left[ids[job]] {
			got = append(got, ids[job])
		}
	}
	c["ordered"] += len(got)
	equalLists(t, what+": hard walk, as far as filtered", got, w.Filtered)
}
