package lower

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/stdlib"
)

// mauiLimits maps throttles to what they count and when. Only what Maui
// enforces is here; the table of attributes says so of each.
var mauiLimits = map[string]struct{ counts, phase string }{
	"MAXJOB": {"jobs", "active"}, "MAXPROC": {"procs", "active"}, "MAXNODE": {"nodes", "active"}, "MAXPS": {"proc_seconds", "active"},
	"MAXPE": {"pe", "active"}, "MAXWC": {"walltime", "active"},
	"MAXIJOB": {"jobs", "idle"}, "MAXIPROC": {"procs", "idle"}, "MAXINODE": {"nodes", "idle"}, "MAXIPS": {"proc_seconds", "idle"},
	"MAXIPE": {"pe", "idle"}, "MAXIWC": {"walltime", "idle"},
	"OMAXJOB": {"jobs", "active"}, "OMAXPROC": {"procs", "active"}, "OMAXNODE": {"nodes", "active"}, "OMAXPS": {"proc_seconds", "active"},
	"OMAXPE": {"pe", "active"}, "OMAXWC": {"walltime", "active"},
	"OMAXIJOB": {"jobs", "idle"}, "OMAXIPROC": {"procs", "idle"}, "OMAXINODE": {"nodes", "idle"}, "OMAXIPS": {"proc_seconds", "idle"},
	"OMAXIPE": {"pe", "idle"}, "OMAXIWC": {"walltime", "idle"},
	"MAXJOBPERUSER": {"jobs", "active"}, "MAXPROCPERUSER": {"procs", "active"}, "MAXNODEPERUSER": {"nodes", "active"},
	"MAX.WCLIMIT": {"walltime", "job"}, "MAXNODEPERJOB": {"nodes", "job"}, "MAXPROCPERJOB": {"procs", "job"},
}

func (f *front) mauiLimit(o *mauicfg.Object, object string, a mauicfg.Attr) {
	what, ok := mauiLimits[a.Name]
	if !ok || !enforced(o.Family, a.Name) {
		return
	}
	soft, hard := float64(a.Value.Soft), float64(a.Value.Hard)
	if a.Value.Kind != mauicfg.KindLimit {
		soft, hard = float64(a.Value.Int), float64(a.Value.Int)
	}
	if hard == 0 {
		return // no own limit, whatever the soft number says (MPolicyGetLimit)
	}
	per := []string{object}
	if a.Sub == "USER" || a.Name == "MAXJOBPERUSER" || a.Name == "MAXPROCPERUSER" || a.Name == "MAXNODEPERUSER" {
		per = []string{object, "user"}
	}
	f.limits = append(f.limits, ir.Limit{Name: a.Name, Object: object, Row: o.Index, Counts: what.counts, Per: per,
		Phase: what.phase, Soft: &soft, Hard: &hard, Span: a.Span})
}

// enforced asks the attribute table whether Maui acts on a limit.
func enforced(family, attr string) bool {
	for _, p := range stdlib.MauiAttributes.Params() {
		if p.Record == family && p.Name == attr {
			return p.Effective == "yes" || p.Effective == "limited" || p.Effective == "own-entry-only"
		}
	}
	return false
}
