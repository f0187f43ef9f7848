package fairshare

import (
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// WindowShares is Maui's fairshare at one moment: what each credential used, decayed, and
// what follows for its jobs.
type WindowShares struct {
	Model   *program.Windows
	Windows []Window // newest first, as many as the model's depth
	Total   float64  // all usage, decayed
	Objects [objects]ObjectShares

	ledger  *ledger
	targets [objects]targets
}

// ObjectShares are the shares of one kind of credential: of each name that has usage or a
// target of its own. Of finds those of any other name.
type ObjectShares struct {
	Object  string
	Names   []string  // those with usage first, sorted; then those with a target only
	Usage   []float64 // per name: decayed usage
	Percent []float64 // per name: of all usage; 0 without any
	Delta   []float64 // per name: what fairshare adds to the priority before weights
	Target  []int32   // per name: index into Model.Targets, or NoTarget

	codes map[string]int32
}

// Share is one credential's part.
type Share struct {
	Usage   float64 // decayed
	Percent float64
	Delta   float64
	Target  int32 // index into Model.Targets, own or DEFAULT's; NoTarget for none
}

// EvaluateWindows adds up the windows as they stand at now, which is any time within the
// current one: what keeps state between iterations gives the start of its newest window, since
// Maui opens a new one only when the iteration that crosses the boundary is over.
func EvaluateWindows(w *program.Windows, usage []snapshot.UsageWindow, now int64) *WindowShares {
	s := &WindowShares{Model: w, ledger: newLedger(w, usage, now)}
	s.Windows = s.ledger.windows
	s.evaluate()
	return s
}

func (s *WindowShares) evaluate() {
	older := 0.0
	for k := 1; k < len(s.Windows); k++ {
		older += float64(s.Windows[k].Weight * s.Windows[k].Total)
	}
	s.Total = s.Windows[0].Total + older
	for o := range s.Objects {
		s.targets[o] = targetsOf(s.Model, Objects[o])
		s.Objects[o] = s.object(o)
	}
}

// object computes the shares of one kind of credential: one pass over the windows, then one
// over the names.
func (s *WindowShares) object(o int) ObjectShares {
	table := &s.ledger.tables[o]
	n := len(table.names)
	out := ObjectShares{Object: Objects[o], Names: table.names, codes: table.codes,
		Usage: make([]float64, n), Percent: make([]float64, n), Delta: make([]float64, n), Target: make([]int32, n)}
	decayed(table.cells, s.Windows, out.Usage[:table.used])
	if s.Active() {
		for i, usage := range out.Usage {
			out.Percent[i] = s.percent(usage)
		}
	}
	others := s.targets[o].ofOthers()
	for i := range out.Target {
		out.Target[i] = others
	}
	if others != NoTarget && s.Active() {
		w := worthOf(&s.Model.Targets[others], s.Model.Ratio)
		for i, percent := range out.Percent {
			out.Delta[i] = w.of(percent)
		}
	}
	for name := range s.targets[o].own {
		i := out.codes[name]
		out.Target[i] = s.targets[o].of(name)
		out.Delta[i] = s.worth(out.Target[i], out.Percent[i])
	}
	return out
}

// Active reports whether fairshare counts at all: without any usage every factor is 0.
func (s *WindowShares) Active() bool { return s.Total > 0 }

// percent is Maui's order of operations, which decides the last bit.
func (s *WindowShares) percent(usage float64) float64 { return usage / s.Total * 100 }

// worth is what a share adds to the priority; nothing without a target or any usage.
func (s *WindowShares) worth(target int32, percent float64) float64 {
	if target == NoTarget || !s.Active() {
		return 0
	}
	w := worthOf(&s.Model.Targets[target], s.Model.Ratio)
	return w.of(percent)
}

// Of is the share of a credential, whether it has usage or not. A job without the credential,
// such as one without an account, has none.
func (s *WindowShares) Of(object int, name string) Share {
	if name == "" {
		return Share{Target: NoTarget}
	}
	o := &s.Objects[object]
	if i, ok := o.codes[name]; ok {
		return Share{Usage: o.Usage[i], Percent: o.Percent[i], Delta: o.Delta[i], Target: o.Target[i]}
	}
	target := s.targets[object].of(name)
	return Share{Target: target, Delta: s.worth(target, 0)}
}

// InWindow is what a credential used in window k, not decayed.
func (s *WindowShares) InWindow(object int, name string, k int) float64 {
	t := &s.ledger.tables[object]
	i, ok := t.codes[name]
	if cells := t.cells[k]; ok && int(i) < len(cells) {
		return cells[i]
	}
	return 0
}
