package vm

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// loadConst writes the one value; whoever needs it as a vector spreads it.
func loadConst(fr *frame, s *step) {
	v, c := &fr.v[s.dst], fr.run.m.prog.Instrs[s.instr].Value
	switch {
	case v.f != nil:
		v.f[0] = c.Double
	case v.i != nil:
		v.i[0] = c.Int
	case v.b != nil:
		v.b[0] = uint8(c.Int)
	}
}

// loadColumn makes the register a window on the column, without a copy. A value
// that is not known is an error where it is.
func loadColumn(fr *frame, s *step) {
	c, lo := fr.run.column(s), fr.lo
	if s.shape.Level != program.Row {
		lo = 0
	}
	n := min(fr.n, c.Len()-lo)
	d := &fr.v[s.dst]
	switch {
	case c.Type == schema.Bool:
		to, from := d.b[:n], c.Ints[lo:lo+n]
		for i, v := range from {
			to[i] = uint8(v)
		}
	case n < fr.n: // the entry for rows without a value has none in the column
		*d = newVec(program.StorageOf(c.Type), fr.n)
		copy(d.f, c.Doubles)
		copy(d.i, c.Ints)
	case c.Type == schema.Double:
		d.f = c.Doubles[lo : lo+n]
	default:
		d.i = c.Ints[lo : lo+n]
	}
	markMissing(fr, s, c, lo, n)
}

// copyColumn loads a column that is itself returned.
func copyColumn(fr *frame, s *step) {
	own := fr.v[s.dst]
	loadColumn(fr, s)
	d := &fr.v[s.dst]
	copy(own.f, d.f)
	copy(own.i, d.i)
	own.err = d.err
	*d = own
}

// markMissing skips 64 known rows at a time: in most columns every row is known.
func markMissing(fr *frame, s *step, c *column.Column, lo, n int) {
	for i := 0; i < n; {
		row := lo + i
		if row>>6 >= len(c.Missing) {
			break
		}
		if row&63 == 0 && c.Missing[row>>6] == 0 {
			i += 64
			continue
		}
		if c.Missing.Get(row) {
			fr.fail(s, i, faultUnknown)
		}
		i++
	}
	for i := n; i < fr.n; i++ {
		fr.fail(s, i, faultUnknown)
	}
}

// loadPresent is has(): whether the value is known.
func loadPresent(fr *frame, s *step) {
	c, d := fr.run.column(s), fr.v[s.dst].b
	switch {
	case s.shape.Level == program.Dict && fr.run.keys[s.shape.Key].column == c:
		for i := range d {
			d[i] = bit(i < c.DictLen())
		}
	case s.shape.Level == program.Dict:
		for i := range d {
			d[i] = bit(i < c.Len() && !c.Missing.Get(i))
		}
	case s.shape.Level == program.Row:
		for i := range d {
			d[i] = bit(!c.Missing.Get(fr.lo + i))
		}
	default:
		d[0] = bit(!c.Missing.Get(0))
	}
}

// gather spreads a dictionary's register over the rows of the block.
func gather(fr *frame, s *step) {
	from, d := &fr.v[s.args[0]], &fr.v[s.dst]
	codes := fr.run.codes(s.args[0], fr)
	switch {
	case d.f != nil:
		take(d.f, from.f, codes)
	case d.i != nil:
		take(d.i, from.i, codes)
	case d.b != nil:
		take(d.b, from.b, codes)
	}
	if from.err != nil {
		for i, c := range codes {
			if e := from.err[c]; e != 0 {
				fr.setErr(s, i, e)
			}
		}
	}
}

// take looks up; the codes of a block are few cache lines, the table usually stays in the cache.
func take[T any](d, table []T, codes []uint32) {
	codes = codes[:len(d)]
	for i := range d {
		d[i] = table[codes[i]]
	}
}

func (r *run) column(s *step) *column.Column { return r.bind.Columns[r.m.prog.Instrs[s.instr].Column] }

// codes are the entries of a dictionary register that the rows of the block use.
func (r *run) codes(reg int32, fr *frame) []uint32 {
	return r.keys[r.m.prog.Regs[reg].Shape.Key].codes[fr.lo : fr.lo+fr.n]
}
