package replay

import (
	"math"
	"slices"
	"sync"
)

// Comparison is two policies on the same workload.
type Comparison struct {
	Other    *Measured
	Never    int          // jobs that the other policy never starts
	Whole    []Difference // of all jobs and of the replay as a whole
	Groups   []Difference // of each group, in the order of Measured.Groups
	Shorter  int          // jobs that start under both and wait less under this policy
	Longer   int
	Same     int
	Drawn    int // workloads that intervals are made from
	Metric   int // the place in Metrics of what groups are compared by
	Outcomes []Outcome
}

// Difference is that of a metric between two policies: this one less the other.
type Difference struct {
	Metric      int    // of Metrics
	Kind, Name  string // of a group; "" for all jobs
	Jobs        float64
	This, Other float64
	Low, High   float64 // the interval of the difference; NaN if it is unknown
}

// Change is by how much this policy has more.
func (d *Difference) Change() float64 { return d.This - d.Other }

// Sure reports a difference that is more than luck: its interval is on one side of 0.
func (d *Difference) Sure() bool { return d.Low > 0 || d.High < 0 }

// Better is 1 where this policy surely does better by the metric's goal, -1 where it surely does worse, else 0.
func (d *Difference) Better() int {
	goal := Metrics[d.Metric].Goal
	if goal == Neither || !d.Sure() {
		return 0
	}
	if (d.Low > 0) == (goal == More) {
		return 1
	}
	return -1
}

// GroupMetric is what groups are compared by.
const GroupMetric = "wait_seconds.mean"

// fewestDrawn is how many workloads must have a figure for an interval of it.
const fewestDrawn = 5

// spans is how many standard deviations an interval reaches to each side: 95 of 100, of differences that spread
// normally.
const spans = 1.96

// Against plays the other policy on the workload that this one was played on, and then both on drawn workloads (see
// Arrivals.Bootstrap): how much the difference varies over them says how much of it is luck. Up to so many are played
// at a time; progress is called as each is done.
func (c *Case) Against(other *Case, this *Result, drawn, workers int, progress func(done int)) (*Comparison, error) {
	result, there, err := other.Play()
	if err != nil {
		return nil, err
	}
	pairs, err := c.draws(other, drawn, workers, progress)
	if err != nil {
		return nil, err
	}
	return compare(this, this.Measure(this.Begin+c.WarmUp), result, there, pairs), nil
}

// Compare is two results of one workload as they are, without intervals.
func Compare(this *Result, here *Measured, other *Result, there *Measured) *Comparison {
	return compare(this, here, other, there, nil)
}

func compare(this *Result, here *Measured, other *Result, there *Measured, pairs [][2]*Measured) *Comparison {
	x := &Comparison{Other: there, Metric: FindMetric(GroupMetric), Outcomes: other.Outcomes, Drawn: len(pairs)}
	x.jobs(this.Outcomes, other.Outcomes)
	for k, m := range Metrics {
		if m.Goal == Neither {
			continue
		}
		x.Whole = append(x.Whole, difference(k, here, there, pairs, func(m *Measured) Figures { return m.All }))
	}
	for i := range here.Groups {
		g := &here.Groups[i]
		d := difference(x.Metric, here, there, pairs, func(m *Measured) Figures {
			if same := m.Group(g.Kind, g.Name); same != nil {
				return same.Figures
			}
			return nil
		})
		d.Kind, d.Name, d.Jobs = g.Kind, g.Name, g.Of("jobs")
		x.Groups = append(x.Groups, d)
	}
	return x
}

// jobs counts who waits less and who more.
func (x *Comparison) jobs(here, there []Outcome) {
	starts := map[string]*Outcome{}
	for i := range there {
		starts[there[i].ID] = &there[i]
		if there[i].By == "" {
			x.Never++
		}
	}
	for i := range here {
		o, p := &here[i], starts[here[i].ID]
		switch {
		case p == nil || o.By == "" || p.By == "":
		case o.Start < p.Start:
			x.Shorter++
		case o.Start > p.Start:
			x.Longer++
		default:
			x.Same++
		}
	}
}

// draws measures both policies on drawn workloads.
func (c *Case) draws(other *Case, drawn, workers int, progress func(done int)) ([][2]*Measured, error) {
	pairs, errs := make([][2]*Measured, drawn), make([]error, drawn)
	var wait sync.WaitGroup
	var lock sync.Mutex
	free, done := make(chan bool, max(1, workers)), 0
	base := c.Workload.Drawn(c.Arrivals, c.Seed)
	for k := range drawn {
		free <- true
		if c.Options.Context != nil && c.Options.Context.Err() != nil {
			break
		}
		wait.Go(func() {
			defer func() { <-free }()
			for side, x := range []*Case{c, other} {
				one := *x
				one.Workload, one.Arrivals, one.Seed = base, Arrivals{Bootstrap: true}, c.Seed+uint64(k)+1
				one.Options.Progress, one.Options.Log, one.Options.Resume = nil, nil, nil
				if _, pairs[k][side], errs[k] = one.Play(); errs[k] != nil {
					return
				}
			}
			lock.Lock()
			defer lock.Unlock()
			if done++; progress != nil {
				progress(done)
			}
		})
	}
	wait.Wait()
	if c.Options.Context != nil && c.Options.Context.Err() != nil {
		return nil, c.Options.Context.Err()
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// difference is that of a metric, with the interval that drawn workloads give: the difference on the workload itself,
// and to each side what its standard deviation over the drawn ones says (the bootstrap's standard error).
func difference(metric int, here, there *Measured, pairs [][2]*Measured, of func(*Measured) Figures) Difference {
	value := func(m *Measured) float64 {
		if f := of(m); f != nil {
			return f[metric]
		}
		return math.NaN()
	}
	d := Difference{Metric: metric, Jobs: here.All.Of("jobs"), This: value(here), Other: value(there), Low: math.NaN(),
		High: math.NaN()}
	var changes []float64
	for _, p := range pairs {
		if x := value(p[0]) - value(p[1]); x == x {
			changes = append(changes, x)
		}
	}
	if len(changes) < fewestDrawn || d.Change() != d.Change() {
		return d
	}
	slices.Sort(changes)
	middle, squares := mean(changes), 0.0
	for _, x := range changes {
		squares += (x - middle) * (x - middle)
	}
	reach := spans * math.Sqrt(squares/float64(len(changes)-1))
	d.Low, d.High = d.Change()-reach, d.Change()+reach
	return d
}
