package admit

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Ask asks each entry of each job all that the policy's holds of a phase ask.
func Ask(run *evaluation.Run) error {
	r := run.Result
	if len(r.Program.Admission) == 0 {
		return nil
	}
	var regs []program.Reg
	for i := range r.Program.Admission {
		if reg := r.Program.Admission[i].When; !slices.Contains(regs, reg) {
			regs = append(regs, reg)
		}
	}
	var err error
	if before := run.Before; before != nil && before.Asked != nil {
		run.Asked, err = run.Machine.RunAfter(before.Asked, before.RowSpans(r), run.Binding, regs, r.Options.Workers)
	} else {
		run.Asked, err = run.Machine.Run(run.Binding, regs, r.Options.Workers)
	}
	if err != nil {
		return err
	}
	out := run.Asked
	r.Admission = make([]column.Bitmap, len(r.Program.Admission))
	for i := range r.Admission {
		r.Admission[i] = score.TrueRows(out, r.Program.Admission[i].When, r.Rows.Rows)
	}
	return nil
}

// Refusing is the first hold that refuses an entry, of those that count; nil if none does.
func Refusing(r *evaluation.Result, row int, counts func(*program.EntryHold) bool) *program.EntryHold {
	for i := range r.Admission {
		if h := &r.Program.Admission[i]; r.Admission[i].Get(row) && counts(h) {
			return h
		}
	}
	return nil
}

// Refused are the entries that some hold refuses of a job that has been accepted.
func Refused(r *evaluation.Result) column.Bitmap {
	marks := make(column.Bitmap, (r.Rows.Rows+63)/64)
	for i, refused := range r.Admission {
		if !Waits(&r.Program.Admission[i]) {
			continue
		}
		for k, word := range refused {
			marks[k] |= word
		}
	}
	return marks
}

// Waits are the phases in which a job that has been accepted is asked.
func Waits(h *program.EntryHold) bool { return h.Phase != program.AtSubmit }

// RefusedBy is the block of an entry that a hold refuses.
func RefusedBy(r *evaluation.Result, h *program.EntryHold, row int) *evaluation.Block {
	b := &evaluation.Block{Kind: evaluation.BlockPolicy,
		Refusal: &evaluation.Refusal{Column: h.Setting, Hold: h, Row: row},
		Text:    h.Word.Fill(func(id schema.ColumnID) schema.Value { return r.Value(id, row) })}
	if object := schema.ObjectByName(h.Setting.Object()); object != nil {
		b.Refusal.Name = r.Rows.Value(object.Key, row).Str
		switch object.Name {
		case "partition":
			b.Kind = evaluation.BlockPartition
		case "association":
			b.Kind = evaluation.BlockAccess
		}
	}
	return b
}

// NotAdmitted is why a job does not start that all its entries are refused; nil if one is not. The entries
// that are refused are marked.
func NotAdmitted(r *evaluation.Result, job int) (last *evaluation.Block) {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if h := Refusing(r, row, Waits); h != nil {
			r.Refused.Set(row)
			last = RefusedBy(r, h, row)
		}
	}
	if !r.RefusedAll(job) {
		return nil
	}
	return last
}

// Refuse blocks the jobs that may start but for the policy's holds of a phase.
func Refuse(r *evaluation.Result) {
	if len(r.Admission) == 0 {
		return
	}
	for job, state := range r.State {
		if state != evaluation.Eligible {
			continue
		}
		if b := NotAdmitted(r, job); b != nil {
			r.Blocked(job, b)
		}
	}
}
