package eval

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

// LimitReport is what a limit is and whose counter it bounds.
type LimitReport struct {
	Limit   string      `json:"limit"`
	Object  string      `json:"object" form:"ornull"`
	Per     []counterOf `json:"per"`
	Counts  string      `json:"counts"`
	Phase   string      `json:"phase"`
	Soft    *int64      `json:"soft"`
	Hard    *int64      `json:"hard"`
	AtLeast bool        `json:"at_least"`
	Source  SetBy       `json:"source"`
}

func LimitOf(r *evaluation.Result, st *limit.Standing) LimitReport {
	l := &r.Program.Limits[st.Limit]
	return LimitReport{l.Name, l.Object, countersOfNames(st.Per, st.Names), st.Counts, st.Phase, Bound(st.Soft),
		Bound(st.Hard),
		st.AtLeast, SetBy{l.Source, encode.Position(l.Span)}}
}

func Bound(n int64) *int64 { return encode.Some(n, n != program.NoLimit) }

// counterReport is a limit with what is in use of one of its counters.
type counterReport struct {
	LimitReport
	Override bool   `json:"override"`
	InUse    *int64 `json:"in_use"`
}

// limitReports lists each limit with each counter that it bounds, if some job uses it or the site set it
// by name, and the limits of associations and QOS with something in use. A limit on single jobs counts
// nothing, nor does one that only stands in for others.
func limitReports(r *evaluation.Result) (list []any) {
	add := func(st *limit.Standing, counts bool) {
		list = append(list, counterReport{LimitOf(r, st), r.Program.Limits[st.Limit].Override,
			encode.Some(st.InUse, counts)})
	}
	if r.Limits != nil {
		for _, st := range r.Limits.Counters(true) {
			if st.InUse != 0 || byName(&r.Program.Limits[st.Limit]) {
				add(&st, true)
			}
		}
		for _, i := range r.Limits.Unnamed() {
			l := &r.Program.Limits[i]
			st := limit.Standing{Limit: i, Per: l.Per, Counts: l.Counts, Phase: l.Phase, Soft: l.Soft, Hard: l.Hard,
				AtLeast: l.AtLeast}
			if byName(l) {
				st.Names = append([]string{l.Row}, l.Cross...)
			}
			add(&st, l.Phase != limit.Job && !l.Override)
		}
	}
	if r.SlurmLimits != nil {
		for _, st := range r.SlurmLimits.Counters(false) {
			list = append(list, SlurmLimitOf(&st.Stop))
		}
	}
	return list
}

// byName reports a limit that the site wrote for exactly one counter.
func byName(l *program.Limit) bool {
	return !l.Others && l.Row != "" && len(l.Cross) == max(0, len(l.Per)-1) && !slices.Contains(l.Cross, "")
}
