package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// explainedLimit is a limit that a job does not pass.
type explainedLimit struct {
	*limit.Violation
	set  *program.Limit
	uses []limit.Use // who fills it, in the order in which they were counted; nil for a limit on the job alone
	advice
}

// overLimit explains a violation. Who uses the counter depends on the phase: an active limit counts
// what runs, an idle one what the queue walk took before it came to the job, a submit limit what was
// there before.
func (x *explainedBlock) overLimit(r *evaluation.Result, job int) {
	v := x.Block.Limit
	l := &explainedLimit{Violation: v, set: &r.Program.Limits[v.Limit]}
	x.limit = l
	x.What = fmt.Sprintf("%s limit %s%s: %s", v.Bound, l.set.Name, whose(r, v.Per, v.Names), l.sum())
	x.Details = append(x.Details, setText(x.source))
	if r.Limits != nil {
		x.replaced(r, job)
		l.uses = usesOf(r, job, v)
	}
	l.advice = adviceOn(r, job, l)
	if who := usersText(r, v.Phase, v.Counts, l.uses); who != "" {
		x.Details = append(x.Details, who)
	}
	x.ways(r, job)
}

// sum is the comparison that failed.
func (l *explainedLimit) sum() string {
	v := l.Violation
	unit := countUnit(v.Counts)
	switch {
	case l.set.AtLeast:
		return fmt.Sprintf("this job asks for %d, less than %d %s", v.Request, v.Value, unit)
	case v.Phase == limit.Job:
		return fmt.Sprintf("this job asks for %d, more than %d %s", v.Request, v.Value, unit)
	}
	return fmt.Sprintf("%d in use + %d of this job > %d %s", v.InUse, v.Request, v.Value, unit)
}

// whose says who a count is kept for: " of user amy".
func whose(r *evaluation.Result, per, names []string) string {
	if len(per) == 0 {
		return ""
	}
	return " of " + counterName(r, per, names)
}

// counterName names the credentials of a count: "class batch, user amy".
func counterName(r *evaluation.Result, per, names []string) string {
	words := make([]string, len(per))
	for i, object := range per {
		if object == "partition" {
			object = r.Facts.Partitions.Word()
		}
		words[i] = object + " " + source.Plain(names[i])
	}
	return form.Joined(words)
}

// countUnit is the unit of a count as it stands after a number.
func countUnit(counts string) string {
	switch counts {
	case "procs":
		return "processors"
	case "proc_seconds":
		return "processor-seconds"
	case "processor_equivalents":
		return "processor equivalents"
	case "walltime":
		return "seconds"
	case "memory":
		return "MB"
	case "gpus":
		return "GPUs"
	}
	return counts
}

// replaced names what an override stands in for.
func (x *explainedBlock) replaced(r *evaluation.Result, job int) {
	st, ok := r.Limits.StandingOf(job, x.Block.Limit)
	if !ok || !x.limit.set.Override {
		return
	}
	old, ok := r.Limits.Replaced(job, &st)
	if !ok {
		x.Details = append(x.Details, "an override: without it there would be no limit")
		return
	}
	x.replace = &r.Program.Limits[old]
	x.Details = append(x.Details, fmt.Sprintf("an override: it replaces %s = %s%s", x.replace.Source,
		boundsText(x.replace.Soft, x.replace.Hard),
		atPlace(x.replace.Span.String())))
}

// boundsText is soft,hard as sites write it; one number stands for both.
func boundsText(soft, hard int64) string {
	if soft == hard {
		return boundText(soft)
	}
	return boundText(soft) + "," + boundText(hard)
}

func boundText(bound int64) string {
	if bound == program.NoLimit {
		return "none"
	}
	return fmt.Sprint(bound)
}

// usesOf lists who fills the counter of a violation.
func usesOf(r *evaluation.Result, job int, v *limit.Violation) []limit.Use {
	st, ok := r.Limits.StandingOf(job, v)
	if !ok || v.Phase == limit.Job {
		return nil
	}
	jobs := countedJobs(r, job, v.Phase, v.Bound)
	if v.Phase == limit.Active && v.Bound == limit.Hard && r.Stored != nil {
		// what the walk had come to
		jobs = slices.DeleteFunc(jobs, func(other int32) bool { return !walkedBefore(r, int(other), job) })
	}
	list := r.Limits.Uses(job, &st, jobs)
	if v.Phase == limit.Idle {
		list = prefix(list, v.InUse)
	}
	return list
}

