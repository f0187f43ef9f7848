package verify

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// check is a Check with the numbers that are compared; those of a job are together.
type check struct {
	Check
	readings []*reading
	result   *evaluation.Result // ours, as of when the numbers were computed
}

// count books a judged and explained subject.
func (k *check) count(s *subject) {
	for _, x := range s.readings {
		k.Compared++
		switch {
		case x.fits(x.ours):
			k.Equal++
		case x.cause != nil && x.cause.Benign:
			k.Explained++
		default:
			k.Different++
		}
	}
}

// kept are the overrides of Slurm's policies under which slurmctld keeps a number that it
// has, which then is our input and nothing to compare.
var kept = map[string]string{
	"held":            "held jobs keep priority 0",
	"direct_priority": "priorities set by hand are taken over",
	"incr_only":       "higher priorities of before are kept (INCR_ONLY)",
	"not_pending":     "jobs that run are not computed again",
}

// keptRow says why a row's recorded priority is not computed, "" if it is.
func keptRow(r *evaluation.Result, row int) string {
	for i, marks := range r.Overridden {
		if marks.Get(row) {
			return kept[r.Program.Overrides[i].Name]
		}
	}
	if r.Failed.Get(row) {
		return "the policy has no priority for the job: an expression failed"
	}
	return ""
}

// takesRecorded reports a policy whose formula is the recorded priority (priority/basic).
func takesRecorded(r *evaluation.Result) bool {
	for _, c := range r.Program.Components {
		for _, t := range c.Terms {
			if slices.Contains(t.Reads, "job.recorded_priority") {
				return true
			}
		}
	}
	return false
}

func component(r *evaluation.Result, name string) int {
	return slices.IndexFunc(r.Sums,
		func(s evaluation.SumColumn) bool { return r.Program.Components[s.Component].Name == name })
}

// contribution is what a component adds to the score; 0 if there is none of that name.
func contribution(name string) func(*evaluation.Result, int) float64 {
	return func(r *evaluation.Result, row int) float64 {
		if i := component(r, name); i >= 0 {
			return r.Sums[i].Value[row]
		}
		return 0
	}
}

// factor is a component before its weight.
func factor(name string) func(*evaluation.Result, int) float64 {
	return func(r *evaluation.Result, row int) float64 {
		total := 0.0
		for i := range r.Terms {
			if t := &r.Terms[i]; r.Program.Components[t.Component].Name == name {
				total += cappedFactor(t, row)
			}
		}
		return total
	}
}

func cappedFactor(t *evaluation.TermColumn, row int) float64 {
	if t.Capped(row) {
		return t.Cap[row]
	}
	return t.Factor[row]
}

// resourceTerm finds the term that weighs a trackable resource.
func resourceTerm(r *evaluation.Result, resource string) *evaluation.TermColumn {
	for i := range r.Terms {
		t := &r.Terms[i]
		if c := r.Program.Components[t.Component]; c.Name == "tres" {
			if slices.ContainsFunc(c.Terms[t.Term].Reads, func(id schema.ColumnID) bool {
				return id.Object() == "job" && strings.EqualFold(id.Key(), resource)
			}) {
				return t
			}
		}
	}
	return nil
}

func jobText(r *evaluation.Result, id schema.ColumnID, job int) string {
	return r.Jobs.Value(id, job).Str
}
func rowText(r *evaluation.Result, id schema.ColumnID, row int) string {
	return r.Rows.Value(id, row).Str
}

// hasFlag reports whether PriorityFlags has a flag. The flags are among what the age factor was
// made from.
func hasFlag(r *evaluation.Result, name string) bool {
	for _, c := range r.Program.Components {
		for _, t := range c.Terms {
			for _, src := range t.Factor.Sources {
				if strings.HasSuffix(src.Name, "PriorityFlags") && strings.Contains(strings.ToUpper(src.Value.Str), name) {
					return true
				}
			}
		}
	}
	return false
}

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
