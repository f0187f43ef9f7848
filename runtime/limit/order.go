package limit

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/program"
)

// The order in which Maui looks at a job's credentials and at their limits
// (seen in its messages); what Maui does not know comes last, as written.
var (
	mauiObjects = []string{"user", "group", "account", "partition", "qos", ""}
	mauiCounts  = []string{"jobs", "procs", "nodes", "proc_seconds", "processor_equivalents", "walltime"}
)

func inMauiOrder(a, b slot) int {
	place := func(list []string, x string) int {
		if i := slices.Index(list, x); i >= 0 {
			return i
		}
		return len(list)
	}
	return cmp.Or(
		cmp.Compare(place(mauiObjects, a.object), place(mauiObjects, b.object)),
		cmp.Compare(len(a.per), len(b.per)),
		cmp.Compare(place(mauiCounts, a.counts), place(mauiCounts, b.counts)))
}

// reached are the credentials whose limits an override replaces: all of the job's, class and
// account as well (recorded for active limits: t12). So it is with limits of idle jobs, also where a
// credential has none and DEFAULT's would not reach it; this is inferred, as no recording has OMAXI… One on
// the size of a job replaces the system's limit.
func reached(l *program.Limit) []string {
	switch {
	case l.Reach != nil:
		return l.Reach
	case l.Phase == Job:
		return []string{""}
	}
	return mauiObjects[:5]
}
