// Package synth makes a queue of any length that is like a given one.
//
// In: a snapshot, how many jobs, and a seed. Out: a snapshot with the same machine, people, usage and running
// jobs, and with waiting jobs drawn from the given ones: each is a copy of one of them, with a number of its
// own, submitted between its model and the next one. What ranks jobs is so distributed as in the given queue.
// With a number of nodes, the machine is the given one over and over (machine.go), and jobs grow with it.
// It is called by `fairway snapshot synth`; the same seed gives the same queue.
package synth

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Options say what queue is wanted.
type Options struct {
	Jobs  int // how many, running ones included
	Nodes int // of the machine; 0 keeps the given one
	Seed  uint64
}

// Queue makes a queue like that of a snapshot, which stays as it is.
func Queue(s *snapshot.Snapshot, o Options) (*snapshot.Snapshot, error) {
	if s.Jobs == nil || s.Jobs.Column("job.id") == nil {
		return nil, errors.New("the snapshot has no list of jobs")
	}
	active, waiting := split(s.Jobs)
	if len(active)+len(waiting) == 0 {
		return nil, errors.New("the snapshot has no job that waits or runs, so there is nothing to go by")
	}
	draw := rand.New(rand.NewPCG(o.Seed, uint64(o.Jobs)))
	var m *machine
	machines := 1
	if o.Nodes > 0 {
		var err error
		if s, m, err = enlarge(s, o.Nodes, draw); err != nil {
			return nil, err
		}
		active, waiting = split(s.Jobs)
		machines = len(m.tiles)
	}
	running := o.running(len(active), len(waiting)*machines)
	if o.Jobs > running && len(waiting) == 0 {
		return nil, errors.New("every job of the snapshot runs: more of them would need more nodes, and no job that waits " +
			"is there to go by")
	}
	kept := sample(draw, active, running)
	copies := drawCopies(draw, s, waiting, o.Jobs-running)

	rows := slices.Clone(kept)
	for _, c := range copies {
		rows = append(rows, c.row)
	}
	out := *s
	out.Jobs = s.Jobs.Pick(rows)
	number(s.Jobs, out.Jobs, kept, copies)
	for i, c := range copies {
		shift(out.Jobs, len(kept)+i, c.later, s.Now)
		forget(out.Jobs, len(kept)+i)
	}
	if m != nil {
		m.rename(out.Jobs, len(kept), func(int) int { return draw.IntN(len(m.tiles)) })
		m.widen(out.Jobs, len(kept), draw)
	}
	out.Sprio = sprioOf(s.Sprio, out.Jobs, len(kept))
	out.TimeRange = submitted(out.Jobs)
	return &out, nil
}

// running is how many of the jobs run: all that do, since they hold nodes, or their share of a shorter queue.
func (o Options) running(active, waiting int) int {
	if o.Jobs >= active+waiting {
		return active
	}
	return min(active, (o.Jobs*active+(active+waiting)/2)/(active+waiting))
}

// split lists the rows of jobs that have nodes, and of those that wait for some. Others have ended.
func split(jobs *column.Table) (active, waiting []int) {
	for row := range jobs.Rows {
		switch jobs.Text("job.state", row) {
		case "running", "suspended", "completing":
			active = append(active, row)
		case "pending", "":
			waiting = append(waiting, row)
		}
	}
	return active, waiting
}

// sample is n of the rows, in their order.
func sample(draw *rand.Rand, rows []int, n int) []int {
	chosen := slices.Clone(rows)
	draw.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	chosen = chosen[:n]
	slices.Sort(chosen)
	return chosen
}

// copied is a job that is made after the model of another.
type copied struct {
	row   int   // of the model
	later int64 // seconds that it is submitted after its model
	at    int64 // when it is submitted; 0 if that is not known
}

// drawCopies draws models with equal chances, and for each copy a time between its model's and the next
// one's, so that times are as dense as they were; of jobs that came all at once only the last one is followed by
// another time. They come in the order of their submission, which is that
// of their numbers.
func drawCopies(draw *rand.Rand, s *snapshot.Snapshot, waiting []int, n int) []copied {
	var times []int64
	for _, row := range waiting {
		if at := s.Jobs.Value("job.submit_time", row); at.Known() {
			times = append(times, at.Int)
		}
	}
	slices.Sort(times)
	out := make([]copied, n)
	for i := range out {
		c := copied{row: waiting[draw.IntN(len(waiting))]}
		if at := s.Jobs.Value("job.submit_time", c.row); at.Known() {
			from, _ := slices.BinarySearch(times, at.Int)
			until, _ := slices.BinarySearch(times, at.Int+1)
			if draw.IntN(until-from) == 0 {
				c.later = draw.Int64N(gapAfter(times, at.Int, s.Now) + 1)
			}
			c.at = at.Int + c.later
		}
		out[i] = c
	}
	slices.SortStableFunc(out, func(a, b copied) int { return cmp.Compare(a.at, b.at) })
	return out
}

// gapAfter is the time until the next submission, or until now after the last one.
func gapAfter(times []int64, at, now int64) int64 {
	next, _ := slices.BinarySearch(times, at+1)
	if next < len(times) {
		return times[next] - at - 1
	}
	return max(0, min(now-at, times[len(times)-1]-times[0]))
}

// shifted are the times that belong to a submission.
var shifted = []schema.ColumnID{
	"job.submit_time", "job.arrival_time", "job.eligible_time", "job.accrue_time", "job.last_evaluation_time",
	"job.begin_time", "job.deadline", "job.queue_start_time",
}

// shift moves the times of a job. What has happened to the model has happened to the copy: it does not become eligible
// only later than now, nor was it last looked at tomorrow.
func shift(jobs *column.Table, row int, seconds, now int64) {
	for _, id := range shifted {
		c := jobs.Column(id)
		switch {
		case c == nil || c.Missing.Get(row):
		case c.Ints[row] <= now:
			c.Ints[row] = min(c.Ints[row]+seconds, now)
		default:
			c.Ints[row] += seconds
		}
	}
}

// forget makes unknown what the scheduler had computed for the model. A priority that was set by hand is no
// such number.
func forget(jobs *column.Table, row int) {
	if jobs.Int("job.direct_priority", row) == 1 {
		return
	}
	if c := jobs.Column("job.recorded_priority"); c != nil {
		c.Ints[row] = 0
		c.Missing.Set(row)
	}
}

// sprioOf is what sprio printed of the first jobs, which are no copies.
func sprioOf(sprio, jobs *column.Table, kept int) *column.Table {
	if sprio == nil {
		return nil
	}
	ids := map[string]bool{}
	for row := range kept {
		ids[jobs.Text("job.id", row)] = true
	}
	var rows []int
	for row := range sprio.Rows {
		if ids[sprio.Value(snapshot.SprioColumn("id"), row).Str] {
			rows = append(rows, row)
		}
	}
	return sprio.Pick(rows)
}

// submitted is the first and the last time of submission.
func submitted(jobs *column.Table) (span [2]int64) {
	for row := range jobs.Rows {
		at := jobs.Value("job.submit_time", row)
		switch {
		case !at.Known():
		case span == [2]int64{}:
			span = [2]int64{at.Int, at.Int}
		default:
			span = [2]int64{min(span[0], at.Int), max(span[1], at.Int)}
		}
	}
	return span
}
