// Package usage rolls fairshare windows out of job records, for sites that keep
// Maui's FS.<epoch> files without a running Maui.
//
// In: a table of runs as snapshot.ReadRecords makes it, how usage is counted,
// and the time. Out: windows of usage per credential and how far the records
// cover each; the text of Maui's file; and what may become of a file that is there
// already. Called by `fairway usage`. Which runs there are is the reader's
// business and what usage means for a priority is package fairshare's.
package usage

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Settings say how usage is counted.
type Settings struct {
	Usage           string // one of fairshare.UsageWords
	IntervalSeconds int64  // length of a window; windows begin at multiples of it since the epoch
	Depth           int    // how many windows, the current one included
	Now             int64  // epoch seconds; nothing after it counts
	Told            snapshot.Span
	Cluster         fairshare.Cluster // for processor equivalents
}

// Report is the windows and what went into them.
type Report struct {
	Settings
	Windows []Window // newest first
	Runs    int      // that reach into a window
	Running int      // of these, how many still ran
	Overdue int      // of these, how many had used up their limit, which is where they end
	Ahead   int      // runs that begin after Now
	// utilized only: finished runs that count with their processors, their processor time being unknown
	Unmeasured int
	Unnamed    []string // objects where no run names any
	BadNames   []Name   // names that Maui's file cannot hold
}

// Name is one credential.
type Name struct{ Object, Name string }

// Window is one window with what the records know of it.
type Window struct {
	snapshot.UsageWindow
	EndTime int64 // when the next one begins
	Cover   Cover
}

// Cover says what the records are to a window: whole, or why not.
type Cover string

// A window that begins before the records do lacks what ended there before them; of
// one that lies after the last record only those jobs are known that still ran.
const (
	Whole  Cover = "whole"
	Begins Cover = "begin later"
	Ends   Cover = "end earlier"
	None   Cover = "none"
)

// coverOf compares a window with the time the records tell of. The current
// window is whole as soon as they reach into it.
func coverOf(start, end int64, s *Settings) Cover {
	told := s.Told
	switch {
	case !told.Known || told.First >= end:
		return None
	case told.Last < start || told.Last < end && end <= s.Now:
		return Ends
	case told.First > start:
		return Begins
	}
	return Whole
}

// starts lists when the windows begin, newest first; none begins before the epoch,
// from which on they are counted.
func (s *Settings) starts() []int64 {
	var starts []int64
	for start := s.Now - s.Now%s.IntervalSeconds; start >= 0 && len(starts) < s.Depth; start -= s.IntervalSeconds {
		starts = append(starts, start)
	}
	return starts
}

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
