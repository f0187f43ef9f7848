package eval

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// JobText is a string column of a job, "" when unknown.
func JobText(r *evaluation.Result, id schema.ColumnID, job int) string {
	return r.Jobs.Value(id, job).Str
}

// Sequence lists all jobs: ranked ones best first, then the others in the
// snapshot's order.
func Sequence(r *evaluation.Result) []int {
	all := make([]int, 0, r.Jobs.Rows)
	for _, job := range r.Order {
		all = append(all, int(job))
	}
	for i := range r.Jobs.Rows {
		if r.Rank[i] == 0 {
			all = append(all, i)
		}
	}
	return all
}

// rankEntry names the partition whose entry ranks a job that was submitted to several.
func rankEntry(r *evaluation.Result, job int) (partition string, ok bool) {
	if first, end := r.Entries(job); end-first < 2 || r.Rank[job] == 0 {
		return "", false
	}
	return r.Rows.Text("job.partition", int(r.RankRow[job])), true
}

// EntryText is rankEntry as it stands after a rank or a priority.
func EntryText(r *evaluation.Result, job int) string {
	if partition, ok := rankEntry(r, job); ok {
		return " by its entry in " + r.Facts.Partitions.Word() + " " + source.Plain(partition)
	}
	return ""
}

// At reads a register kept for a row; one that the program did not compute,
// because nothing weighs it, is not known.
func At(values []float64, row int) (float64, bool) {
	if row >= len(values) {
		return 0, false
	}
	return values[row], true
}

// FactorAt is the term's factor before its cap. One that nothing weighs is not evaluated, and one
// whose expression failed has no value.
func FactorAt(r *evaluation.Result, t *evaluation.TermColumn, row int) (float64, bool) {
	if t.FactorFailed.Get(row) || TermOf(r.Program, t).Factor.Reg == program.NoReg {
		return 0, false
	}
	return At(t.Factor, row)
}

// WeightAt is the term's weight; that of a component without one may not have been computed.
func WeightAt(r *evaluation.Result, t *evaluation.TermColumn, row int) (float64, bool) {
	if TermOf(r.Program, t).Weight.Reg == program.NoReg {
		return 0, false
	}
	return At(t.Weight, row)
}

// ContributionAt is what a term adds to the score, 0 if nothing weighs it.
func ContributionAt(r *evaluation.Result, t *evaluation.TermColumn, row int) float64 {
	v, ok := At(t.Value, row)
	w, weighed := At(r.Sums[t.Component].Weight, row)
	if !ok || !weighed {
		return 0
	}
	return float64(w * v)
}

// SumFailed reports whether a term of the component failed, so that its sum
// means nothing.
func SumFailed(r *evaluation.Result, s *evaluation.SumColumn, row int) bool {
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Component == s.Component && t.FactorFailed.Get(row) {
			return true
		}
	}
	return false
}

// TermOf is the policy's description of a kept term.
func TermOf(p *program.Program, t *evaluation.TermColumn) *program.Term {
	return &p.Components[t.Component].Terms[t.Term]
}

// TermName is component.term, or the one word when both are the same.
func TermName(p *program.Program, t *evaluation.TermColumn) string {
	c := &p.Components[t.Component]
	if len(c.Terms) == 1 && c.Terms[0].Name == c.Name {
		return c.Name
	}
	return c.Name + "." + c.Terms[t.Term].Name
}

// lastSet is the last thing that gave a number its value and is in a file.
func lastSet(n program.Number) (program.Source, bool) {
	for i := len(n.Sources) - 1; i >= 0; i-- {
		if !n.Sources[i].Span.IsZero() {
			return n.Sources[i], true
		}
	}
	return program.Source{}, false
}

// CredentialPlace says what set a credential's value for a row, if the policy did.
func CredentialPlace(r *evaluation.Result, id schema.ColumnID, row int) (name string, span source.Span) {
	j := r.Settings[id]
	if j == nil {
		return "", source.Span{}
	}
	code := 0
	if key := r.Rows.Column(j.Key); key != nil {
		code = int(key.Codes[row])
	}
	if code < len(j.Source) {
		name = j.Source[code]
	}
	if code < len(j.Span) {
		span = j.Span[code]
	}
	return name, span
}

