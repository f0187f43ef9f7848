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
