package optimize

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// bounds leaves out guards that cannot fail and clamps that change nothing: what a register can hold is followed from
// constants, conditions and clamps on. Rounding keeps the order of numbers, so an extent computed in doubles holds.
func bounds(p *program.Program, list []program.Instr) []program.Instr {
	b := &bounder{p: p, extents: make([]extent, len(p.Regs)), same: make([]program.Reg, len(p.Regs))}
	for r := range b.same {
		b.same[r] = program.Reg(r)
	}
	out := slices.Clone(list)
	for i := range out {
		in := &out[i]
		in.Args = slices.Clone(in.Args)
		for k, a := range in.Args {
			in.Args[k] = b.same[a]
		}
		b.extents[in.Dst] = b.extent(in)
		if b.idle(in) && p.Regs[in.Dst].Shape == p.Regs[in.Args[0]].Shape {
			b.same[in.Dst] = in.Args[0]
		}
	}
	p.Rename(func(r program.Reg) program.Reg { return b.same[r] })
	return out
}

// extent is the least and the largest that a register can hold, both finite; unknown ones may be NaN or infinite.
type extent struct {
	low, high float64
	known     bool
}

func within(low, high float64) extent {
	if math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) {
		return extent{}
	}
	return extent{min(low, high), max(low, high), true}
}

func (e extent) plus(o extent) extent {
	if !e.known || !o.known {
		return extent{}
	}
	return within(e.low+o.low, e.high+o.high)
}

func (e extent) times(o extent) extent {
	if !e.known || !o.known {
		return extent{}
	}
	corners := []float64{e.low * o.low, e.low * o.high, e.high * o.low, e.high * o.high}
	return within(slices.Min(corners), slices.Max(corners))
}

// or is for a value that is one of two.
func (e extent) or(o extent) extent {
	if !e.known || !o.known {
		return extent{}
	}
	return extent{min(e.low, o.low), max(e.high, o.high), true}
}

type bounder struct {
	p       *program.Program
	extents []extent
	same    []program.Reg // what a register is replaced by
}

// idle reports an instruction that passes its first argument on, whatever that is.
func (b *bounder) idle(in *program.Instr) bool {
	if len(in.Args) == 0 || !b.extents[in.Args[0]].known {
		return false
	}
	a := b.extents[in.Args[0]]
	switch in.Op {
	case program.OpFinite, program.OpNumber:
		return true
	case program.OpStorable:
		return a.low >= math.MinInt64 && a.high < math.MaxInt64
	case "clamp_double_double_double":
		low, high := b.extents[in.Args[1]], b.extents[in.Args[2]]
		return low.known && high.known && a.low >= low.high && a.high <= high.low
	}
	return false
}

func (b *bounder) extent(in *program.Instr) extent {
	arg := func(i int) extent { return b.extents[in.Args[i]] }
	switch in.Op {
	case program.OpConst:
		switch in.Value.Type {
		case schema.Double:
			return within(in.Value.Double, in.Value.Double)
		case schema.Int:
			return within(float64(in.Value.Int), float64(in.Value.Int))
		}
	case program.OpGather, program.OpStorable:
		return arg(0)
	case program.OpCond:
		return arg(1).or(arg(2))
	case "int64_to_double":
		if a := arg(0); a.known {
			return a
		}
		return extent{math.MinInt64, math.MaxInt64, true}
	case program.OpFinite, program.OpNumber:
		if a := arg(0); a.known {
			return a
		}
		return extent{-math.MaxFloat64, math.MaxFloat64, true}
	case "add_double":
		return arg(0).plus(arg(1))
	case "multiply_double":
		return arg(0).times(arg(1))
	case program.OpCapMul:
		return b.product(in.Args)
	case program.OpWeighSum:
		return b.sum(in.Args, 2)
	case program.OpCapSum:
		return b.sum(in.Args, 3)
	case "clamp_double_double_double":
		// Bounds are applied one after the other, so those of a low above the high are the high.
		if a, low, high := arg(0), arg(1), arg(2); a.known && low.known && high.known {
			return within(min(max(a.low, low.low), high.low), min(max(a.high, low.high), high.high))
		}
	}
	return extent{}
}

// sum is that of the first argument and the products after it, of so many arguments each.
func (b *bounder) sum(args []program.Reg, each int) extent {
	e := b.extents[args[0]]
	for rest := range slices.Chunk(args[1:], each) {
		e = e.plus(b.product(rest))
	}
	return e
}

// product is w·min(cap, x), with or without the cap. One that is not above zero is none.
func (b *bounder) product(args []program.Reg) extent {
	x := b.extents[args[1]]
	if len(args) > 2 && x.known {
		if cap := b.extents[args[2]]; cap.known && cap.low > 0 {
			x = extent{min(x.low, cap.low), min(x.high, cap.high), true}
		} else {
			x = extent{min(x.low, 0), max(x.high, 0), true}
		}
	}
	return b.extents[args[0]].times(x)
}
