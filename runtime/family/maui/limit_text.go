package maui

import (
	"fmt"

	"github.com/fairway-sched/fairway/runtime/limit"
)

// LimitText is how Maui words a violation in checkjob and diagnose -q, after "job NAME ":
//
//	violates active SOFT MAXJOB limit of 2 for user dan  (R: 1, U: 2)
//
// partition is the node partition a system limit was asked for: ALL in the queue walk, the
// partition's name in diagnose. The blank after the name is that of the cross-credential
// word, which is empty for most limits.
func LimitText(v *limit.Violation, partition string) string {
	phase, object, name, cross := v.Phase, v.Object, v.Name, ""
	if o, ok := limitObject[object]; ok {
		object = o
	}
	if len(v.Per) > 1 {
		cross = v.Per[1]
	}
	if v.Phase == limit.Job {
		phase = "system"
	}
	if v.Object == "" {
		object, name = "par", partition
	}
	return fmt.Sprintf("violates %s %s %s limit of %d for %s %s %s (R: %d, U: %d)",
		phase, limitBound[v.Bound], limitCount(v.Counts), v.Value, object, name, cross, v.Request, v.InUse)
}

var (
	limitObject = map[string]string{"account": "acct", "partition": "class"}
	limitBound  = [...]string{"SOFT", "HARD"}
	limitCounts = map[string]string{"jobs": "MAXJOB", "procs": "MAXPROC", "nodes": "MAXNODE", "proc_seconds": "MAXPS",
		"processor_equivalents": "MAXPE", "walltime": "MAXWC", "memory": "MAXMEM"}
)

// limitCount is the name under which Maui reports what is counted, whatever the phase.
func limitCount(counts string) string {
	if w, ok := limitCounts[counts]; ok {
		return w
	}
	return counts
}

// LoadText is the message of a job that CheckLoaded refuses.
func LoadText(v *limit.Violation) string {
	what := v.Counts
	if what == "walltime" {
		what = "wclimit"
	}
	switch {
	case v.Object == "":
		return "job violates system max wclimit"
	case v.Request < v.Value: // MINPROC, which only the manual knows
		return fmt.Sprintf("%s too low (%d < %d)", what, v.Request, v.Value)
	}
	return fmt.Sprintf("%s too high (%d > %d)", what, v.Request, v.Value)
}
