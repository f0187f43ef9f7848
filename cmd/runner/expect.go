package runner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

func (r *run) expectJobs() {
	for _, x := range r.now.ExpectJobs {
		i, ok := r.jobIndex(x.ID.Value)
		if !ok {
			r.out.Checks++
			r.fail(x.Span, "there is no job %q in the result", x.ID.Value)
			continue
		}
		r.expectJob(x, i)
	}
}

func (r *run) expectJob(x policy.ExpectJob, i int) {
	res, row := r.result, int(r.result.JobRow[i])
	tolerance := x.Tolerance
	if !tolerance.IsSet() {
		tolerance = r.test.Tolerance
	}
	job := "job " + x.ID.Value
	failed := res.Failed.Get(row)
	if failed && (x.Priority.IsSet() || x.Score.IsSet()) {
		r.out.Checks++
		r.fail(x.Span, "%s", r.noPriority(i)).
			Note("a condition can ask whether a job has one, as in job['…'].failed")
		return
	}
	r.near(x.Priority, tolerance, float64(res.JobPriority(i)), job+": priority")
	if x.Stored.IsSet() {
		stored := res.JobPriority(i)
		if res.Stored != nil {
			stored = res.Stored[i]
		}
		r.near(x.Stored, tolerance, float64(stored), job+": stored priority")
	}
	r.near(x.Score, tolerance, res.Score[row], job+": score")
	r.near(x.Rank, policy.Scalar{}, float64(res.Rank[i]), job+": rank")
	r.same(x.State, res.State[i].String(), job+": state")
	r.reason(x.Reason, i, job)
	if x.Why != nil {
		r.expectWhy(x.Why, i, job)
	}
	for _, t := range x.Terms {
		r.expectTerm(t, row, tolerance, job)
	}
}

func (r *run) expectTerm(x policy.ExpectTerm, row int, tolerance policy.Scalar, job string) {
	comp, name := term(x.Name.Value)
	for k := range r.result.Terms {
		t := &r.result.Terms[k]
		c := r.result.Program.Components[t.Component]
		if c.Name != comp || c.Terms[t.Term].Name != name {
			continue
		}
		what := job + ": " + x.Name.Value + " "
		r.near(x.Factor, tolerance, t.Factor[row], what+"factor")
		r.near(x.Weight, tolerance, t.Weight[row], what+"weight")
		r.near(x.Contribution, tolerance, r.result.Contribution(t, row), what+"contribution")
		return
	}
	r.out.Checks++
	var names []string
	for _, c := range r.result.Program.Components {
		for _, t := range c.Terms {
			names = append(names, c.Name+"."+t.Name)
		}
	}
	r.fail(x.Span, "the policy has no term %q", x.Name.Value).Note("it has %s", strings.Join(names, ", ")).
		DidYouMean(x.Name.Span, x.Name.Value, names)
}

// near compares a number with what is expected, if anything is.
func (r *run) near(want, tolerance policy.Scalar, got float64, what string) {
	if !want.IsSet() {
		return
	}
	r.out.Checks++
	w, tol := want.Value.Number(), tolerance.Value.Number()
	if got == w || math.Abs(got-w) <= tol {
		return
	}
	d := r.fail(want.Span, "%s is %v, expected %v", what, got, w)
	if tol > 0 {
		d.Note("off by %v, the tolerance is %v", math.Abs(got-w), tol)
	}
}

func (r *run) same(want policy.Text, got, what string) {
	if !want.IsSet() {
		return
	}
	r.out.Checks++
	if got != want.Value {
		r.fail(want.Span, "%s is %q, expected %q", what, got, want.Value)
	}
}

// expectOrder: each job ranks before the next one named.
func (r *run) expectOrder() {
	for _, x := range r.now.ExpectOrder {
		before, last := int32(0), ""
		for _, id := range x.Jobs {
			r.out.Checks++
			i, ok := r.jobIndex(id.Value)
			switch {
			case !ok:
				r.fail(id.Span, "there is no job %q in the result", id.Value)
				continue
			case r.result.Rank[i] == 0:
				r.fail(id.Span, "job %s is %s and not ranked", id.Value, standing(r.result, i))
				continue
			case r.result.Rank[i] < before:
				r.fail(id.Span, "job %s has rank %d, before job %s with %d", id.Value, r.result.Rank[i], last, before)
			}
			before, last = r.result.Rank[i], id.Value
		}
	}
}

