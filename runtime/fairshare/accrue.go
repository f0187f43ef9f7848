package fairshare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// What counts as usage: the values of program.Windows.Usage.
const (
	DedicatedProcSeconds = "dedicated_proc_seconds"
	DedicatedPESeconds   = "dedicated_pe_seconds"
	UtilizedProcSeconds  = "utilized_proc_seconds"
)

// UsageWords lists them.
var UsageWords = []string{DedicatedProcSeconds, DedicatedPESeconds, UtilizedProcSeconds}

// RunningJob is what usage accrues from.
type RunningJob struct {
	Names                Names
	Procs                int64
	ProcessorEquivalents float64
	StartTime            int64 // epoch seconds
}

// Rate is what a running job uses each second. What it utilises is its processors: no resource
// manager of ours measures more, and Maui counts the same then (recorded: f20).
func Rate(w *program.Windows, procs int64, processorEquivalents float64) float64 {
	if w.Usage == DedicatedPESeconds {
		return processorEquivalents
	}
	return float64(procs)
}

// Accrue adds to a window what running jobs used since the last iteration: each its rate for
// the time since then, or since its start if that is later. It is for jobs that the last iteration
// knew already; one first seen now adds nothing yet, so the first iteration of all adds nothing.
// It comes before priorities are computed (recorded: f15).
func Accrue(w *program.Windows, window *snapshot.UsageWindow, jobs []RunningJob, last, now int64) {
	for i := range jobs {
		j := &jobs[i]
		if seconds := min(now-last, now-j.StartTime); seconds > 0 {
			Add(window, j.Names, float64(Rate(w, j.Procs, j.ProcessorEquivalents)*float64(seconds)))
		}
	}
}

// Add adds an amount to a window for each credential that is named, and to the total.
func Add(window *snapshot.UsageWindow, names Names, amount float64) {
	if amount == 0 {
		return
	}
	if window.Usage == nil {
		window.Usage = map[string]map[string]float64{}
	}
	for o, name := range names {
		if name == "" {
			continue
		}
		object := Objects[o]
		if window.Usage[object] == nil {
			window.Usage[object] = map[string]float64{}
		}
		window.Usage[object][name] += amount
	}
	window.Total += amount
}

// Roll makes the window that now lies in the first one, empty if it is new, and drops what is too old to count, lies
// in the future, or begins where no window does. Maui does so when the iteration that crossed the boundary is over:
// its priorities and what its running jobs used still belong to the old window (recorded: f15).
func Roll(w *program.Windows, windows []snapshot.UsageWindow, now int64) []snapshot.UsageWindow {
	current := CurrentStart(w, now)
	oldest := current - int64(w.Depth)*w.IntervalSeconds
	kept := []snapshot.UsageWindow{{StartTime: current}}
	for _, u := range windows {
		switch {
		case u.StartTime == current:
			kept[0] = u
		case u.StartTime < current && u.StartTime > oldest && u.StartTime%w.IntervalSeconds == 0:
			kept = append(kept, u)
		}
	}
	slices.SortStableFunc(kept[1:], func(a, b snapshot.UsageWindow) int { return cmp.Compare(b.StartTime, a.StartTime) })
	return kept
}

// Extend adds to windows, newest first, those of others that they lack and that begin where windows
// do, up to now. It returns how many of the others they have already.
func Extend(w *program.Windows, windows, others []snapshot.UsageWindow, now int64) (all []snapshot.UsageWindow,
	known int) {
	has := map[int64]bool{}
	for _, u := range windows {
		has[u.StartTime] = true
	}
	all = windows
	for _, u := range others {
		switch {
		case has[u.StartTime]:
			known++
		case u.StartTime <= now && u.StartTime%w.IntervalSeconds == 0:
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(a, b snapshot.UsageWindow) int { return cmp.Compare(b.StartTime, a.StartTime) })
	return all, known
}

// Clone copies windows, so that adding to the copy leaves the snapshot as it was read.
func Clone(windows []snapshot.UsageWindow) []snapshot.UsageWindow {
	out := slices.Clone(windows)
	for i := range out {
		usage := make(map[string]map[string]float64, len(out[i].Usage))
		for object, names := range out[i].Usage {
			usage[object] = maps.Clone(names)
		}
		out[i].Usage = usage
	}
	return out
}
