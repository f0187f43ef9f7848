package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// headroom is a limit that a job is under, and what is left of it with the job.
type headroom struct {
	Report eval.LimitReport `json:"" form:"inline"`
	Used   int64            `json:"in_use"`
	Asks   int64            `json:"request"`
	Left   int64            `json:"left"` // of the limit with the job

	limit.Standing
	set   *program.Limit
	bound int64 // the tighter one
	room  int64 // what is left of it; negative: the job does not pass
}

// headrooms lists the limits on a job, the nearest first: those that it does not pass, then by what
// is left in proportion to the limit. A waiting job's request comes on top of what is in use, a
// running one's is part of it.
func headrooms(r *evaluation.Result, job int) []headroom {
	if r.Limits == nil || r.State[job] == evaluation.Done {
		return nil
	}
	var list []headroom
	for _, st := range r.Limits.Standings(job) {
		h := headroom{Standing: st, set: &r.Program.Limits[st.Limit], bound: program.NoLimit}
		for _, b := range askedBounds(r, st.Phase) {
			h.bound = min(h.bound, boundOf(h.set, b))
		}
		if h.AtLeast {
			h.bound = max(st.Soft, st.Hard)
		}
		if h.bound == program.NoLimit || st.Phase == limit.Idle && r.State[job] == evaluation.Running {
			continue
		}
		switch {
		case st.Phase == limit.Job:
			h.InUse = 0
		case r.State[job] == evaluation.Running:
			h.InUse -= h.Request
		case st.Phase == limit.Idle:
			h.InUse = idleBefore(r, job, &st)
		case st.Phase == limit.Submit:
			h.InUse = total(r.Limits.Uses(job, &st, countedJobs(r, job, st.Phase, limit.Hard)))
		}
		h.room = h.bound - h.InUse - h.Request
		if h.AtLeast {
			h.room = h.Request - h.bound
		}
		h.Report, h.Used, h.Asks, h.Left = eval.LimitOf(r, &h.Standing), h.InUse, h.Request, max(0, h.room)
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b headroom) int { return cmp.Compare(a.nearness(), b.nearness()) })
	return list
}

// nearness is the room in proportion to the limit.
func (h *headroom) nearness() float64 { return float64(h.room) / float64(max(1, h.bound)) }

// idleBefore is what the walk had counted as idle when it came to the job: all that was taken before
// it, or, for a job that it did not take, all in all.
func idleBefore(r *evaluation.Result, job int, st *limit.Standing) int64 {
	if b := r.Why[int32(job)]; b != nil {
		for _, each := range eval.Reasons(b) {
			if v := each.Limit; v != nil && v.Limit == st.Limit && v.Phase == st.Phase && slices.Equal(v.Per, st.Per) {
				return v.InUse
			}
		}
	}
	before := r.Taken[limit.Hard]
	if at := slices.Index(before, int32(job)); at >= 0 {
		before = before[:at]
	}
	return total(r.Limits.Uses(job, st, before))
}

func total(uses []limit.Use) int64 {
	sum := int64(0)
	for _, use := range uses {
		sum += use.Amount
	}
	return sum
}

// sum is the comparison with the tighter bound.
func (h *headroom) sum() string {
	return fmt.Sprintf("%d in use + %d of this job > %d %s", h.InUse, h.Request, h.bound, countUnit(h.Counts))
}

// besides lists the limits that a job does not pass and that are not among its blocks: a scheduler
// names the first that it comes to.
func besides(e *Explanation) []headroom {
	return slices.DeleteFunc(slices.Clone(e.Limits), func(h headroom) bool {
		return h.room >= 0 || slices.ContainsFunc(e.Blocks, func(x explainedBlock) bool {
			return x.limit != nil && x.limit.Violation.Limit == h.Standing.Limit && x.limit.Phase == h.Phase &&
				slices.Equal(x.limit.Per, h.Per)
		})
	})
}

// maxHeadrooms are the limits shown unless all are asked for.
const maxHeadrooms = 5

// headroomTable writes the limits as columns.
func headroomTable(r *evaluation.Result, list []headroom) string {
	g := form.Grid{Rows: len(list)}
	add := func(title string, right bool, cell func(*headroom) string) {
		g.Add(title, right, func(row int) string { return cell(&list[row]) })
	}
	add("limit", false, func(h *headroom) string { return h.set.Name })
	add("of", false, func(h *headroom) string {
		switch {
		case len(h.Per) > 0:
			return counterName(r, h.Per, h.Names)
		case h.Phase == limit.Job:
			return "each job"
		}
		return "all jobs"
	})
	add("phase", false, func(h *headroom) string { return h.Phase })
	add("in use", true, func(h *headroom) string { return fmt.Sprint(h.InUse) })
	add("asks", true, func(h *headroom) string { return fmt.Sprint(h.Request) })
	add("soft", true, func(h *headroom) string { return boundText(h.Soft) })
	add("hard", true, func(h *headroom) string { return boundText(h.Hard) })
	add("left", true, func(h *headroom) string { return fmt.Sprint(h.Left) })
	add("set at", false, func(h *headroom) string { return h.set.Span.String() })
	return g.Text(false)
}
