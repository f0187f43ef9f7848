package usage

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Tree is what went into the usage of an account tree; the usage itself is the engine's.
type Tree struct {
	Now       int64 // epoch seconds
	Told      snapshot.Span
	Since     int64 // usage until then was known; 0: none was
	Runs      int   // that count
	Overdue   int   // of these, how many had used up their limit, which is where they end
	Strangers int   // of these, how many have no association in the tree
	Stranger  string
	Left      float64 // what is left now of usage from the time at which the records begin
}

// Findings says what is to be known about the usage as a whole.
func (t *Tree) Findings() diag.List {
	var list diag.List
	if t.Overdue > 0 {
		list.Warnf("usage-overdue", nowhere, "%s without an end although the time limit is over", howMany(t.Overdue, "job")).
			Note("counted up to the limit; the records with the end may be missing")
	}
	if t.Strangers > 0 {
		list.Warnf("usage-not-in-tree", nowhere, "%s of associations that the policy does not have, the first of %s",
			howMany(t.Strangers, "run"), t.Stranger).
			Note("their usage is not counted; is the dump of accounts that of the records' cluster?")
	}
	if t.Runs == 0 {
		list.Warnf("usage-no-runs", nowhere, "no job of the records ran before %s", timeText(t.Now)).
			Note("no usage is recorded then, and everybody has the best fairshare")
	}
	switch {
	case t.Told.Known && t.Since != 0 && t.Told.First > t.Since:
		list.Warnf("usage-records-begin", nowhere, "the records begin %s, and the state is of %s", timeText(t.Told.First),
			timeText(t.Since)).
			Note("what ended in between is missing; give records from the time of the state on, or say with --since that " +
				"they are complete")
	case t.Told.Known && t.Since == 0 && t.Left > 0.01:
		list.Infof("usage-records-begin", nowhere,
			"the records begin %s, and %.0f%% of what was used just before would be left", timeText(t.Told.First), 100*t.Left).
			Note("records of ten half-lives are as good as all; --since says that nothing was used before")
	}
	return list
}
