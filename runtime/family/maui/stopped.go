package maui

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/mauitext"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
)

// stopOf finds what keeps a waiting job out of Maui's queue walk whatever other jobs use, in the order
// in which the walk asks (MQueueSelectAllJobs); nil if nothing does. A negative priority is not
// here, since it may change from walk to walk.
func (s *selection) stopOf(job int, holds []column.Bitmap) *evaluation.Block {
	var found []*evaluation.Block
	add := func(kind, text string) *evaluation.Block {
		b := &evaluation.Block{Kind: kind, Text: text}
		found = append(found, b)
		return b
	}
	r := s.result
	if r.Jobs.Int("job.held", job) != 0 {
		add(evaluation.BlockHold, heldText(r.Jobs.Text("job.state_word", job)))
	}
	if v, over := s.gate.CheckLoaded(job); over {
		v := v // only this one goes to the heap
		add(evaluation.BlockSize, holdText("Batch")).Limit = &v
	}
	if k, held := r.HeldByPolicy(job, holds); held {
		b := add(evaluation.BlockPolicy, r.Program.Holds[k].Reason)
		b.Hold = k
	}
	if b := admit.NotAdmitted(r, job); b != nil {
		found = append(found, b)
	}
	if begin := r.Jobs.Value("job.begin_time", job); begin.Known() && begin.Int > r.Now {
		add(evaluation.BlockBegin, beginText(begin.Int-r.Now))
	}
	if procs, _ := Procs(r, job); procs > s.procsUp {
		add(evaluation.BlockResources, holdText("Defer"))
		add(evaluation.BlockResources, expectedText("Deferred"))
	}
	if len(found) == 0 {
		return nil
	}
	return evaluation.Chained(found)
}

// heldText is what diagnose -q says of a job that the resource manager holds, which names the
// kind of hold where it knows it.
func heldText(word string) string {
	kind, ok := strings.CutSuffix(strings.ToLower(word), "hold")
	if !ok || kind == "" {
		return expectedText("Hold")
	}
	return holdText(strings.ToUpper(kind[:1]) + kind[1:])
}

func beginText(seconds int64) string {
	return "has not reached its start date (" + mauitext.Span(seconds) + " to startdate)"
}

func holdText(kind string) string { return "has the following hold(s) in place:  " + kind }

func expectedText(state string) string {
	return "has non-idle expected state (expected state: " + state + ")"
}
