package view

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// limits writes each limit with each counter that it bounds, if some job uses it or the site set it
// by name. A limit on single jobs counts nothing, nor does one that only stands in for others.
func (j *jsonWriter) limits(r *engine.Result) {
	j.key("limits").open('[')
	if r.Limits != nil {
		written := 0
		for _, st := range r.Limits.Counters(true) {
			if l := &r.Program.Limits[st.Limit]; st.InUse != 0 || byName(l) {
				j.counter(r, &st, true)
				written++
			}
		}
		for _, i := range r.Limits.Unnamed() {
			l := &r.Program.Limits[i]
			st := limit.Standing{Limit: i, Per: l.Per, Counts: l.Counts, Phase: l.Phase, Soft: l.Soft, Hard: l.Hard, AtLeast: l.AtLeast}
			if byName(l) {
				st.Names = append([]string{l.Row}, l.Cross...)
			}
			j.counter(r, &st, l.Phase != limit.Job && !l.Override)
			written++
		}
		if written > 0 {
			j.line()
		}
	}
	j.slurmLimits(r)
	j.shut(']')
}

// slurmLimits writes the limits of associations and QOS of which something is in use.
func (j *jsonWriter) slurmLimits(r *engine.Result) {
	if r.SlurmLimits == nil {
		return
	}
	list := r.SlurmLimits.Counters(false)
	for i := range list {
		j.separateLine()
		j.open('{')
		j.slurmStop(&list[i].SlurmStop)
		j.shut('}')
	}
	if len(list) > 0 {
		j.line()
	}
}

// byName reports a limit that the site wrote for exactly one counter.
func byName(l *program.Limit) bool {
	return !l.Others && l.Row != "" && len(l.Cross) == max(0, len(l.Per)-1) && !slices.Contains(l.Cross, "")
}

func (j *jsonWriter) counter(r *engine.Result, st *limit.Standing, counts bool) {
	j.separateLine()
	j.open('{')
	j.limitOf(r, st)
	j.key("override").bool(r.Program.Limits[st.Limit].Override)
	if counts {
		j.key("in_use").int(st.InUse)
	} else {
		j.key("in_use").null()
	}
	j.shut('}')
}