// standing is a job's state, or that it has no priority.
func standing(r *evaluation.Result, job int) string {
	if r.JobFailed(job) {
		return "failed"
	}
	return r.State[job].String()
}

// asserts evaluates conditions over all jobs by id.
func (r *run) asserts() {
	if len(r.now.Asserts) == 0 {
		return
	}
	jobs := map[string]map[string]schema.Value{}
	ids := r.result.Jobs.Column("job.id")
	for i := range r.result.Jobs.Rows {
		jobs[ids.Dict[ids.Codes[i]]] = r.jobValues(i)
	}
	for _, a := range r.now.Asserts {
		r.out.Checks++
		ok, reads, diags := celexpr.Condition(celSource(a.Condition), jobs)
		if failed := r.failedIn(a.Condition, diags); failed >= 0 {
			r.fail(a.Condition.Span, "%s", r.noPriority(failed)).
				Note("a condition can ask whether a job has one, as in job['…'].failed")
			continue
		}
		r.out.Failures = append(r.out.Failures, diags...)
		if len(diags) > 0 || ok {
			continue
		}
		message := a.Message.Value
		if message == "" {
			message = "the condition is false"
		}
		d := r.fail(a.Condition.Span, "%s", message)
		if len(reads) > 0 {
			d.Note("%s", strings.Join(reads, ", "))
		}
	}
}

// noPriority says why a job has no priority, and where the expression is that failed.
func (r *run) noPriority(job int) string {
	why, at := r.result.FailedBecause(job)
	place := ""
	if !at.IsZero() {
		place = " (" + at.String() + ": " + strings.Join(strings.Fields(at.Text()), " ") + ")"
	}
	return fmt.Sprintf("job %s has no priority: %s%s", r.result.Jobs.Value("job.id", job).Str, why, place)
}

// failedIn is the job without a priority that made a condition fail: one that it names, or else the first;
// -1 if there is none.
func (r *run) failedIn(condition policy.Scalar, diags diag.List) int {
	reads := func(key string) bool {
		return slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool {
			return strings.HasSuffix(d.Message, "no such key: "+key)
		})
	}
	if !reads("priority") && !reads("score") {
		return -1
	}
	text, first := condition.Span.Text(), -1
	for job := range r.result.Jobs.Rows {
		if !r.result.JobFailed(job) {
			continue
		}
		id := r.result.Jobs.Value("job.id", job).Str
		if strings.Contains(text, "'"+id+"'") || strings.Contains(text, `"`+id+`"`) {
			return job
		}
		if first < 0 {
			first = job
		}
	}
	return first
}

// jobValues is what a condition sees of a job: the outcome and its columns.
func (r *run) jobValues(i int) map[string]schema.Value {
	res, row := r.result, int(r.result.JobRow[i])
	m := map[string]schema.Value{
		"state": schema.StringValue(res.State[i].String()), "reason": schema.StringValue(res.Reason[i]),
		"rank": schema.IntValue(int64(res.Rank[i])), "failed": schema.BoolValue(res.JobFailed(i)),
	}
	if !res.Failed.Get(row) {
		m["priority"] = schema.IntValue(res.JobPriority(i))
		m["score"] = schema.DoubleValue(res.Score[row])
	}
	for _, c := range res.Jobs.Columns() {
		if v := c.Value(i); v.Known() && m[c.ID.Name()].Type == schema.Invalid && c.ID.Key() == "" {
			m[c.ID.Name()] = v
		}
	}
	for _, c := range schema.ObjectByName("job").Columns { // as in a policy's expressions
		if c.Absent == schema.AbsentZero && m[c.ID.Name()].Type == schema.Invalid && c.ID.Key() == "" {
			m[c.ID.Name()] = schema.Value{Type: c.Type}
		}
	}
	return m
}

func celSource(s policy.Scalar) celexpr.Source {
	if s.CEL == nil {
		return celexpr.Source{Span: s.Span}
	}
	src := celexpr.Source{Span: s.CEL.Span}
	if s.CEL.Offsets != nil {
		src.Text = s.CEL.Text
		for _, o := range s.CEL.Offsets {
			src.Offsets = append(src.Offsets, int(s.CEL.Span.Start)+o)
		}
	}
	return src
}
