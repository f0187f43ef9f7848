package replay

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Measured are the figures of a replay.
type Measured struct {
	From   int64 // epoch seconds: jobs that were submitted before are played and not counted (warm-up)
	All    Figures
	Groups []Group // by kind, in the order of kinds, then by name
	Shares []Share // of the credentials with a target
	Series *Series
}

// Figures are what Metrics come to, in their order; NaN where they are unknown.
type Figures []float64

// Group is a credential's part, or that of a class of sizes.
type Group struct {
	Kind, Name string
	Figures
}

// Of is one of the figures by its name in Metrics.
func (f Figures) Of(name string) float64 {
	if at := FindMetric(name); at >= 0 {
		return f[at]
	}
	return math.NaN()
}

// Group is that of a kind and a name; nil if no job is of it.
func (m *Measured) Group(kind, name string) *Group {
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Kind == kind && g.Name == name {
			return g
		}
	}
	return nil
}

// Share is what a credential with a target has used.
type Share struct {
	Kind, Name string
	Target     float64 // of all usage, 0 to 1
	Used       float64 // likewise; NaN where nothing was used
}

// kinds are what jobs are grouped by.
var kinds = []struct {
	name string
	of   func(o *Outcome) string
}{
	{"user", func(o *Outcome) string { return o.User }},
	{"group", func(o *Outcome) string { return o.Group }},
	{"account", func(o *Outcome) string { return o.Account }},
	{"qos", func(o *Outcome) string { return o.QOS }},
	{"partition", func(o *Outcome) string { return o.Partition }},
	{"size", func(o *Outcome) string { return sizeClass(o.Procs) }},
}

// Kinds are what jobs are grouped by.
func Kinds() (names []string) {
	for _, kind := range kinds {
		names = append(names, kind.name)
	}
	return names
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
	var counted []int
	for i := range r.Outcomes {
		if r.counts(&r.Outcomes[i], from) {
			counted = append(counted, i)
		}
	}
	passed := r.overtaken()
	m.Shares = r.shares(from)
	whole := r.sample(counted, passed)
	whole.from, whole.shares, whole.result = max(from, r.Begin), m.Shares, r
	whole.machine()
	m.All = whole.figures(true)
	for _, kind := range kinds {
		groups, smallest := map[string][]int{}, map[string]int64{}
		for _, i := range counted {
			name := kind.of(&r.Outcomes[i])
			groups[name] = append(groups[name], i)
			smallest[name] = r.Outcomes[i].Procs
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
			m.Groups = append(m.Groups, Group{kind.name, name, r.sample(groups[name], passed).figures(false)})
		}
	}
	m.Series = r.series(m.Shares)
	return m
}

// counts reports a job that figures are made of. Without a warm-up that is every job but those that ran already.
func (r *Result) counts(o *Outcome, from int64) bool {
	return o.By != backfill.ByRunning && (o.Submit >= from || from <= r.Begin)
}

// sample is the jobs that figures are made from, all or a group, and what metrics read of them.
type sample struct {
	jobs []*Outcome

	// of those that started, sorted
	waits, slowdowns []float64
	times, overtaken []float64 // of those that were overtaken: how often, and how many seconds they still waited

	procSeconds, backfilled, starved float64

	// of a replay as a whole
	result               *Result
	from                 int64
	shares               []Share
	utilisation, perHour float64
	queueMean, queueMax  float64
}

// sample reads some of the outcomes.
func (r *Result) sample(list []int, passed []overtaking) *sample {
	s := &sample{jobs: make([]*Outcome, len(list))}
	for k, i := range list {
		o := &r.Outcomes[i]
		s.jobs[k] = o
		p := passed[i]
		for _, run := range o.Runs() {
			s.procSeconds += float64(o.Procs) * float64(run.End-run.Start)
		}
		if o.By == "" {
			s.starved++
			continue
		}
		wait, ran := float64(o.Wait()), float64(o.End-o.Start)
		s.waits, s.slowdowns = append(s.waits, wait), append(s.slowdowns, Slowdown(wait, ran))
		if o.By == backfill.ByBackfill {
			s.backfilled++
		}
		if p.times == 0 {
			continue
		}
		s.times, s.overtaken = append(s.times, float64(p.times)), append(s.overtaken, float64(o.Start-p.first))
		if wait > starveSeconds && wait > starveFactor*float64(cmp.Or(o.Limit, o.Seconds)) {
			s.starved++
		}
	}
	for _, list := range [][]float64{s.waits, s.slowdowns, s.times, s.overtaken} {
		slices.Sort(list)
	}
	return s
}

