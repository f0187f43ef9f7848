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

// resize makes room for n names, what was there before if it fits.
func (o *ObjectShares) resize(n int) {
	if len(o.Usage) != n {
		columns := make([]float64, 3*n)
		o.Usage, o.Percent, o.Delta = columns[:n:n], columns[n:2*n:2*n], columns[2*n:]
		o.Target = make([]int32, n)
	}
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
		s.object(o)
	}
}

// object computes the shares of one kind of credential, block by block: while the sums are at hand,
// what follows from them.
func (s *WindowShares) object(o int) {
	table, out := &s.ledger.tables[o], &s.Objects[o]
	out.Object, out.Names, out.codes = Objects[o], table.names, table.codes
	out.resize(len(table.names))
	others := s.targets[o].ofOthers()
	value := worth{} // nothing, without a target or any usage
	if others != NoTarget && s.Active() {
		value = worthOf(&s.Model.Targets[others], s.Model.Ratio)
	}
	sums := newDecay(table.cells, s.Windows)
	for from := 0; from < len(table.names); from += blockRows {
		to := min(from+blockRows, len(table.names))
		usage, percent := out.Usage[from:to], out.Percent[from:to]
		used := max(min(to, table.used), from) - from // how many of them have usage
		if used > 0 {                                 // blocks of names with a target only have no cells
			sums.sum(usage[:used], from)
		}
		clear(usage[used:])
		value.ofUsage(out.Delta[from:to], percent, usage, s.Total)
	}
	for i := range out.Target {
		out.Target[i] = others
	}
	for name := range s.targets[o].own {
		i := out.codes[name]
		out.Target[i] = s.targets[o].of(name)
		out.Delta[i] = s.worth(out.Target[i], out.Percent[i])
	}
}

// Active reports whether fairshare counts at all: without any usage every factor is 0.
func (s *WindowShares) Active() bool { return s.Total > 0 }

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
