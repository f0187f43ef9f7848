package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// advice is what would let a job pass a limit, each by itself. That it does is tried by following it
// (TestAdviceHelps).
type advice struct {
	room   int64 // the most that may be in use when the job passes; negative: its request alone is too much
	least  int64 // the limit with which it passes now, and with any above
	most   int64 // the request with which it passes now; below 1: it can ask for nothing that little
	before int   // the job before which it passes, if the queue comes to it then; −1: no place helps
}

// adviceOn works out the numbers. Both bounds count that are asked for in the limit's phase: the tighter
// one is in the way. An override is in several counters, all of which the job must keep.
func adviceOn(r *evaluation.Result, job int, l *explainedLimit) advice {
	v := l.Violation
	bound := v.Value
	for _, b := range askedBounds(r, v.Phase) {
		bound = min(bound, boundOf(l.set, b))
	}
	a := advice{room: bound - v.Request, before: -1}
	if v.Phase == limit.Job {
		a.least, a.most = v.Request, bound
		return a
	}
	counters := countersOf(r, job, v)
	a.most = bound
	for _, c := range counters {
		a.least = max(a.least, c.inUse+c.refused+v.Request)
		a.most = min(a.most, bound-c.inUse)
	}
	if v.Phase == limit.Idle {
		a.before = placeFor(r, job, counters, a.room)
	}
	return a
}

// countedUse is a counter that a limit bounds for a job, as the job was asked for it.
type countedUse struct {
	inUse   int64
	refused int64       // asked for by those that a higher limit takes first
	uses    []limit.Use // of an idle limit: what the walk took before the job
}

// countersOf lists the counters of a violated limit, that of the violation first.
func countersOf(r *evaluation.Result, job int, v *limit.Violation) []countedUse {
	if r.Limits == nil {
		return []countedUse{{inUse: v.InUse}}
	}
	var list []countedUse
	for _, st := range r.Limits.Standings(job) {
		if st.Limit != v.Limit || st.Phase != v.Phase {
			continue
		}
		c := countedUse{inUse: st.InUse}
		own := slices.Equal(st.Per, v.Per)
		switch v.Phase {
		case limit.Idle:
			c.uses = r.Limits.Uses(job, &st, takenBefore(r, job))
			c.inUse, c.refused = total(c.uses), refusedBefore(r, job, v.Limit, &st)
		case limit.Submit:
			c.inUse = total(r.Limits.Uses(job, &st, countedJobs(r, job, v.Phase, v.Bound)))
		}
		if own {
			c.inUse = v.InUse
			list = append([]countedUse{c}, list...)
		} else {
			list = append(list, c)
		}
	}
	return list
}

// placeFor is the last job that the walk took before which this one keeps all counters; −1: none.
func placeFor(r *evaluation.Result, job int, counters []countedUse, room int64) int {
	taken := takenBefore(r, job)
	for k := len(taken) - 1; k >= 0 && room >= 0; k-- {
		fits := true
		for i := range counters {
			c := &counters[i]
			if last := len(c.uses) - 1; last >= 0 && c.uses[last].Job == int(taken[k]) {
				c.inUse -= c.uses[last].Amount
				c.uses = c.uses[:last]
			}
			fits = fits && c.inUse <= room
		}
		if fits {
			return int(taken[k])
		}
	}
	return -1
}

// takenBefore are the jobs that the walk which decides took before it came to a job.
func takenBefore(r *evaluation.Result, job int) []int32 {
	list := r.Taken[limit.Hard]
	for i, other := range list {
		if !walkedBefore(r, int(other), job) {
			return list[:i]
		}
	}
	return list
}

// askedBounds are those that a waiting job must keep. Of Maui's limits on idle jobs the hard walk asks,
// whose list is what may start (recorded: t10b).
func askedBounds(r *evaluation.Result, phase string) []limit.Bound {
	if r.Facts.Selects && phase == limit.Idle {
		return []limit.Bound{limit.Hard}
	}
	return []limit.Bound{limit.Soft, limit.Hard}
}

func boundOf(l *program.Limit, b limit.Bound) int64 {
	if b == limit.Hard {
		return l.Hard
	}
	return l.Soft
}

// refusedBefore is what those jobs ask of a counter that the walk came to before this one and did not take
// for the same limit: a higher limit takes them first.
func refusedBefore(r *evaluation.Result, job, set int, st *limit.Standing) int64 {
	var jobs []int32
	for other := range int32(r.Jobs.Rows) {
		if w := r.RefusedFor(int(other), limit.Hard); w != nil && w.Limit == set && w.Phase == st.Phase &&
			walkedBefore(r, int(other), job) {
			jobs = append(jobs, other)
		}
	}
	return total(r.Limits.Uses(job, st, jobs))
}

