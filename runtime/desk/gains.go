package desk

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// Gain is what happens to the ranked jobs of a user, an account, a QOS, a partition or a size.
type Gain struct {
	Name     string  `json:"name"`
	Jobs     int     `json:"jobs"`
	Up       int     `json:"up"`
	Down     int     `json:"down"`
	Mean     float64 `json:"mean"`    // ranks won by a job on average, negative if lost
	WasTop   int     `json:"was_top"` // jobs in the first part of the queue
	IsTop    int     `json:"is_top"`
	Blocked  int     `json:"blocked"`
	Released int     `json:"released"`

	won int64
}

// Gains are those of all groups, with how many jobs the first part of the queue has.
type Gains struct {
	Top    int               `json:"top"`
	Groups map[string][]Gain `json:"groups"` // by what jobs are grouped by; who wins most comes first
}

// groupings are how jobs are counted together.
var groupings = []struct {
	by string
	of func(r *evaluation.Result, job int) string
}{
	{"account", func(r *evaluation.Result, job int) string { return eval.JobText(r, "job.account", job) }},
	{"user", func(r *evaluation.Result, job int) string { return eval.JobText(r, "job.user", job) }},
	{"qos", func(r *evaluation.Result, job int) string { return eval.JobText(r, "job.qos", job) }},
	{"partition", func(r *evaluation.Result, job int) string { return eval.JobText(r, "job.partition", job) }},
	{"size", sizeOf},
}

// leastTop is the smallest first part of a queue; of a long one it is a tenth.
const leastTop = 10

// WhoGains compares two results.
func WhoGains(before, now *evaluation.Result) Gains {
	g := Gains{Top: min(max(leastTop, len(now.Order)/10), len(now.Order)), Groups: map[string][]Gain{}}
	for _, by := range groupings {
		found := map[string]*Gain{}
		for job := range now.Jobs.Rows {
			if was, is := before.Rank[job], now.Rank[job]; was > 0 || is > 0 {
				name := by.of(now, job)
				if found[name] == nil {
					found[name] = &Gain{Name: name}
				}
				found[name].add(before, now, job, g.Top)
			}
		}
		list := make([]Gain, 0, len(found))
		for _, x := range found {
			x.Mean = float64(x.won) / float64(x.Jobs)
			list = append(list, *x)
		}
		slices.SortFunc(list, func(a, b Gain) int {
			return cmp.Or(-cmp.Compare(a.Mean, b.Mean), -cmp.Compare(a.Jobs, b.Jobs), cmp.Compare(a.Name, b.Name))
		})
		g.Groups[by.by] = list
	}
	return g
}

func (g *Gain) add(before, now *evaluation.Result, job, top int) {
	was, is := before.Rank[job], now.Rank[job]
	g.Jobs++
	for _, n := range []struct {
		in    *int
		holds bool
	}{
		{&g.Up, was > 0 && is > 0 && is < was}, {&g.Down, was > 0 && is > was},
		{&g.WasTop, was > 0 && int(was) <= top}, {&g.IsTop, is > 0 && int(is) <= top},
		{&g.Blocked, newly(before, now, job, evaluation.Blocked)},
		{&g.Released, newly(before, now, job, evaluation.Eligible)},
	} {
		if n.holds {
			*n.in++
		}
	}
	if was > 0 && is > 0 {
		g.won += int64(was - is)
	}
}

// newly reports a job that may start by one policy alone, and is in this state now.
func newly(before, now *evaluation.Result, job int, state evaluation.State) bool {
	was, is := before.State[job], now.State[job]
	return is == state && was != is && was <= evaluation.Blocked
}

// sizeOf is a class of processors: 1, 2–3, 4–7 and so on.
func sizeOf(r *evaluation.Result, job int) string {
	v := r.Jobs.Value("job.procs", job)
	switch {
	case !v.Known() || v.Int < 1:
		return "unknown"
	case v.Int == 1:
		return "1 proc"
	}
	low := int64(1) << (bits.Len64(uint64(v.Int)) - 1)
	return fmt.Sprintf("%d–%d procs", low, 2*low-1)
}
