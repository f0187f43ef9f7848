package vm

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Output is the result of a run.
type Output struct {
	Rows     int
	Vectors  []Vector  // one per kept register, in the order asked
	Failures []Failure // by instruction, then message

	run   *run
	codes []uint32 // of each failure
}

// Vector is one kept register at its own level: one value per row, or one per
// dictionary entry with the rows' codes beside it, or a single one. Which slice is
// in use follows from Type as in a column; where Failed, the value is 0.
type Vector struct {
	Reg     program.Reg
	Type    schema.Type
	Shape   program.Shape
	Doubles []float64
	Ints    []int64  // Int, Timestamp, Duration
	Bools   []uint8  // 0 or 1
	Codes   []uint32 // Dict only: entry of each row
	Errs    []uint32 // nil when nothing failed, else per value 0 or 1 + its index in Output.Failures
}

// Failure is one way in which rows failed.
type Failure struct {
	Instr   int // index into the program's instructions
	Span    source.Span
	Message string
	Count   int // rows
	Row     int // the first of them
}

// Entry is the index of a row's value in the vector's slices.
func (v *Vector) Entry(row int) int {
	switch v.Shape.Level {
	case program.Row:
		return row
	case program.Dict:
		return int(v.Codes[row])
	}
	return 0
}

// Double is a row's value of a double vector.
func (v *Vector) Double(row int) float64 { return v.Doubles[v.Entry(row)] }

// Int is a row's value of an int vector.
func (v *Vector) Int(row int) int64 { return v.Ints[v.Entry(row)] }

// Bool is a row's value of a bool vector.
func (v *Vector) Bool(row int) bool { return v.Bools[v.Entry(row)] != 0 }

// Failure is 1 + the index in Output.Failures of what failed at a row, or 0.
func (v *Vector) Failure(row int) int {
	if v.Errs == nil {
		return 0
	}
	return int(v.Errs[v.Entry(row)])
}

// Value boxes a row's value; a failed one is unknown.
func (v *Vector) Value(row int) schema.Value {
	if v.Failure(row) != 0 {
		return schema.Value{}
	}
	i := v.Entry(row)
	switch {
	case v.Type == schema.Double:
		return schema.DoubleValue(v.Doubles[i])
	case v.Type == schema.Bool:
		return schema.Value{Type: schema.Bool, Int: int64(v.Bools[i])}
	}
	return schema.Value{Type: v.Type, Int: v.Ints[i]}
}

// Vector finds a kept register, or nil.
func (o *Output) Vector(r program.Reg) *Vector {
	for i := range o.Vectors {
		if o.Vectors[i].Reg == r {
			return &o.Vectors[i]
		}
	}
	return nil
}

// output names the failures in program order and puts their places into the vectors, where
// the run left codes.
func (r *run) output(tallies []*tally) *Output {
	total := &tally{}
	for _, t := range tallies {
		total.merge(t)
	}
	out := &Output{Rows: r.bind.Rows, run: r}
	codes := total.codes()
	slices.SortFunc(codes, r.faults.compare)
	out.codes = codes
	place := map[uint32]uint32{}
	for i, code := range codes {
		instr, message := r.faults.describe(code)
		seen := total.seen[code]
		out.Failures = append(out.Failures, Failure{
			Instr: instr, Span: r.m.prog.Instrs[instr].Span, Message: message, Count: seen.count, Row: seen.row,
		})
		place[code] = uint32(i + 1)
	}
	for _, k := range r.kept[:r.asked] {
		v := k.Vector
		for i, code := range v.Errs {
			if code == 0 {
				continue
			}
			v.Errs[i] = place[code] // 0 for an entry that no row uses
			switch {
			case v.Doubles != nil:
				v.Doubles[i] = 0
			case v.Bools != nil:
				v.Bools[i] = 0
			default:
				v.Ints[i] = 0
			}
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out
}
