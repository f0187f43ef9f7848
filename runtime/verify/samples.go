package verify

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// samples are the values of readings at some moments; between two of these values move evenly, as ages do.
type samples struct {
	readings []*reading
	moving   []*reading // those that do not have one value always
	at       []int64
	values   [][]float64 // per moment, per reading that moves
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

// searchedJobs are enough to find the last pass. Of the others samples are taken where they turn out to be
// wrong, and fewer, since moments are tried before they are reported.
const (
	searchedJobs = 4000
	laterSamples = 16
)

// sample evaluates over the window: evenly, where jobs begin to age, and about the last pass.
func (q *inquiry) sample(r *evaluation.Result) error {
	q.samples.readings = some(q.readings, searchedJobs)
	if err := q.take(&q.samples, moments(r, q.window, jobsOf(q.samples.readings), bentSamples)); err != nil {
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
		if err := q.take(&q.samples, near); err != nil {
			return err
		}
	}
	return nil
}

// sampleOpen takes samples of what is wrong and was not needed to find the pass.
func (q *inquiry) sampleOpen() error {
	var later samples
	for _, s := range q.open {
		if !s.readings[0].sampled {
			later.readings = append(later.readings, s.readings...)
		}
	}
	if len(later.readings) == 0 {
		return nil
	}
	return q.take(&later, moments(q.whole, q.window, jobsOf(later.readings), laterSamples))
}

// some are the readings of at most so many jobs, chosen evenly, and all that are of no job.
func some(list []*reading, most int) []*reading {
	jobs := jobsOf(list)
	if len(jobs) <= most {
		return list
	}
	chosen := map[int]bool{}
	for i := range most {
		chosen[jobs[i*len(jobs)/most]] = true
	}
	var out []*reading
	for _, x := range list {
		if x.job < 0 || chosen[x.job] {
			out = append(out, x)
		}
	}
	return out
}

// jobsOf lists the jobs of readings.
func jobsOf(list []*reading) []int {
	var jobs []int
	for _, x := range list {
		if x.job >= 0 {
			jobs = append(jobs, x.job)
		}
	}
	slices.Sort(jobs)
	return slices.Compact(jobs)
}

// take evaluates at more moments.
func (q *inquiry) take(s *samples, moments []int64) error {
	jobs := jobsOf(s.readings)
	if s.at == nil {
		if err := q.findMoving(s, jobs); err != nil {
			return err
		}
	}
	for _, at := range moments {
		p, err := q.part(q.whole, jobs, at)
		if err != nil {
			return err
		}
		values := make([]float64, len(s.moving))
		for k, x := range s.moving {
			values[k] = p.value(x)
		}
		i, _ := slices.BinarySearch(s.at, at)
		s.at = slices.Insert(s.at, i, at)
		s.values = slices.Insert(s.values, i, values)
	}
	for k, x := range s.moving {
		x.nearly = s.seconds(x, k, x.slack)
		if x.closely = x.nearly; x.slack != 0 {
			x.closely = s.seconds(x, k, 0)
		}
	}
	return nil
}

// findMoving tells the readings that move from those that have one value at both ends of the window and
// in the middle: most of sprio's columns do not depend on time.
func (q *inquiry) findMoving(s *samples, jobs []int) error {
	for i, at := range []int64{q.window.from, q.window.to, (q.window.from + q.window.to) / 2} {
		p, err := q.part(q.whole, jobs, at)
		if err != nil {
			return err
		}
		for _, x := range s.readings {
			switch value := p.value(x); {
			case i == 0:
				x.sampled, x.still = true, value
			case value != x.still && !(math.IsNaN(value) && math.IsNaN(x.still)):
				x.moves = true
			}
		}
	}
	for _, x := range s.readings {
		if x.moves {
			s.moving = append(s.moving, x)
		}
	}
	return nil
}

// moments of a window: evenly, and where jobs begin to age.
func moments(r *evaluation.Result, w window, jobs []int, bent int) []int64 {
	at := []int64{w.from, w.to}
	for i := range int64(evenSamples) {
		at = append(at, w.from+(w.to-w.from)*i/(evenSamples-1))
	}
	var bends []int64
	for _, job := range jobs {
		for _, t := range events(r, job) {
			if t > w.from && t < w.to {
				bends = append(bends, t)
			}
		}
	}
	for _, t := range starts(r) {
		if t > w.from && t < w.to {
			bends = append(bends, t)
		}
	}
	at = append(at, spread(bends, bent)...)
	slices.Sort(at)
	return slices.Compact(at)
}

// starts are the moments at which classic factors bend because a job has begun to use something: a pass at the start
// still weighs the job, and a period later it has charged it for a whole one.
func starts(r *evaluation.Result) (list []int64) {
	if !classic(r) {
		return nil
	}
	for job := range r.Jobs.Rows {
		if start := r.Jobs.Value("job.start_time", job); start.Known() && r.State[job] == evaluation.Running {
			list = append(list, start.Int, start.Int+1, start.Int+r.Program.Tree.PassSeconds)
		}
	}
	return list
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
func (q *inquiry) fitting(x *reading, strict bool) []span {
	switch {
	case x.moves && strict:
		return x.closely
	case x.moves:
		return x.nearly
	case strict && x.fits(x.still) || !strict && x.almost(x.still):
		return []span{{q.window.from, q.window.to}}
	}
	return nil
}

// seconds are those at which the value of a reading that moves, the k-th of these, lies in [low, high).
func (s *samples) seconds(x *reading, k int, slack float64) []span {
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
	if len(s.at) == 1 && x.within(s.values[0][k], slack) {
		add(s.at[0], s.at[0])
	}
	for i := 1; i < len(s.at); i++ {
		v0, v1 := s.values[i-1][k], s.values[i][k]
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
func events(r *evaluation.Result, job int) []int64 {
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
