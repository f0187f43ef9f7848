package engine

import (
	"math"
	"strings"

	"github.com/fairway-sched/fairway/runtime/column"
)

// stop finds what keeps a waiting job from starting whatever other jobs use, in the order in which
// Maui's queue walk asks (MQueueSelectAllJobs); nil if nothing does. A negative priority is not
// here, since it may change from walk to walk.
func (s *selection) stop(job int, holds []column.Bitmap) *Block {
	var found []*Block
	add := func(kind, text string) *Block {
		b := &Block{Kind: kind, Text: text}
		found = append(found, b)
		return b
	}
	r := s.result
	if r.Jobs.Value("job.held", job).Int != 0 {
		add(BlockHold, heldText(r.Jobs.Value("job.state_word", job).Str))
	}
	if v, over := s.gate.CheckLoaded(job); over {
		add(BlockSize, holdText("Batch")).Limit = &v
	}
	if k, held := r.heldByPolicy(job, holds); held {
		b := add(BlockPolicy, r.Program.Holds[k].Reason)
		b.Hold = k
	}
	if begin := r.Jobs.Value("job.begin_time", job); begin.Known() && begin.Int > r.Now {
		add(BlockBegin, "has not reached its start date ("+mauiDuration(begin.Int-r.Now)+" to startdate)")
	}
	if dependency := r.Jobs.Value("job.dependency", job).Str; dependency != "" {
		add(BlockDependency, word(r.Jobs.Value("job.state_reason", job).Str, "Dependency"))
	}
	if r.Jobs.Value("job.procs", job).Int > s.procsUp {
		add(BlockResources, holdText("Defer"))
		add(BlockResources, expectedText("Deferred"))
	}
	if len(found) == 0 {
		return nil
	}
	first := found[0]
	first.Also = append(first.Also, found[1:]...)
	return first
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

func holdText(kind string) string { return "has the following hold(s) in place:  " + kind }

func expectedText(state string) string {
	return "has non-idle expected state (expected state: " + state + ")"
}

// procsUp are the processors of all nodes that are not down; without bound where nobody
// says. A job that needs more is set aside (Defer) as soon as the walk comes to it.
func procsUp(nodes *column.Table) int64 {
	count, up := nodes.Column("node.procs"), nodes.Column("node.up")
	if count == nil || count.Missing.Any() {
		return math.MaxInt64
	}
	procs := int64(0)
	for i := range nodes.Rows {
		if !isKnown(up, i) || up.Ints[i] != 0 {
			procs += count.Ints[i]
		}
	}
	return procs
}
