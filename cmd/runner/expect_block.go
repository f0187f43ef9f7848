package runner

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

// reason compares why a job does not start: with the scheduler's own words, or with the
// name that the policy gives to the limit, or the reason it states for it.
func (r *run) reason(want policy.Text, job int, what string) {
	if block := r.result.Why[int32(job)]; want.IsSet() && block != nil && block.Limit != nil {
		if l := &r.result.Program.Limits[block.Limit.Limit]; want.Value == l.Name || want.Value == l.Reason {
			r.out.Checks++
			return
		}
	}
	r.same(want, r.result.Reason[job], what+": reason")
}

// expectWhy compares the reason in parts.
func (r *run) expectWhy(x *policy.ExpectWhy, job int, what string) {
	block := r.result.Why[int32(job)]
	if block == nil {
		r.out.Checks++
		r.fail(x.Span, "%s is not blocked: it is %s", what, standing(r.result, job))
		return
	}
	r.same(x.Kind, block.Kind, what+": kind of reason")
	p := partsOf(r.result, block)
	r.same(x.Object, p.object, what+": object of the reason")
	r.same(x.Name, p.name, what+": name of the object")
	r.same(x.Limit, p.limit, what+": limit")
	r.same(x.Bound, p.bound, what+": bound")
	r.near(x.Value, r.test.Tolerance, p.value, what+": value of the limit")
	r.near(x.InUse, r.test.Tolerance, p.inUse, what+": in use")
	r.near(x.Request, r.test.Tolerance, p.request, what+": request")
}

// parts of a reason, whether a limit or a fairshare cap.
type parts struct {
	object, name, limit, bound string
	value, inUse, request      float64
}

func partsOf(res *evaluation.Result, b *evaluation.Block) parts {
	switch {
	case b.Limit != nil:
		v := b.Limit
		return parts{v.Object, v.Name, res.Program.Limits[v.Limit].Name, v.Bound.String(), float64(v.Value), float64(v.InUse),
			float64(v.Request)}
	case b.Cap != nil:
		v := b.Cap
		return parts{object: v.Object, name: v.Name, limit: res.Program.Windows.Targets[v.Target].Kind, value: v.Value,
			inUse: v.Usage, request: v.Request}
	}
	return parts{}
}

// expectCounts compares how many jobs are in each state.
func (r *run) expectCounts() {
	for _, x := range r.now.ExpectCounts {
		counts := map[evaluation.State]int{}
		for _, s := range r.result.State {
			counts[s]++
		}
		for _, c := range []struct {
			want  policy.Scalar
			state evaluation.State
		}{{x.Running, evaluation.Running}, {x.Eligible, evaluation.Eligible}, {x.Blocked, evaluation.Blocked},
			{x.Held, evaluation.Held}} {
			r.near(c.want, policy.Scalar{}, float64(counts[c.state]), "the number of jobs that are "+c.state.String())
		}
	}
}

// expectObjects compares what fairshare says of credentials.
func (r *run) expectObjects() {
	for _, x := range r.now.ExpectObjects {
		w := r.result.Windows
		if w == nil {
			r.out.Checks++
			r.fail(x.Span, "the policy counts no fairshare")
			continue
		}
		tolerance := x.Tolerance
		if !tolerance.IsSet() {
			tolerance = r.test.Tolerance
		}
		share := w.Of(slices.Index(fairshare.Objects[:], x.Object.Value), x.Name.Value)
		what := x.Object.Value + " " + x.Name.Value + ": "
		r.near(x.UsagePercent, tolerance, share.Percent, what+"usage in percent")
		r.near(x.Delta, tolerance, share.Delta, what+"delta")
		target, missed := program.Target{}, false
		if share.Target != fairshare.NoTarget {
			target = w.Model.Targets[share.Target]
			missed = fairshare.Missed(&target, share.Percent)
		}
		r.near(x.Target, tolerance, target.Value, what+"target")
		r.same(x.TargetKind, target.Kind, what+"kind of target")
		if x.TargetMissed.IsSet() {
			r.near(x.TargetMissed, policy.Scalar{}, float64(schema.BoolValue(missed).Int), what+"target missed")
		}
	}
}
