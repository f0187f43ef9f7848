package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// admit asks each entry of each job all that the policy's holds of a phase ask.
func (r *Result) admit(run *underWay) error {
	if len(r.Program.Admission) == 0 {
		return nil
	}
	var regs []program.Reg
	for i := range r.Program.Admission {
		if reg := r.Program.Admission[i].When; !slices.Contains(regs, reg) {
			regs = append(regs, reg)
		}
	}
	out, err := run.Machine.Run(run.Binding, regs, r.options.Workers)
	if err != nil {
		return err
	}
	r.asked = make([]column.Bitmap, len(r.Program.Admission))
	for i := range r.asked {
		r.asked[i] = trueRows(out, r.Program.Admission[i].When, r.Rows.Rows)
	}
	return nil
}

// refusing is the first hold that refuses an entry, of those that count; nil if none does.
func (r *Result) refusing(row int, counts func(*program.EntryHold) bool) *program.EntryHold {
	for i := range r.asked {
		if h := &r.Program.Admission[i]; r.asked[i].Get(row) && counts(h) {
			return h
		}
	}
	return nil
}

// waits are the phases in which a job that has been accepted is asked.
func waits(h *program.EntryHold) bool { return h.Phase != program.AtSubmit }

// refusedBy is the block of an entry that a hold refuses.
func (r *Result) refusedBy(h *program.EntryHold, row int) *Block {
	b := &Block{Kind: BlockPolicy, Refusal: &Refusal{Column: h.Setting, Hold: h, Row: row},
		Text: h.Word.Fill(func(id schema.ColumnID) schema.Value { return r.Value(id, row) })}
	if object := schema.ObjectByName(h.Setting.Object()); object != nil {
		b.Refusal.Name = r.Rows.Value(object.Key, row).Str
		switch object.Name {
		case "partition":
			b.Kind = BlockPartition
		case "association":
			b.Kind = BlockAccess
		}
	}
	return b
}

// notAdmitted is why a job does not start that all its entries are refused; nil if one is not. The entries
// that are refused are marked.
func (r *Result) notAdmitted(job int) (last *Block) {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if h := r.refusing(row, waits); h != nil {
			r.refused.Set(row)
			last = r.refusedBy(h, row)
		}
	}
	if !r.refusedAll(job) {
		return nil
	}
	return last
}