// A job that was overtaken starves once it has waited for more than a day and more than ten times its limit.
const (
	starveSeconds = 24 * 3600
	starveFactor  = 10
)

func (s *sample) figures(whole bool) Figures {
	f := make(Figures, len(Metrics))
	for i := range Metrics {
		if f[i] = math.NaN(); whole || !Metrics[i].Whole {
			f[i] = Metrics[i].of(s)
		}
	}
	return f
}

// Wait is how long a job waited, in seconds.
func (o *Outcome) Wait() int64 { return o.Start - o.Submit }

// BoundSeconds bounds the slowdown of short jobs: (wait + run) / max(run, bound), at least 1 (Feitelson and others).
const BoundSeconds = 10

// Slowdown is the bounded slowdown of a job.
func Slowdown(wait, ran float64) float64 { return max(1, (wait+ran)/max(ran, BoundSeconds)) }

func (s *sample) makespan() float64 { return float64(max(0, s.result.End-s.from)) }

// machine works out what the whole machine did from a time on.
func (s *sample) machine() {
	type edge struct {
		at                   int64
		procs, jobs, waiting int64 // that become busy, that come, and that wait
	}
	var edges []edge
	ended := 0.0
	for i := range s.result.Outcomes {
		o := &s.result.Outcomes[i]
		for _, run := range o.Earlier { // it works, and waits again
			edges = append(edges, edge{run.Start, o.Procs, 0, -1}, edge{run.End, -o.Procs, 0, 1})
		}
		if o.By == "" {
			edges = append(edges, edge{o.Submit, 0, 0, 1}) // it waits for ever, which is no work
			continue
		}
		if o.End >= s.from {
			ended++
		}
		edges = append(edges, edge{o.Submit, 0, 1, 1}, edge{o.Start, o.Procs, 0, -1}, edge{o.End, -o.Procs, -1, 0})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	var busy, jobs, waiting, work, last int64
	used, queued := 0.0, 0.0
	for i, e := range edges {
		if at := min(max(e.at, s.from), s.result.End); at > last && i > 0 {
			queued += float64(waiting) * float64(at-last)
			if jobs > 0 {
				work += at - last
				used += float64(busy) * float64(at-last)
			}
		}
		last = max(e.at, s.from)
		busy, jobs, waiting = busy+e.procs, jobs+e.jobs, waiting+e.waiting
		if e.at >= s.from && (i+1 == len(edges) || edges[i+1].at > e.at) {
			s.queueMax = max(s.queueMax, float64(waiting))
		}
	}
	s.utilisation, s.perHour, s.queueMean = math.NaN(), math.NaN(), math.NaN()
	if s.result.Procs > 0 && work > 0 {
		s.utilisation = used / (float64(s.result.Procs) * float64(work))
	}
	if span := s.makespan(); span > 0 {
		s.perHour, s.queueMean = ended*3600/span, queued/span
	}
}

// jainUsers is the index of users' mean slowdowns.
func (s *sample) jainUsers() float64 {
	sum, count := map[string]float64{}, map[string]float64{}
	var users []string
	for _, o := range s.jobs {
		if o.By == "" || o.User == "" {
			continue
		}
		if count[o.User] == 0 {
			users = append(users, o.User)
		}
		sum[o.User] += Slowdown(float64(o.Wait()), float64(o.End-o.Start))
		count[o.User]++
	}
	var means []float64
	for _, user := range users {
		means = append(means, sum[user]/count[user])
	}
	return jain(means)
}

// jainShares is the index of what credentials with a target have used of it.
func (s *sample) jainShares() float64 {
	var parts []float64
	for _, share := range s.shares {
		if share.Target > 0 && share.Used == share.Used {
			parts = append(parts, share.Used/share.Target)
		}
	}
	return jain(parts)
}

func (s *sample) shareGap() float64 {
	var gaps []float64
	for _, share := range s.shares {
		if share.Used == share.Used {
			gaps = append(gaps, math.Abs(share.Used-share.Target))
		}
	}
	return mean(gaps)
}