// PlaceOf is what to edit to change a term of a row: where its credential's priority or
// weight was set, else where its weight was, else where its component's was.
func PlaceOf(r *evaluation.Result, t *evaluation.TermColumn, row int) source.Span {
	return placesOf(r, t)(row)
}

// placesOf is PlaceOf for many rows of one term.
func placesOf(r *evaluation.Result, t *evaluation.TermColumn) func(row int) source.Span {
	term := TermOf(r.Program, t)
	var credentials []schema.ColumnID
	for _, id := range term.Reads {
		if name := id.Name(); r.Settings[id] != nil && (name == "priority" || strings.HasSuffix(name, "_weight")) {
			credentials = append(credentials, id)
		}
	}
	set, ok := lastSet(term.Weight)
	if !ok {
		set, _ = lastSet(r.Program.Components[t.Component].Weight)
	}
	return func(row int) source.Span {
		for _, id := range credentials {
			if _, span := CredentialPlace(r, id, row); !span.IsZero() {
				return span
			}
		}
		return set.Span
	}
}

// CappedFactor is the factor as it enters the sum.
func CappedFactor(t *evaluation.TermColumn, row int) float64 {
	f, _ := At(t.Factor, row)
	if TermCapped(t, row) {
		return t.Cap[row]
	}
	return f
}

// BlockOf is why a job may not start. Where no queue walk was made, its columns say it.
func BlockOf(r *evaluation.Result, job int) *evaluation.Block {
	if b := r.Why[int32(job)]; b != nil {
		return b
	}
	switch begin := r.Jobs.Value("job.begin_time", job); {
	case !Waits(r, job) || r.State[job] == evaluation.Eligible:
		return nil
	case r.Jobs.Int("job.held", job) != 0:
		return &evaluation.Block{Kind: evaluation.BlockHold, Text: r.Reason[job]}
	case r.State[job] == evaluation.Held:
		for i, hold := range r.Program.Holds {
			if hold.Reason == r.Reason[job] {
				return &evaluation.Block{Kind: evaluation.BlockPolicy, Text: hold.Reason, Hold: i}
			}
		}
		return nil
	case begin.Known() && begin.Int > r.Now:
		return &evaluation.Block{Kind: evaluation.BlockBegin, Text: r.Reason[job]}
	case r.Jobs.Text("job.dependency", job) != "":
		return &evaluation.Block{Kind: evaluation.BlockDependency, Text: r.Reason[job]}
	}
	return nil
}

// Reasons lists a block and what would block the job besides.
func Reasons(b *evaluation.Block) []*evaluation.Block {
	if b == nil {
		return nil
	}
	return append([]*evaluation.Block{b}, b.Also...)
}

// KeptJobs are the jobs by id as they are kept for the next iteration.
func KeptJobs(r *evaluation.Result) map[string]checkpoint.Job {
	m := map[string]checkpoint.Job{}
	if r.Next() != nil {
		for _, j := range r.Next().Jobs {
			m[j.ID] = j
		}
	}
	return m
}

// StartOf is when a running job started: now if it starts in this evaluation.
func StartOf(r *evaluation.Result, job int) schema.Value {
	if WaitsInSnapshot(r, job) {
		return schema.TimestampValue(r.Now)
	}
	return r.Jobs.Value("job.start_time", job)
}

// WaitsInSnapshot: it may start in this evaluation all the same.
func WaitsInSnapshot(r *evaluation.Result, job int) bool {
	state := r.Jobs.Text("job.state", job)
	return state == "" || state == "pending"
}

// Remaining is what a running job's limit leaves of its time.
func Remaining(r *evaluation.Result, job int) schema.Value {
	limit, start := r.Jobs.Value("job.walltime_seconds", job), StartOf(r, job)
	if r.Suspended(job) {
		return limit // its clock stands still
	}
	if !limit.Known() || !start.Known() {
		return schema.Value{}
	}
	return schema.IntValue(start.Int + limit.Int - r.Now)
}
