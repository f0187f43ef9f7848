package limit

import "fmt"

// MauiText is how Maui words a violation in checkjob and diagnose -q, after "job NAME ":
//
//	violates active SOFT MAXJOB limit of 2 for user dan  (R: 1, U: 2)
//
// partition is the node partition a system limit was asked for: ALL in the queue walk, the
// partition's name in diagnose. The blank after the name is that of the cross-credential
// word, which is empty for most limits.
func (v Violation) MauiText(partition string) string {
	phase, object, name, cross := v.Phase, v.Object, v.Name, ""
	if o, ok := mauiObjectWord[object]; ok {
		object = o
	}
	if len(v.Per) > 1 {
		cross = v.Per[1]
	}
	if v.Phase == Job {
		phase = "system"
	}
	if v.Object == "" {
		object, name = "par", partition
	}
	return fmt.Sprintf("violates %s %s %s limit of %d for %s %s %s (R: %d, U: %d)",
		phase, mauiBoundWord[v.Bound], MauiCount(v.Counts), v.Value, object, name, cross, v.Request, v.InUse)
}

var (
	mauiObjectWord = map[string]string{"account": "acct", "partition": "class"}
	mauiBoundWord  = [...]string{"SOFT", "HARD"}
	mauiCountWord  = map[string]string{"jobs": "MAXJOB", "procs": "MAXPROC", "nodes": "MAXNODE", "proc_seconds": "MAXPS",
		"processor_equivalents": "MAXPE", "walltime": "MAXWC", "memory": "MAXMEM"}
)

// MauiCount is the name under which Maui reports what is counted, whatever the phase.
func MauiCount(counts string) string {
	if w, ok := mauiCountWord[counts]; ok {
		return w
	}
	return counts
}

// MauiLoadText is the message of a job that CheckLoaded refuses.
func (v Violation) MauiLoadText() string {
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
