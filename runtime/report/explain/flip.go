package explain

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// flip is a change of one weight that puts the second job before the first.
type flip struct {
	Weight string  `json:"weight"` // parameter if there is one, else component or term
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Capped bool    `json:"past_cap"` // a component's cap bends the way there
	Place  string  `json:"source" form:"ornull"`
}

// knob is one weight and how the two scores follow it: the score of a job
// grows by the component's weight times what the step adds to its capped sum.
type knob struct {
	weight quantity
	name   string
	ends   [2]knobEnd
	whole  bool // the weight is of a component: its sum is fixed
}

// knobEnd is one of the two jobs as the knob moves it.
type knobEnd struct {
	sum, limit float64 // of the component; limit 0 is no cap
	outer      float64 // component weight
	factor     float64 // capped factor of the term
}

// shift is what a change of the weight by d adds to the score.
func (k *knob) shift(job int, d float64) float64 {
	e := k.ends[job]
	if k.whole {
		return d * capOf(e.sum, e.limit)
	}
	return e.outer * (capOf(e.sum+d*e.factor, e.limit) - capOf(e.sum, e.limit))
}

// bends lists the changes at which a cap begins or ceases to hold.
func (k *knob) bends() []float64 {
	var out []float64
	for _, e := range k.ends {
		if !k.whole && e.limit > 0 && e.factor != 0 {
			out = append(out, (e.limit-e.sum)/e.factor)
		}
	}
	return out
}

func capOf(x, limit float64) float64 {
	if limit > 0 {
		return min(x, limit)
	}
	return x
}

// mostFlips is how many ways to turn the order round are kept, nearest first.
const mostFlips = 3

// findFlips looks for the smallest change of each weight that turns the order
// round, smallest in proportion to the weight first. Without one it says why.
func findFlips(r *evaluation.Result, first, second int, rule evaluation.OrderRule) ([]flip, string) {
	switch {
	case rule.Name == notRanked:
		return nil, "they are not in one queue, so no weight changes it"
	case rule.Name != "priority" && !rule.Tie:
		return nil, "the " + rule.Name + " decides, so no weight changes it"
	}
	rows := [2]int{int(r.RankRow[first]), int(r.RankRow[second])}
	ties := secondWinsTies(r, first, second)
	others := otherEntries(r, first, rows, ties)
	for _, row := range append(rowsOf(others), rows[:]...) {
		if f := finishOf(r, row); f.Rule == "override" || f.Rule == "bound" {
			return nil, "a priority is " + strings.TrimSuffix(f.text, ".") + ", so no weight changes it"
		}
	}
	race := newRace(r, rows, ties)
	var flips []flip
	stays := false // in another partition, for a weight that would do
	for _, k := range knobs(r, rows) {
		f, ok := race.solve(&k)
		switch {
		case ok && slices.ContainsFunc(others, func(e entry) bool { return !e.flipped(&k, f) }):
			stays = true
		case ok:
			flips = append(flips, f)
		}
	}
	slices.SortStableFunc(flips, func(a, b flip) int {
		return cmp.Or(cmp.Compare(a.proportion(), b.proportion()),
			cmp.Compare(math.Abs(a.To-a.From), math.Abs(b.To-b.From)))
	})
	if len(flips) > 0 {
		return flips[:min(mostFlips, len(flips))], ""
	}
	why := "no change of one weight turns it round while weights keep their sign"
	if stays {
		why = "what would turn it round in one partition leaves the first before in another"
	}
	if held := cappedComponents(r, rows); len(held) > 0 {
		why += "; caps hide the weights of " + form.Joined(held)
	}
	return nil, why
}

// entry is the first job's row in another of its partitions, against the second.
type entry struct {
	row   int
	race  *race
	knobs []knob
}

// otherEntries lists the entries of the first job that could keep its place when the one that
// ranks it falls back: those of the same tier. Lower tiers come later anyway.
func otherEntries(r *evaluation.Result, first int, rows [2]int, ties bool) []entry {
	var out []entry
	row, end := r.Entries(first)
	for ; row < end; row++ {
		if row == rows[0] || !r.Queued.Get(row) || r.Tier(row) < r.Tier(rows[0]) {
			continue
		}
		both := [2]int{row, rows[1]}
		out = append(out, entry{row, newRace(r, both, ties), knobs(r, both)})
	}
	return out
}

func rowsOf(entries []entry) []int {
	rows := make([]int, len(entries))
	for i := range entries {
		rows[i] = entries[i].row
	}
	return rows
}

// flipped reports whether the second job comes before this entry too once the weight is
// changed. A weight without a knob here moves nothing here.
func (e *entry) flipped(like *knob, f flip) bool {
	k := &knob{whole: true}
	if i := slices.IndexFunc(e.knobs, func(k knob) bool { return k.name == like.name && k.whole == like.whole }); i >= 0 {
		k = &e.knobs[i]
	}
	return e.race.flipped(k, f.To-f.From)
}

// cappedComponents lists the components whose cap holds for either job.
func cappedComponents(r *evaluation.Result, rows [2]int) []string {
	var names []string
	for i := range r.Sums {
		if s := &r.Sums[i]; eval.SumCapped(s, rows[0]) || eval.SumCapped(s, rows[1]) {
			names = append(names, r.Program.Components[s.Component].Name)
		}
	}
	return names
}

func (f *flip) proportion() float64 {
	if f.From == 0 {
		return math.Inf(1)
	}
	return math.Abs((f.To - f.From) / f.From)
}

// knobs lists the weights of the two jobs. A weight of 1 or -1 that nothing set is
// how the formula is built, not a setting; through a component with a
// failed term nothing is known to move.
func knobs(r *evaluation.Result, rows [2]int) []knob {
	var out []knob
	for c := range r.Sums {
		s := &r.Sums[c]
		comp := &r.Program.Components[s.Component]
		if eval.SumFailed(r, s, rows[0]) || eval.SumFailed(r, s, rows[1]) {
			continue
		}
		k := knob{name: comp.Name, whole: true, weight: quantityAt(s.Weight, rows[0], comp.Weight)}
		for i, row := range rows {
			k.ends[i].sum, _ = eval.At(s.Sum, row)
			k.ends[i].outer, _ = eval.At(s.Weight, row)
			k.ends[i].limit = capAt(s.Cap, row, comp.Cap).limit()
		}
		out = append(out, k)
		for t := range r.Terms {
			if term := &r.Terms[t]; term.Component == s.Component {
				inner := k
				inner.whole = false
				inner.name = eval.TermName(r.Program, term)
				inner.weight = quantityAt(term.Weight, rows[0], eval.TermOf(r.Program, term).Weight)
				for i, row := range rows {
					inner.ends[i].factor = eval.CappedFactor(term, row)
				}
				out = append(out, inner)
			}
		}
	}
	return slices.DeleteFunc(out, func(k knob) bool {
		built := math.Abs(k.weight.value) == 1 && len(k.weight.sources) == 0
		return !k.weight.known || built
	})
}

func (q quantity) limit() float64 {
	if q.known {
		return q.value
	}
	return 0
}
