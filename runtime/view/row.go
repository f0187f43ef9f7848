package view

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// jobText is a string column of a job, "" when unknown.
func jobText(r *engine.Result, id schema.ColumnID, job int) string {
	return r.Jobs.Value(id, job).Str
}

// sequence lists all jobs: ranked ones best first, then the others in the
// snapshot's order.
func sequence(r *engine.Result) []int32 {
	all := make([]int32, 0, r.Jobs.Rows)
	all = append(all, r.Order...)
	for i := range r.Jobs.Rows {
		if r.Rank[i] == 0 {
			all = append(all, int32(i))
		}
	}
	return all
}

// rankEntry names the partition whose entry ranks a job that was submitted to several.
func rankEntry(r *engine.Result, job int) (partition string, ok bool) {
	if first, end := r.Entries(job); end-first < 2 || r.Rank[job] == 0 {
		return "", false
	}
	return r.Rows.Value("job.partition", int(r.RankRow[job])).Str, true
}

// entryText is rankEntry as it stands after a rank or a priority.
func entryText(r *engine.Result, job int) string {
	if partition, ok := rankEntry(r, job); ok {
		return " by its entry in " + partitionWord(r) + " " + source.Plain(partition)
	}
	return ""
}

// at reads a register kept for a row; one that the program did not compute,
// because nothing weighs it, is not known.
func at(values []float64, row int) (float64, bool) {
	if row >= len(values) {
		return 0, false
	}
	return values[row], true
}

// factorAt is the term's factor before its cap. One that nothing weighs is not evaluated, and one
// whose expression failed has no value.
func factorAt(r *engine.Result, t *engine.TermColumn, row int) (float64, bool) {
	if t.FactorFailed.Get(row) || termOf(r.Program, t).Factor.Reg == program.NoReg {
		return 0, false
	}
	return at(t.Factor, row)
}

// weightAt is the term's weight; that of a component without one may not have been computed.
func weightAt(r *engine.Result, t *engine.TermColumn, row int) (float64, bool) {
	if termOf(r.Program, t).Weight.Reg == program.NoReg {
		return 0, false
	}
	return at(t.Weight, row)
}

// contributionAt is what a term adds to the score, 0 if nothing weighs it.
func contributionAt(r *engine.Result, t *engine.TermColumn, row int) float64 {
	v, ok := at(t.Value, row)
	w, weighed := at(r.Sums[t.Component].Weight, row)
	if !ok || !weighed {
		return 0
	}
	return float64(w * v)
}

// sumFailed reports whether a term of the component failed, so that its sum
// means nothing.
func sumFailed(r *engine.Result, s *engine.SumColumn, row int) bool {
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Component == s.Component && t.FactorFailed.Get(row) {
			return true
		}
	}
	return false
}

// termOf is the policy's description of a kept term.
func termOf(p *program.Program, t *engine.TermColumn) *program.Term {
	return &p.Components[t.Component].Terms[t.Term]
}

// termName is component.term, or the one word when both are the same.
func termName(p *program.Program, t *engine.TermColumn) string {
	c := &p.Components[t.Component]
	if len(c.Terms) == 1 && c.Terms[0].Name == c.Name {
		return c.Name
	}
	return c.Name + "." + c.Terms[t.Term].Name
}

// lastSet is the last thing that gave a number its value and stands in a file.
func lastSet(n program.Number) (program.Source, bool) {
	for i := len(n.Sources) - 1; i >= 0; i-- {
		if !n.Sources[i].Span.IsZero() {
			return n.Sources[i], true
		}
	}
	return program.Source{}, false
}

// credentialPlace says what set a credential's value for a row, if the policy did.
func credentialPlace(r *engine.Result, id schema.ColumnID, row int) (name string, span source.Span) {
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

// placeOf is what to edit to change a term of a row: where its credential's priority or
// weight was set, else where its weight was, else where its component's was.
func placeOf(r *engine.Result, t *engine.TermColumn, row int) source.Span {
	term := termOf(r.Program, t)
	for _, id := range term.Reads {
		name := id.Name()
		if name != "priority" && !strings.HasSuffix(name, "_weight") {
			continue
		}
		if _, span := credentialPlace(r, id, row); !span.IsZero() {
			return span
		}
	}
	if s, ok := lastSet(term.Weight); ok {
		return s.Span
	}
	s, _ := lastSet(r.Program.Components[t.Component].Weight)
	return s.Span
}

func joined(words []string) string { return strings.Join(words, ", ") }

// cappedFactor is the factor as it enters the sum.
func cappedFactor(t *engine.TermColumn, row int) float64 {
	f, _ := at(t.Factor, row)
	if termCapped(t, row) {
		return t.Cap[row]
	}
	return f
}
