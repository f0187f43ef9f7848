package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// explainedLimit is a limit that a job does not pass.
type explainedLimit struct {
	*limit.Violation
	set  *program.Limit
	uses []limit.Use // who fills it, in the order in which they were counted; nil for a limit on the job alone
	room int64       // the most that may be in use when the job passes; negative: it never does
	need int64       // the least limit with which it would pass now
}

// overLimit explains a violation. Who uses the counter depends on the phase: an active limit counts
// what runs, an idle one what the queue walk took before it came to the job, a submit limit what was
// there before.
func (x *explainedBlock) overLimit(r *engine.Result, job int) {
	v := x.Block.Limit
	l := &explainedLimit{Violation: v, set: &r.Program.Limits[v.Limit], room: v.Value - v.Request, need: v.InUse + v.Request}
	x.limit, x.source = l, program.Source{Name: l.set.Source, Span: l.set.Span}
	if v.Counts == "walltime" && v.Phase == limit.Job {
		l.need = v.Request
	}
	x.what = fmt.Sprintf("%s limit %s%s: %s", v.Bound, l.set.Name, whose(r, v.Per, v.Names), l.sum())
	x.details = append(x.details, setText(x.source))
	if r.Limits != nil {
		x.replaced(r, job)
		l.uses = usesOf(r, job, v)
	}
	if who := usersText(r, v.Phase, v.Counts, l.uses); who != "" {
		x.details = append(x.details, who)
	}
	switch v.Phase {
	case limit.Job:
		x.alone()
	case limit.Active:
		x.running(r)
	default:
		x.before(r, job)
	}
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

// whose says for whom a count is kept: " of user amy".
func whose(r *engine.Result, per, names []string) string {
	if len(per) == 0 {
		return ""
	}
	return " of " + counterName(r, per, names)
}

// counterName names the credentials of a count: "class batch, user amy".
func counterName(r *engine.Result, per, names []string) string {
	words := make([]string, len(per))
	for i, object := range per {
		if object == "partition" {
			object = partitionWord(r)
		}
		words[i] = object + " " + printable(names[i])
	}
	return joined(words)
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
func (x *explainedBlock) replaced(r *engine.Result, job int) {
	st, ok := r.Limits.StandingOf(job, x.Block.Limit)
	if !ok || !x.limit.set.Override {
		return
	}
	old, ok := r.Limits.Replaced(job, &st)
	if !ok {
		x.details = append(x.details, "an override: without it there would be no limit")
		return
	}
	x.replace = &r.Program.Limits[old]
	x.details = append(x.details, fmt.Sprintf("an override: it replaces %s = %s%s", x.replace.Source, boundsText(x.replace.Soft, x.replace.Hard),
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
func usesOf(r *engine.Result, job int, v *limit.Violation) []limit.Use {
	st, ok := r.Limits.StandingOf(job, v)
	if !ok || v.Phase == limit.Job {
		return nil
	}
	list := r.Limits.Uses(job, &st, countedJobs(r, job, v.Phase, v.Bound))
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
func countedJobs(r *engine.Result, job int, phase string, b limit.Bound) []int32 {
	if phase == limit.Idle {
		return r.Taken[b]
	}
	var list []int32
	rank := r.Jobs.Column("job.submit_rank")
	for other := range int32(r.Jobs.Rows) {
		switch state := r.State[other]; {
		case phase == limit.Active && state == engine.Running && !(r.Program.Family == "maui" && r.Suspended(int(other))):
			list = append(list, other)
		case phase == limit.Submit && state != engine.Done && int(other) != job &&
			(state == engine.Running || rank != nil && rank.Ints[other] < rank.Ints[job]):
			list = append(list, other)
		}
	}
	return list
}

// maxUsers is how many jobs are named.
const maxUsers = 5

// usersText names the jobs that fill a counter, the largest first where amounts differ.
func usersText(r *engine.Result, phase, counts string, uses []limit.Use) string {
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
		word := printable(jobText(r, "job.id", use.Job))
		if counts != "jobs" {
			word += fmt.Sprintf(" (%d)", use.Amount)
		}
		words = append(words, word)
	}
	n := len(uses)
	what := map[string]string{limit.Active: "running", limit.Idle: "eligible", limit.Submit: "present"}[phase]
	line := fmt.Sprintf("in use by %d %s %s", n, what, plural(n, "job", "jobs"))
	if phase == limit.Idle {
		line += " that the queue walk took before it"
	}
	return line + ": " + strings.Join(words, ", ")
}

// alone is the way out where the job by itself is more than the limit.
func (x *explainedBlock) alone() {
	v := x.Block.Limit
	if x.limit.set.AtLeast {
		x.unblock = []string{fmt.Sprintf("if the job asks for %d %s or more", v.Value, countUnit(v.Counts)), "with a limit of " + fmt.Sprint(v.Request) + " or less"}
		return
	}
	x.unblock = []string{fmt.Sprintf("if the job asks for %d %s or less", v.Value, countUnit(v.Counts)), x.raised()}
}

// raised is the limit that would let the job pass now, with both bounds where both are in its way.
func (x *explainedBlock) raised() string {
	l := x.limit
	word := ""
	switch {
	case l.set.Soft == l.set.Hard:
	case l.set.Soft < l.need && l.set.Hard < l.need:
		word = "soft and hard "
	default:
		word = l.Bound.String() + " "
	}
	return fmt.Sprintf("with a %slimit of %d or more", word, l.need)
}

// running is the way out of a limit on what runs.
func (x *explainedBlock) running(r *engine.Result) {
	l, v := x.limit, x.Block.Limit
	unit := countUnit(v.Counts)
	if l.room < 0 {
		x.alone()
		return
	}
	x.release = release(r, v.Counts, l.uses, l.room)
	way := fmt.Sprintf("when use falls from %d to %d %s", v.InUse, l.room, unit)
	if v.Counts == "jobs" {
		n := v.InUse - l.room
		way = fmt.Sprintf("when %d of these jobs %s", n, plural(int(n), "ends", "end"))
	}
	if x.release.known {
		way += ": by " + clockText(x.release.time)
		if x.release.after >= 0 {
			way += ", when " + printable(jobText(r, "job.id", x.release.after)) + " ends"
		} else {
			way += plural(len(l.uses), ", as it uses up its time", ", as they use up their time")
		}
		way += ", if no others start"
	}
	x.unblock = []string{way, x.raised()}
}

// before is the way out of a limit on what waits or is there.
func (x *explainedBlock) before(r *engine.Result, job int) {
	l, v := x.limit, x.Block.Limit
	if l.room < 0 {
		x.alone()
		return
	}
	leave := "start or leave"
	one := "starts or leaves"
	if v.Phase == limit.Submit {
		leave, one = "end or leave", "ends or leaves"
	}
	if v.Counts == "jobs" {
		n := v.InUse - l.room
		x.unblock = append(x.unblock, fmt.Sprintf("when %d of these jobs %s", n, plural(int(n), one, leave)))
	} else {
		x.unblock = append(x.unblock, fmt.Sprintf("when their use falls from %d to %d %s", v.InUse, l.room, countUnit(v.Counts)))
	}
	if last := len(l.uses) - 1; v.Phase == limit.Idle && v.Counts == "jobs" && last >= 0 {
		other := l.uses[last].Job
		x.unblock = append(x.unblock, fmt.Sprintf("if it comes before %s, which has priority %d to its %d", printable(jobText(r, "job.id", other)),
			r.Priority[r.JobRow[other]], r.Priority[r.JobRow[job]]))
	}
	x.unblock = append(x.unblock, x.raised())
}
