package score

import (
	"bytes"
	"math"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// flags marks the rows where each condition holds.
func flags(out *vm.Output, list []program.Flag, rows int) []column.Bitmap {
	marks := make([]column.Bitmap, len(list))
	for i, f := range list {
		marks[i] = TrueRows(out, f.When, rows)
	}
	return marks
}

// TrueRows are the rows where a condition is true.
func TrueRows(out *vm.Output, when program.Reg, rows int) (marks column.Bitmap) {
	v := out.Vector(when)
	if v.Errs == nil && bytes.IndexByte(v.Bools, 1) < 0 {
		return nil // of no row, or of no entry of a dictionary
	}
	if v.Errs == nil && v.Shape.Level == program.Row {
		for row := 0; ; row++ {
			next := bytes.IndexByte(v.Bools[row:], 1)
			if next < 0 {
				return marks
			}
			row += next
			marks.Set(row)
		}
	}
	for row := range rows {
		if v.Failure(row) == 0 && v.Bool(row) {
			marks.Set(row)
		}
	}
	return marks
}

// firstOnly keeps for each row the first mark: later overrides do not count.
func firstOnly(marks []column.Bitmap, rows int) []column.Bitmap {
	out := make([]column.Bitmap, len(marks))
	for row := range rows {
		for i := range marks {
			if marks[i].Get(row) {
				out[i].Set(row)
				break
			}
		}
	}
	return out
}

// Read takes what the program has computed into the result: scores, terms, holds and overrides.
func Read(run *evaluation.Run) {
	r, p := run.Result, run.Program
	Scores(r, run.Out)
	run.Holds = flags(run.Out, p.Holds, r.Rows.Rows)
	r.Scored = evaluation.NewScored(run.Binding, run.Holds)
	if !p.Fused {
		Terms(r, run.Out)
		r.Overridden = firstOnly(flags(run.Out, p.Overrides, r.Rows.Rows), r.Rows.Rows)
	}
}

func Scores(r *evaluation.Result, out *vm.Output) {
	r.Score = doubles(out.Vector(r.Program.Score), r.Rows.Rows)
	r.Priority, r.Failed = Rounded(r, out)
}

// Rounded are the stored priorities of a run, and the rows that have none.
func Rounded(r *evaluation.Result, out *vm.Output) (priority []int64, failed column.Bitmap) {
	final := out.Vector(r.Program.Priority)
	priority = make([]int64, r.Rows.Rows)
	for row := range priority {
		x := final.Double(row)
		if final.Failure(row) != 0 {
			failed.Set(row)
			continue
		}
		priority[row] = Round(x, r.Program.Rounding)
	}
	return priority, failed
}

// Round makes the integer that the scheduler stores, of what program.OpStorable has passed.
func Round(x float64, how string) int64 {
	switch how {
	case "floor":
		x = math.Floor(x)
	case "nearest":
		x = math.Round(x)
	default:
		x = math.Trunc(x)
	}
	return int64(x)
}

// doubles lays a vector out per row; nil for a register that does not exist.
func doubles(v *vm.Vector, n int) []float64 {
	if v == nil {
		return nil
	}
	if v.Shape.Level == program.Row {
		return v.Doubles
	}
	out := make([]float64, n)
	for row := range out {
		out[row] = v.Double(row)
	}
	return out
}

func Terms(r *evaluation.Result, out *vm.Output) {
	n := r.Rows.Rows
	zeros := make([]float64, n)
	orZero := func(reg program.Reg) []float64 {
		if d := doubles(out.Vector(reg), n); d != nil {
			return d
		}
		return zeros
	}
	for ci, c := range r.Program.Components {
		sum := evaluation.SumColumn{Component: ci, Weight: orZero(c.Weight.Reg), Cap: doubles(out.Vector(c.Cap.Reg), n),
			Sum: orZero(c.Sum), Value: orZero(c.Value)}
		uncapped(out.Vector(c.Value), sum.Value, sum.Weight, sum.Sum)
		r.Sums = append(r.Sums, sum)
		for ti, t := range c.Terms {
			col := evaluation.TermColumn{Component: ci, Term: ti, Factor: orZero(t.Factor.Reg), Weight: orZero(t.Weight.Reg),
				Cap: doubles(out.Vector(t.Cap.Reg), n), Value: orZero(t.Value)}
			if v := out.Vector(t.Factor.Reg); v != nil && v.Errs != nil {
				for row := range n {
					if v.Failure(row) != 0 {
						col.FactorFailed.Set(row)
					}
				}
			}
			uncapped(out.Vector(t.Value), col.Value, col.Weight, col.Factor)
			for _, d := range t.Defines {
				col.Defines = append(col.Defines, out.Vector(d.Reg))
			}
			r.Terms = append(r.Terms, col)
		}
	}
}

// uncapped gives a value that failed because it is infinite or NaN under a cap what it is without the cap.
func uncapped(v *vm.Vector, value, weight, x []float64) {
	if v == nil || v.Errs == nil {
		return
	}
	for row := range value {
		if v.Failure(row) != 0 && !evaluation.Finite(x[row]) {
			value[row] = weight[row] * x[row]
		}
	}
}

// Report turns what the user must know of the run into findings.
func Report(r *evaluation.Result, out *vm.Output) {
	failures(r, out)
	for _, in := range r.Program.Instrs {
		if in.Op == program.OpCall && r.Program.ByRow(&in) {
			c := r.Program.Calls[in.Call]
			r.Findings.Infof("not-vectorized", c.Span, "not-vectorized: %s", c.Reason).
				Note("it is evaluated job by job, which is right but slower")
		}
	}
	for _, name := range r.Program.Without {
		r.Findings.Infof("left-out", source.Span{}, "left out on request: %s", name)
	}
}
