package score

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// outOfBounds reports scores that are infinite or NaN and priorities that no 64-bit integer holds, once for
// each expression that makes them.
func outOfBounds(r *evaluation.Result, out *vm.Output, f vm.Failure, rows column.Bitmap, what string) {
	code := "priority-infinite"
	if slices.Contains([]string{program.ValueNaN, program.ScoreNaN, program.PriorityNaN}, f.Message) {
		code = "priority-not-a-number"
	}
	var order []culprit
	of := map[culprit]*column.Bitmap{}
	for row := range r.RowJob {
		if !rows.Get(row) {
			continue
		}
		c := culpritOf(r, out, f, row)
		if of[c] == nil {
			of[c] = &column.Bitmap{}
			order = append(order, c)
		}
		of[c].Set(row)
	}
	if n := len(r.Losses) - 1; n >= 0 && r.Losses[n].Span == f.Span && r.Losses[n].Message == f.Message {
		r.Losses = r.Losses[:n] // the culprits have better places
		for _, c := range order {
			r.Losses = append(r.Losses, evaluation.Loss{Rows: *of[c], Message: f.Message, Span: c.span(r.Program, f.Span)})
		}
	}
	for _, c := range order {
		count := jobsOf(r, *of[c])
		d := r.Findings.Warnf(code, c.span(r.Program, f.Span), what, count.n, r.Jobs.Rows, f.Message)
		d.Note("the first is job %s; `fairway explain` shows its terms", r.JobID(count.first))
		d.Note("%s", c.advice(r.Program, f))
	}
}

// culprit is the expression that makes a number infinite, NaN or too large: what makes its register, and the
// column in it that divides, or has a logarithm, and is 0. NoReg: the program holds no terms.
// finite: the expression gives a number, which is too large in the sum.
type culprit struct {
	reg    program.Reg
	zero   schema.ColumnID
	finite bool
}

// advice is what to write instead.
func (c culprit) advice(p *program.Program, f vm.Failure) string {
	switch {
	case c.zero != "":
		return fmt.Sprintf("%s is 0 there: guard the expression, as in %s > 0 ? … : 0.0", c.zero, c.zero)
	case f.Message == program.PriorityLarge:
		return "bound it with clamp, or with a ceiling in the block finish"
	case c.finite:
		return "each term is a number and their sum is too large for one: lower the weight, or give the term a cap"
	case c.reg != program.NoReg && hasPole(p, c.reg):
		return "guard what divides or takes a logarithm with a condition, or bound it with clamp"
	}
	return "bound it with clamp"
}

// hasPole reports an expression that divides or takes a logarithm.
func hasPole(p *program.Program, reg program.Reg) bool {
	in := &p.Instrs[instrOf(p, reg)]
	return slices.Contains(poles, in.Op) ||
		slices.ContainsFunc(in.Args, func(a program.Reg) bool { return hasPole(p, a) })
}

func (c culprit) span(p *program.Program, other source.Span) source.Span {
	if c.reg != program.NoReg {
		if s := p.Instrs[instrOf(p, c.reg)].Span; !s.IsZero() {
			return s
		}
	}
	return other
}

// culpritOf of a value is its expression. That of a component's sum, or of a score, is the first term, or the first
// weight of a component, that is infinite or NaN; where each is a number, the one that adds most. That of a priority
// is the override or the bound that made it, or else that of the score.
func culpritOf(r *evaluation.Result, out *vm.Output, f vm.Failure, row int) culprit {
	p := r.Program
	if p.Fused {
		return culprit{reg: program.NoReg}
	}
	if in := &p.Instrs[f.Instr]; in.Op == program.OpNumber {
		sum := slices.IndexFunc(p.Components, func(c program.Component) bool { return c.Sum == in.Args[0] })
		if sum < 0 {
			return zeroIn(r, in.Args[0], row)
		}
		return culpritAmong(r, sum, row)
	}
	if p.Instrs[f.Instr].Op == program.OpStorable {
		if reg := decidedBy(out, p, p.Instrs[f.Instr].Args[0], row); reg != p.Score {
			return zeroIn(r, reg, row)
		}
	}
	sum := worst(len(r.Sums), func(i int) float64 { return r.Sums[i].Value[row] })
	if sum < 0 {
		return culprit{reg: program.NoReg}
	}
	if w := r.Sums[sum].Weight[row]; !evaluation.Finite(w) {
		return zeroIn(r, p.Components[r.Sums[sum].Component].Weight.Reg, row)
	}
	return culpritAmong(r, sum, row)
}