// prefix is the beginning of a list of uses that makes up a sum: the walk had come no farther.
func prefix(list []limit.Use, sum int64) []limit.Use {
	for i, use := range list {
		if sum <= 0 {
			return list[:i]
		}
		sum -= use.Amount
	}
	return list
}

// countedJobs lists the jobs that a phase counts.
func countedJobs(r *evaluation.Result, job int, phase string, b limit.Bound) []int32 {
	if phase == limit.Idle {
		return r.Taken[b]
	}
	var list []int32
	rank := r.Jobs.Column("job.submit_rank")
	for other := range int32(r.Jobs.Rows) {
		switch state := r.State[other]; {
		case phase == limit.Active && state == evaluation.Running && !(r.Facts.Selects && r.Suspended(int(other))):
			list = append(list, other)
		case phase == limit.Submit && state != evaluation.Done && int(other) != job &&
			(state == evaluation.Running || rank != nil && rank.Ints[other] < rank.Ints[job]):
			list = append(list, other)
		}
	}
	return list
}

// maxUsers is how many jobs are named.
const maxUsers = 5

// usersText names the jobs that fill a counter, the largest first where amounts differ.
func usersText(r *evaluation.Result, phase, counts string, uses []limit.Use) string {
	if len(uses) == 0 {
		return ""
	}
	list := slices.Clone(uses)
	if counts != "jobs" {
		slices.SortStableFunc(list, func(a, b limit.Use) int { return int(min(1, max(-1, b.Amount-a.Amount))) })
	}
	var words []string
	for i, use := range list {
		if i == maxUsers {
			words = append(words, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		word := source.Plain(eval.JobText(r, "job.id", use.Job))
		if counts != "jobs" {
			word += fmt.Sprintf(" (%d)", use.Amount)
		}
		words = append(words, word)
	}
	n := len(uses)
	what := map[string]string{limit.Active: "running", limit.Idle: "eligible", limit.Submit: "present"}[phase]
	line := fmt.Sprintf("in use by %d %s %s", n, what, form.Plural(n, "job", "jobs"))
	if phase == limit.Idle {
		line += " that the queue walk took before it"
	}
	return line + ": " + strings.Join(words, ", ")
}

// release finds when running jobs use no more than room, if no other starts: at the end of one of them,
// by its limit, or, where what they have left counts, as it runs down.
func release(r *evaluation.Result, counts string, uses []limit.Use, room int64) explainedRelease {
	never := explainedRelease{after: -1}
	type ending struct {
		limit.Use
		end int64
	}
	var list []ending
	sum := int64(0)
	for _, use := range uses {
		sum += use.Amount
		left := eval.Remaining(r, use.Job)
		if !left.Known() {
			left.Int = math.MaxInt64 - r.Now // unknown; not before the others
		}
		list = append(list, ending{use, r.Now + max(1, left.Int)}) // an overdue job still runs now
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(a.end, b.end) })
	runsDown := counts == "walltime" || counts == "proc_seconds"
	for i, e := range list {
		if e.end >= math.MaxInt64-1 {
			return never
		}
		if runsDown {
			if at, ok := firstWithin(r.Now, e.end, room, func(t int64) float64 {
				use := 0.0
				for _, other := range list[i:] {
					use += float64(other.Amount) * float64(other.end-t) / float64(max(1, other.end-r.Now))
				}
				return use
			}); ok {
				if at == e.end {
					return explainedRelease{true, at, e.Job}
				}
				return explainedRelease{true, at, -1}
			}
			continue
		}
		if sum -= e.Amount; sum <= room {
			return explainedRelease{true, e.end, e.Job}
		}
	}
	return never
}

// firstWithin is the first second up to end in which a use that only falls is within room.
func firstWithin(from, end, room int64, use func(int64) float64) (int64, bool) {
	if use(end) > float64(room) {
		return 0, false
	}
	for from < end {
		if middle := from + (end-from)/2; use(middle) <= float64(room) {
			end = middle
		} else {
			from = middle + 1
		}
	}
	return end, true
}
