// Package profile is what is free over time, and the question when something fits.
//
// In come spans of time in which a part is taken; out comes the earliest time from which enough is
// free for long enough. Steps counts interchangeable things (the whole nodes of one class, the tokens
// of a licence); Together asks several counts at once; Nodes knows each node's processors, memory and
// generic resources, for nodes that jobs share. Bound remembers what was asked, so that no
// search begins where an easier one has failed. The planner of runtime/backfill is the caller.
package profile

// Forever is the end of what has no end, in epoch seconds.
const Forever = int64(1) << 60

// Profile is a count of free things over time.
//
// A span [from, to) holds its things at from and no more at to. Two spans that meet do not
// overlap: what one gives back at 100 the other can have from 100.
type Profile interface {
	// FreeDuring is what is free at every moment of [from, to).
	FreeDuring(from, to int64) int64
	// FirstFit is the earliest start, from after on and before before, with count free for
	// so many seconds. It is not the earliest moment with count free: with 4 free from 10 to 20 and
	// again from 50, 4 for 30 seconds start at 50.
	FirstFit(after, before, seconds, count int64) (start int64, ok bool)
	// Add takes count during the span. What was not free is taken all the same: the count falls below 0.
	Add(from, to, count int64)
	// Remove gives back what an Add of the same span took.
	Remove(from, to, count int64)
}

// End is when what starts then ends, at most Forever.
func End(start, seconds int64) int64 {
	if seconds >= Forever || start >= Forever-seconds {
		return Forever
	}
	return start + max(seconds, 0)
}
