package replay

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Metrics are what a replay comes to, of all its jobs or of those of one credential. Seconds and ratios of jobs that
// started; unknown ones are NaN.
type Metrics struct {
	Jobs    int
	Started int

	Wait     Spread // seconds from submission to start
	Slowdown Spread // bounded slowdown, see BoundSeconds

	ProcSeconds float64 // processors times seconds of the jobs
}

// Spread are the figures of a distribution.
type Spread struct{ Mean, Median, P95, Max float64 }

// BoundSeconds bounds the slowdown of short jobs: (wait + run) / max(run, bound), at least 1 (Feitelson and others).
const BoundSeconds = 10

// Machine are the figures of a replay as a whole.
type Machine struct {
	MakespanSeconds int64   // from the first submission to the last end
	Utilisation     float64 // busy processors over all, while any job waited or ran; NaN where no size is known
	PerHour         float64 // jobs that ended
}

// Group is a credential's part.
type Group struct {
	Kind, Name string
	Metrics
}

// Measured are the figures of a replay.
type Measured struct {
	From int64 // epoch seconds: jobs that were submitted before are played and not counted (warm-up)
	Metrics
	Machine
	Groups []Group // by kind, in the order of kinds, then by name
}

// kinds are what jobs are grouped by.
var kinds = []struct {
	name string
	of   func(o *Outcome) string
}{
	{"user", func(o *Outcome) string { return o.User }},
	{"account", func(o *Outcome) string { return o.Account }},
	{"qos", func(o *Outcome) string { return o.QOS }},
	{"partition", func(o *Outcome) string { return o.Partition }},
	{"size", func(o *Outcome) string { return sizeClass(o.Procs) }},
}

// sizeClass is the class of a number of processors: by powers of two.
func sizeClass(procs int64) string {
	if procs <= 1 {
		return "1"
	}
	top := int64(2)
	for top < procs {
		top *= 2
	}
	if top == 2 {
		return "2"
	}
	return strconv.FormatInt(top/2+1, 10) + "-" + strconv.FormatInt(top, 10)
}

// Measure works out the figures of the jobs that were submitted from a time on.
func (r *Result) Measure(from int64) *Measured {
	m := &Measured{From: from}
	var all []*Outcome
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; o.Submit >= from {
			all = append(all, o)
		}
	}
	m.Metrics, m.Machine = measure(all), r.machine(from)
	for _, kind := range kinds {
		groups, smallest := map[string][]*Outcome{}, map[string]int64{}
		for _, o := range all {
			name := kind.of(o)
			groups[name] = append(groups[name], o)
			smallest[name] = o.Procs
		}
		names := make([]string, 0, len(groups))
		for name := range groups {
			if name != "" {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, func(a, b string) int {
			if kind.name == "size" {
				return cmp.Compare(smallest[a], smallest[b])
			}
			return cmp.Compare(a, b)
		})
		for _, name := range names {
			m.Groups = append(m.Groups, Group{kind.name, name, measure(groups[name])})
		}
	}
	return m
}

func measure(list []*Outcome) Metrics {
	m := Metrics{Jobs: len(list)}
	var waits, slowdowns []float64
	for _, o := range list {
		if o.By == "" {
			continue
		}
		m.Started++
		wait, ran := float64(o.Wait()), float64(o.End-o.Start)
		m.ProcSeconds += float64(o.Procs) * ran
		waits, slowdowns = append(waits, wait), append(slowdowns, Slowdown(wait, ran))
	}
	m.Wait, m.Slowdown = spread(waits), spread(slowdowns)
	return m
}

// Wait is how long a job waited, in seconds.
func (o *Outcome) Wait() int64 { return o.Start - o.Submit }

// Slowdown is the bounded slowdown of a job.
func Slowdown(wait, ran float64) float64 { return max(1, (wait+ran)/max(ran, BoundSeconds)) }

// spread are the figures of a list, which it sorts. The 95th percentile is the smallest entry that 95 of 100 are not
// above.
func spread(list []float64) Spread {
	if len(list) == 0 {
		return Spread{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(list)
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	n := len(list)
	return Spread{sum / float64(n), (list[(n-1)/2] + list[n/2]) / 2, list[int(math.Ceil(0.95*float64(n)))-1], list[n-1]}
}

// machine works out what the whole machine did from a time on.
func (r *Result) machine(from int64) Machine {
	from = max(from, r.Begin)
	type edge struct {
		at          int64
		procs, jobs int64 // that become busy, and that come
	}
	var edges []edge
	ended := 0
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.By == "" {
			continue // it waits for ever, which is no work
		}
		if o.End >= from {
			ended++
		}
		edges = append(edges, edge{o.Submit, 0, 1}, edge{o.Start, o.Procs, 0}, edge{o.End, -o.Procs, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var busy, jobs, work, last int64
	used := 0.0
	for _, e := range edges {
		if at := max(e.at, from); jobs > 0 && at > last {
			work += at - last
			used += float64(busy) * float64(at-last)
		}
		last = max(e.at, from)
		busy, jobs = busy+e.procs, jobs+e.jobs
	}
	m := Machine{MakespanSeconds: max(0, r.End-from), Utilisation: math.NaN(), PerHour: math.NaN()}
	if r.Procs > 0 && work > 0 {
		m.Utilisation = used / (float64(r.Procs) * float64(work))
	}
	if m.MakespanSeconds > 0 {
		m.PerHour = float64(ended) * 3600 / float64(m.MakespanSeconds)
	}
	return m
}