// walkedBefore: the walk that decides goes by the first priorities, equal ones as the resource
// manager lists them.
func walkedBefore(r *evaluation.Result, a, b int) bool {
	p, q := walkPriority(r, a), walkPriority(r, b)
	return p > q || p == q && a < b
}

func walkPriority(r *evaluation.Result, job int) int64 { return r.Priority[r.JobRow[job]] }

// ways writes the advice: what passes by itself first.
func (x *explainedBlock) ways(r *evaluation.Result, job int) {
	l, v := x.limit, x.Block.Limit
	switch {
	case l.set.AtLeast:
		x.Passes = []string{"if the job asks for " + amountText(v.Value, v.Counts) + " or more",
			fmt.Sprintf("with at most %d for this limit", v.Request)}
		return
	case v.Phase == limit.Job || l.room < 0:
	case v.Phase == limit.Active:
		x.Passes = append(x.Passes, x.running(r, job))
	default:
		x.Passes = append(x.Passes, x.leaving())
	}
	if v.Counts != "jobs" && l.most >= 1 {
		x.Passes = append(x.Passes, "if the job asks for "+amountText(l.most, v.Counts)+" or less")
	}
	if l.before >= 0 {
		x.Passes = append(x.Passes, fmt.Sprintf("if it comes before %s, which has priority %d to its %d",
			source.Plain(eval.JobText(r, "job.id", l.before)),
			walkPriority(r, l.before), walkPriority(r, job)))
	}
	x.Passes = append(x.Passes, fmt.Sprintf("with at least %d for this limit%s", l.least, l.raised(r)))
}

// amountText is a number of what a limit counts.
func amountText(n int64, counts string) string {
	unit := countUnit(counts)
	if n == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprint(n) + " " + unit
}

// raised says which of a limit's two numbers must rise; "" where one number is both.
func (l *explainedLimit) raised(r *evaluation.Result) string {
	if l.set.Soft == l.set.Hard {
		return ""
	}
	low := map[limit.Bound]bool{}
	for _, b := range askedBounds(r, l.Phase) {
		low[b] = boundOf(l.set, b) < l.least
	}
	switch {
	case low[limit.Soft] && low[limit.Hard]:
		return "'s soft and hard number"
	case low[limit.Soft]:
		return "'s soft number"
	}
	return "'s hard number"
}

// running is when use falls of a limit on what runs.
func (x *explainedBlock) running(r *evaluation.Result, job int) string {
	l, v := x.limit, x.Block.Limit
	x.release = release(r, v.Counts, l.uses, l.room)
	also := ""
	for _, c := range otherCounters(r, job, v) {
		if other := release(r, v.Counts, c.uses, l.room); !other.known || x.release.known && other.time > x.release.time {
			x.release, also = other, ", as the limit holds"+strings.Replace(whose(r, c.Per, c.Names), " of ", " for ", 1)+" too"
		}
	}
	way := fmt.Sprintf("when use falls from %d to %d %s", v.InUse, l.room, countUnit(v.Counts))
	if v.Counts == "jobs" {
		n := v.InUse - l.room
		way = fmt.Sprintf("when %d of these jobs %s", n, form.Plural(int(n), "ends", "end"))
	}
	if !x.release.known {
		return way
	}
	way += ": by " + form.ClockText(x.release.time)
	if x.release.after >= 0 {
		way += ", when " + source.Plain(eval.JobText(r, "job.id", x.release.after)) + " ends"
	} else {
		way += form.Plural(len(l.uses), ", as it uses up its time", ", as they use up their time")
	}
	return way + also + ", if no others start"
}

// otherCounter is another counter of a limit, and who has what of it.
type otherCounter struct {
	limit.Standing
	uses []limit.Use
}

// otherCounters are the other counters that a limit on what runs bounds for a job; it must keep all.
func otherCounters(r *evaluation.Result, job int, v *limit.Violation) (list []otherCounter) {
	if r.Limits == nil {
		return nil
	}
	for _, st := range r.Limits.Standings(job) {
		if st.Limit == v.Limit && st.Phase == v.Phase && !slices.Equal(st.Per, v.Per) && st.Violates(v.Bound) {
			list = append(list, otherCounter{st, r.Limits.Uses(job, &st, countedJobs(r, job, v.Phase, v.Bound))})
		}
	}
	return list
}

// leaving is when use falls of a limit on what waits or is there.
func (x *explainedBlock) leaving() string {
	l, v := x.limit, x.Block.Limit
	if v.Counts != "jobs" {
		return fmt.Sprintf("when their use falls from %d to %d %s", v.InUse, l.room, countUnit(v.Counts))
	}
	one, several := "starts or leaves", "start or leave"
	if v.Phase == limit.Submit {
		one, several = "ends or leaves", "end or leave"
	}
	n := v.InUse - l.room
	return fmt.Sprintf("when %d of these jobs %s", n, form.Plural(int(n), one, several))
}