// culpritAmong is the culprit among the terms of a component.
func culpritAmong(r *evaluation.Result, sum, row int) culprit {
	c := r.Program.Components[r.Sums[sum].Component]
	var terms []int
	for i := range r.Terms {
		if r.Terms[i].Component == r.Sums[sum].Component && c.Terms[r.Terms[i].Term].Factor.Reg != program.NoReg {
			terms = append(terms, i)
		}
	}
	term := worst(len(terms), func(i int) float64 { return r.Terms[terms[i]].Value[row] })
	if term < 0 {
		return zeroIn(r, c.Value, row)
	}
	t := r.Terms[terms[term]]
	if !evaluation.Finite(t.Weight[row]) {
		return zeroIn(r, c.Terms[t.Term].Weight.Reg, row)
	}
	found := zeroIn(r, c.Terms[t.Term].Factor.Reg, row)
	found.finite = evaluation.Finite(t.Factor[row])
	return found
}

// worst is the first value that is no number, or the greatest in size; -1 of none.
func worst(n int, value func(int) float64) int {
	most := -1
	for i := range n {
		switch v := value(i); {
		case !evaluation.Finite(v):
			return i
		case most < 0 || math.Abs(v) > math.Abs(value(most)):
			most = i
		}
	}
	return most
}

// decidedBy follows the choice among overrides to what made the priority of a row, and a bound to what it bounds where
// that bound is no number.
func decidedBy(out *vm.Output, p *program.Program, reg program.Reg, row int) program.Reg {
	for {
		in := &p.Instrs[instrOf(p, reg)]
		switch {
		case in.Op == program.OpGather:
			reg = in.Args[0]
		case in.Op == program.OpCond:
			when := out.Vector(in.Args[0])
			if when == nil {
				when = out.Vector(ungathered(p, in.Args[0]))
			}
			switch {
			case when == nil:
				return reg
			case when.Bool(row):
				return in.Args[1]
			}
			reg = in.Args[2]
		case in.Op == "clamp_double_double_double" && ungathered(p, in.Args[0]) == p.Score:
			score, low := out.Vector(p.Score), p.Instrs[instrOf(p, in.Args[1])]
			if score.Failure(row) != 0 || math.Abs(score.Double(row)) >= math.MaxInt64 {
				return p.Score
			}
			if low.Op == program.OpConst {
				return in.Args[2]
			}
			return in.Args[1]
		default:
			return reg
		}
	}
}

// ungathered is the register whose values a gather spreads over the rows, or the register itself.
func ungathered(p *program.Program, reg program.Reg) program.Reg {
	if in := &p.Instrs[instrOf(p, reg)]; in.Op == program.OpGather {
		return in.Args[0]
	}
	return reg
}

// poles are infinite or NaN where their last argument is 0.
var poles = []string{"divide_double", "ln_double", "log2_double", "log10_double"}

// zeroIn finds in an expression the first divisor or argument of a logarithm that is a column, and 0 for the row.
func zeroIn(r *evaluation.Result, reg program.Reg, row int) culprit {
	c := culprit{reg: ungathered(r.Program, reg)}
	var look func(program.Reg)
	look = func(reg program.Reg) {
		in := &r.Program.Instrs[instrOf(r.Program, reg)]
		for _, a := range in.Args {
			look(a)
		}
		if c.zero != "" || len(in.Args) == 0 {
			return
		}
		if slices.Contains(poles, in.Op) {
			id := columnOf(r.Program, in.Args[len(in.Args)-1])
			if v := r.Scored.At(id, row); id != "" && v.Known() && v.Number() == 0 {
				c.zero = id
			}
		}
	}
	look(reg)
	return c
}

// columnOf is the column whose number a register holds, perhaps converted; "" of what is computed.
func columnOf(p *program.Program, reg program.Reg) schema.ColumnID {
	in := &p.Instrs[instrOf(p, reg)]
	for in.Op == "int64_to_double" || in.Op == program.OpGather {
		in = &p.Instrs[instrOf(p, in.Args[0])]
	}
	if in.Op == program.OpColumn {
		return in.Column
	}
	return ""
}

// instrOf is the instruction that makes a register: the one of its number, as programs are generated.
func instrOf(p *program.Program, reg program.Reg) int {
	if int(reg) < len(p.Instrs) && p.Instrs[reg].Dst == reg {
		return int(reg)
	}
	return slices.IndexFunc(p.Instrs, func(in program.Instr) bool { return in.Dst == reg })
}
