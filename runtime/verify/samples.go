package verify

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// samples are the values at some moments of the readings that move; between two of them
// values move evenly, as ages do.
type samples struct {
	at     []int64
	values [][]float64 // per moment, per reading that moves
	moving []*reading
}

// A priority bends where a job begins to accrue age. A busy site has more such moments in a
// period than are worth an evaluation each.
const (
	evenSamples = 17
	bentSamples = 64
)

// Not all moves evenly: classic fairshare jumps with what running jobs are charged. So around the
// best second of a search every second is evaluated, and the search repeated.
const (
	closeSeconds = 2
	mostSearches = 5
)

// sample evaluates over the window: evenly, where jobs begin to age, and about the last pass.
func (q *inquiry) sample(r *engine.Result) error {
	if err := q.findMoving(); err != nil {
		return err
	}
	if err := q.add(moments(r, q.window)); err != nil {
		return err
	}
	for range mostSearches {
		best := q.pass(q.readings).Time
		var near []int64
		for at := max(best-closeSeconds, q.window.from); at <= min(best+closeSeconds, q.window.to); at++ {
			if !slices.Contains(q.samples.at, at) {
				near = append(near, at)
			}
		}
		if len(near) == 0 {
			break
		}
		if err := q.add(near); err != nil {
			return err
		}
	}
	return nil
}

// findMoving tells the readings that move from those that have one value at both ends of the window and
// in the middle: most of sprio's columns do not depend on time.
func (q *inquiry) findMoving() error {
	for i, at := range []int64{q.window.from, q.window.to, (q.window.from + q.window.to) / 2} {
		r, err := q.scores(at)
		if err != nil {
			return err
		}
		for _, x := range q.readings {
			switch value := x.value(r, x.row); {
			case i == 0:
				x.sample, x.still = -1, value
			case value != x.still && !(math.IsNaN(value) && math.IsNaN(x.still)):
				x.sample = 0
			}
		}
	}
	for _, x := range q.readings {
		if x.sample == 0 {
			x.sample = len(q.samples.moving)
			q.samples.moving = append(q.samples.moving, x)
		}
	}
	return nil
}

func (q *inquiry) add(moments []int64) error {
	for _, at := range moments {
		r, err := q.scores(at)
		if err != nil {
			return err
		}
		values := make([]float64, len(q.samples.moving))
		for k, x := range q.samples.moving {
			values[k] = x.value(r, x.row)
		}
		i, _ := slices.BinarySearch(q.samples.at, at)
		q.samples.at = slices.Insert(q.samples.at, i, at)
		q.samples.values = slices.Insert(q.samples.values, i, values)
	}
	for _, x := range q.samples.moving {
		x.nearly, x.closely = q.samples.seconds(x, x.slack), nil
		if x.closely = x.nearly; x.slack != 0 {
			x.closely = q.samples.seconds(x, 0)
		}
	}
	return nil
}

func moments(r *engine.Result, w window) []int64 {
	at := []int64{w.from, w.to}
	for i := range int64(evenSamples) {
		at = append(at, w.from+(w.to-w.from)*i/(evenSamples-1))
	}
	var bends []int64
	for job := range r.Jobs.Rows {
		for _, t := range events(r, job) {
			if t > w.from && t < w.to {
				bends = append(bends, t)
			}
		}
	}
	at = append(at, spread(bends, bentSamples)...)
	slices.Sort(at)
	return slices.Compact(at)
}

// spread chooses so many of the moments, evenly in their order.
func spread(moments []int64, most int) []int64 {
	slices.Sort(moments)
	moments = slices.Compact(moments)
	n := min(len(moments), most)
	out := make([]int64, n)
	for i := range out {
		out[i] = moments[i*len(moments)/n]
	}
	return out
}

// span is a range of whole seconds, both ends in it.
type span struct{ from, to int64 }

// secondError is what a moment may be off by in its computation.
const secondError = 1e-6

// fitting are the seconds at which a reading is right but for the digits that our inputs lack; if
// strict, for none.
func (s *samples) fitting(x *reading, strict bool) []span {
	switch {
	case x.sample >= 0 && strict:
		return x.closely
	case x.sample >= 0:
		return x.nearly
	case strict && x.fits(x.still) || !strict && x.almost(x.still):
		return []span{{s.at[0], s.at[len(s.at)-1]}}
	}
	return nil
}

// seconds are those at which a reading's value lies in [low, high).
func (s *samples) seconds(x *reading, slack float64) []span {
	var out []span
	add := func(from, to int64) {
		switch n := len(out); {
		case from > to:
		case n > 0 && out[n-1].to+1 >= from:
			out[n-1].to = max(out[n-1].to, to)
		default:
			out = append(out, span{from, to})
		}
	}
	if len(s.at) == 1 && x.within(s.values[0][x.sample], slack) {
		add(s.at[0], s.at[0])
	}
	for i := 1; i < len(s.at); i++ {
		v0, v1 := s.values[i-1][x.sample], s.values[i][x.sample]
		length := float64(s.at[i] - s.at[i-1])
		slope := (v1 - v0) / length
		if slope == 0 {
			if x.within(v0, slack) {
				add(s.at[i-1], s.at[i])
			}
			continue
		}
		a, b := (x.low-slack-v0)/slope, (x.high+slack-v0)/slope
		if slope < 0 {
			a, b = b, a
		}
		from, to := math.Max(math.Ceil(a-secondError), 0), math.Min(math.Floor(b+secondError), length)
		if from <= to {
			add(s.at[i-1]+int64(from), s.at[i-1]+int64(to))
		}
	}
	return out
}

// common are the seconds in both.
func common(a, b []span) []span {
	var out []span
	for _, x := range a {
		for _, y := range b {
			if from, to := max(x.from, y.from), min(x.to, y.to); from <= to {
				out = append(out, span{from, to})
			}
		}
	}
	return out
}

// events are the times at which the priority of a job begins to change or is computed apart from
// the others.
func events(r *engine.Result, job int) []int64 {
	if job < 0 {
		return nil // an association
	}
	var out []int64
	for _, id := range eventColumns {
		if v := r.Jobs.Value(id, job); v.Known() {
			out = append(out, v.Int)
		}
	}
	return out
}
