package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// Series is what the machine and the queue did over time, in intervals of the same length.
type Series struct {
	Begin, StepSeconds int64

	Busy   []float64 // processors, mean of the interval
	Queued []float64 // jobs that wait, mean of the interval
	Age    []float64 // seconds that those waiting at its end have waited, mean; 0 where none waits
	Oldest []float64 // seconds that the one has waited that has waited longest
	Shares []ShareSeries
}

// ShareSeries is the part of what is used that a credential uses.
type ShareSeries struct {
	Kind, Name string
	Target     float64   // NaN for none
	Used       []float64 // of all processor seconds of the interval; NaN where none ran
	All        []float64 // of all from the begin to the interval's end
}

// steps are lengths of intervals that people read easily, in seconds.
var steps = []int64{1, 5, 15, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600, 7 * 24 * 3600,
	28 * 24 * 3600}

// mostIntervals and mostShares bound a series.
const (
	mostIntervals = 600
	mostShares    = 100
)

// series cuts the time that was played into intervals.
func (r *Result) series(shares []Share) *Series {
	span := max(1, r.End-r.Begin)
	step := steps[len(steps)-1]
	for _, s := range steps {
		if span/s < mostIntervals {
			step = s
			break
		}
	}
	n := int((span + step - 1) / step)
	s := &Series{Begin: r.Begin, StepSeconds: step, Busy: make([]float64, n), Queued: make([]float64, n),
		Age: make([]float64, n), Oldest: make([]float64, n)}
	waiting := make([]float64, n)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		until := r.End
		if o.By != "" {
			until = o.Start
		}
		for _, run := range o.Runs() {
			s.spread(s.Busy, run.Start, run.End, float64(o.Procs))
		}
		for _, run := range o.Earlier {
			s.spread(s.Queued, run.Start, run.End, -1)
		}
		s.spread(s.Queued, o.Submit, until, 1)
		for k := max(0, (o.Submit-s.Begin+step-1)/step-1); k < int64(n) && s.Begin+(k+1)*step < until; k++ {
			age := float64(s.Begin + (k+1)*step - o.Submit)
			s.Age[k] += age
			s.Oldest[k] = max(s.Oldest[k], age)
			waiting[k]++
		}
	}
	for k := range n {
		if waiting[k] > 0 {
			s.Age[k] /= waiting[k]
		}
	}
	s.Shares = r.shareSeries(s, shares)
	last := float64(span-int64(n-1)*step) / float64(step) // the last interval may be shorter
	s.Busy[n-1] /= last
	s.Queued[n-1] /= last
	return s
}

// spread adds an amount that lasts from a time to another to the means of intervals.
func (s *Series) spread(to []float64, from, until int64, amount float64) {
	from = max(from, s.Begin)
	for k := (from - s.Begin) / s.StepSeconds; k < int64(len(to)); k++ {
		begin := s.Begin + k*s.StepSeconds
		if begin >= until {
			return
		}
		to[k] += amount * float64(min(until, begin+s.StepSeconds)-max(from, begin)) / float64(s.StepSeconds)
	}
}

// shareSeries are the parts of accounts, of users where jobs have no accounts, and of all credentials with targets.
func (r *Result) shareSeries(s *Series, targets []Share) (list []ShareSeries) {
	type key struct{ kind, name string }
	used := map[key][]float64{}
	usual := "user"
	for i := range r.Outcomes {
		if r.Outcomes[i].Account != "" {
			usual = "account"
		}
	}
	wanted := map[key]float64{}
	for _, t := range targets {
		wanted[key{t.Kind, t.Name}] = t.Target
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		runs := o.Runs()
		if len(runs) == 0 {
			continue
		}
		for _, kind := range kinds {
			k := key{kind.name, kind.of(o)}
			if _, target := wanted[k]; k.name == "" || !target && k.kind != usual {
				continue
			}
			if used[k] == nil {
				used[k] = make([]float64, len(s.Busy))
			}
			for _, run := range runs {
				s.spread(used[k], run.Start, run.End, float64(o.Procs))
			}
		}
	}
	total := map[key]float64{}
	names := make([]key, 0, len(used))
	for k, list := range used {
		names = append(names, k)
		for _, x := range list {
			total[k] += x
		}
	}
	slices.SortFunc(names, func(a, b key) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	for _, k := range names[:min(len(names), mostShares)] {
		x := ShareSeries{Kind: k.kind, Name: k.name, Target: math.NaN(), Used: used[k],
			All: make([]float64, len(s.Busy))}
		if t, ok := wanted[k]; ok {
			x.Target = t
		}
		sum, all := 0.0, 0.0
		for i, part := range x.Used {
			sum, all = sum+part, all+s.Busy[i]
			x.All[i], x.Used[i] = sum/all, part/s.Busy[i] // 0/0 is NaN: nothing ran
		}
		list = append(list, x)
	}
	return list
}

// shares are what credentials with a target have used from a time on, as the policy that was played states targets: a
// part of the usage of all.
func (r *Result) shares(from int64) (list []Share) {
	all := 0.0
	used := map[[2]string]float64{}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		amount := 0.0
		for _, run := range o.Runs() {
			amount += float64(o.Procs) * float64(max(0, run.End-max(run.Start, from, r.Begin)))
		}
		all += amount
		for _, kind := range kinds {
			used[[2]string{kind.name, kind.of(o)}] += amount
		}
	}
	for _, t := range r.targets() {
		t.Used = used[[2]string{t.Kind, t.Name}] / all
		list = append(list, t)
	}
	return list
}

// targets are the shares that the policy aims at: the accounts of a tree, or the targets of windows, of credentials
// that jobs have.
func (r *Result) targets() (list []Share) {
	if r.last == nil {
		return nil
	}
	if t := r.last.Tree; t != nil {
		accounts := r.names("account")
		for node := 1; node < t.Tree.Len(); node++ {
			a, norm := &t.Tree.Associations[node], t.Factors().NormShares[node]
			if _, used := slices.BinarySearch(accounts, a.Account); used && a.User == "" && norm > 0 {
				list = append(list, Share{"account", a.Account, norm, math.NaN()})
			}
		}
	}
	if s := r.last.Windows; s != nil {
		for object, kind := range fairshare.Objects {
			for _, name := range r.names(kind) {
				share := s.Of(object, name)
				if share.Target == fairshare.NoTarget {
					continue
				}
				if t := &s.Model.Targets[share.Target]; !t.Caps() && t.Value > 0 {
					list = append(list, Share{kind, name, t.Value / 100, math.NaN()})
				}
			}
		}
	}
	return list
}

// names are those of a kind that jobs have.
func (r *Result) names(kind string) (names []string) {
	for _, k := range kinds {
		if k.name != kind {
			continue
		}
		for i := range r.Outcomes {
			names = append(names, k.of(&r.Outcomes[i]))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}
