package verify

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// part is an evaluation of some waiting jobs alone: a large queue is searched for the moments at which
// each of its jobs is right, and there are hundreds of these. No priority of Slurm's depends on other waiting
// jobs, but on those that run, which use what is shared and are all in it. Maui's depend on which jobs it selects.
type part struct {
	result *evaluation.Result
	whole  *evaluation.Result
	place  map[int]int // job of the whole result → job of this
}

// part evaluates the priorities of jobs of a result as of another moment.
func (c *comparison) part(whole *evaluation.Result, jobs []int, epochSeconds int64) (*part, error) {
	wanted := slices.Clone(jobs)
	for job, state := range whole.State {
		if state == evaluation.Running || state == evaluation.Done || !whole.Facts.Passes {
			wanted = append(wanted, job)
		}
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	s := *c.snapshot
	s.Now, s.Jobs = epochSeconds, c.snapshot.Jobs.Pick(wanted)
	if s.Jobs.Column("job.accrue_time") == nil { // estimated of all jobs together
		if all := whole.Jobs.Column("job.accrue_time"); all != nil {
			s.Jobs.Put(all.Pick(wanted))
		}
	}
	r, err := c.evaluate(&s, evaluation.Options{ScoresOnly: true})
	if err != nil {
		return nil, err
	}
	p := &part{result: r, whole: whole, place: make(map[int]int, len(wanted))}
	for i, job := range wanted {
		p.place[job] = i
	}
	return p, nil
}

// value is our number for a reading.
func (p *part) value(x *reading) float64 {
	if x.job < 0 {
		return x.value(p.result, x.row) // a node of the tree
	}
	return x.value(p.result, p.row(x))
}

// row is the row of a job's reading.
func (p *part) row(x *reading) int {
	return int(p.result.JobRow[p.place[x.job]]) + x.row - int(p.whole.JobRow[x.job])
}
