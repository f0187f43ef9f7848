package vm

import (
	"fmt"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/program"
)

// boxer gives an argument of a boxed call for value i of the present block, and the fault if
// computing it failed. An unknown column value is no fault: the function decides
// whether it really reads it.
type boxer func(i int) (schema.Value, uint32)

// callBoxed runs a function that has no kernels: for each row, or once for each dictionary entry that some row uses,
// or once for each combination of entries of several dictionaries.
func callBoxed(fr *frame, s *step) {
	if s.shape.Level == program.Dict {
		callEntries(fr, s)
		return
	}
	call := fr.newCall(s, fr.boxers(s))
	codes, ok := fr.dictionaries(s)
	if !ok {
		for i := range fr.n {
			call.do(i)
		}
		return
	}
	known := fr.known[s.dst]
	if known == nil {
		known = map[entries]outcome{}
		fr.known[s.dst] = known
	}
	for i := range fr.n {
		var at entries
		for k, c := range codes {
			at[k] = c[i]
		}
		r, ok := known[at]
		if !ok {
			if r = call.result(i); len(known) < mostKnown {
				known[at] = r
			}
		}
		call.put(i, r)
	}
}

// mostKnown bounds what is kept of combinations that are rare each, such as users and job names.
const mostKnown = 1 << 16

// entries are one of each of the dictionaries that a function reads; more than these are not kept.
type entries [4]uint32

// dictionaries are the rows' entries of what a function reads; ok is false where it reads something of the rows
// themselves, or of too many dictionaries.
func (fr *frame) dictionaries(s *step) (codes [][]uint32, ok bool) {
	m := fr.run.m
	in := &m.prog.Instrs[s.instr]
	if s.shape.Level != program.Row || m.prog.ByRow(in) {
		return nil, false
	}
	seen := map[schema.ColumnID]bool{}
	for _, reg := range in.Args {
		if shape := m.prog.Regs[reg].Shape; shape.Level == program.Dict && !seen[shape.Key] {
			seen[shape.Key] = true
			codes = append(codes, fr.run.keys[shape.Key].codes[fr.lo:fr.lo+fr.n])
		}
	}
	return codes, len(codes) <= len(entries{})
}

// callEntries shares the entries out among workers: a function of many names may
// cost more than all rows together.
func callEntries(fr *frame, s *step) {
	used := fr.run.keys[s.shape.Key].used()
	workers := max(1, min(fr.run.workers, fr.n/64))
	box := fr.boxers(s)
	codes := make([]uint32, fr.n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			call := fr.newCall(s, box)
			call.errs = codes
			for i := fr.n * w / workers; i < fr.n*(w+1)/workers; i++ {
				if used.Get(i) {
					call.do(i)
				}
			}
		}()
	}
	wg.Wait()
	for i, c := range codes {
		if c != 0 {
			fr.setErr(s, i, c)
		}
	}
}

// call is one worker's use of a boxed function.
type call struct {
	fr   *frame
	s    *step
	fn   schema.Func
	box  []boxer
	args []schema.Value
	errs []uint32 // where faults go; nil: into the frame
}

func (fr *frame) newCall(s *step, box []boxer) *call {
	in := &fr.run.m.prog.Instrs[s.instr]
	return &call{fr: fr, s: s, fn: fr.run.m.prog.Calls[in.Call].Fn, box: box, args: make([]schema.Value, len(box))}
}

// outcome is what a call comes to: a value, or a fault.
type outcome struct {
	v   schema.Value
	err uint32
}

// do calls the function for value i.
func (c *call) do(i int) { c.put(i, c.result(i)) }

// result calls the function. A result of another type than declared is a failure of the
// row, not of the run: the function came from outside.
func (c *call) result(i int) outcome {
	for a, box := range c.box {
		v, e := box(i)
		if e != 0 {
			return outcome{err: e}
		}
		c.args[a] = v
	}
	v, err := c.fn(c.args)
	want := c.fr.run.m.prog.Regs[c.s.dst].Type
	if err == nil && v.Type != want {
		err = fmt.Errorf("the result is %s, not %s", v.Type, want)
	}
	if err != nil {
		return outcome{err: c.fr.run.faults.message(c.s.instr, err.Error())}
	}
	return outcome{v: v}
}

func (c *call) put(i int, r outcome) {
	if r.err != 0 {
		c.fail(i, r.err)
		return
	}
	v, d := r.v, &c.fr.v[c.s.dst]
	switch {
	case d.f != nil:
		d.f[i] = v.Double
	case d.i != nil:
		d.i[i] = v.Int
	case d.b != nil:
		d.b[i] = uint8(v.Int)
	}
}

func (c *call) fail(i int, e uint32) {
	if c.errs != nil {
		c.errs[i] = e
		return
	}
	c.fr.setErr(c.s, i, e)
}

// boxers are made per block, for they know where it begins.
func (fr *frame) boxers(s *step) []boxer {
	in := &fr.run.m.prog.Instrs[s.instr]
	box := make([]boxer, len(in.Args))
	for a, reg := range in.Args {
		if fr.run.m.isColumn(reg) {
			box[a] = fr.boxColumn(reg, s.shape.Level)
		} else {
			box[a] = fr.boxRegister(reg, s.shape.Level)
		}
	}
	return box
}

// entry translates a value's place in the block of a call into a register's own.
func (fr *frame) entry(reg program.Reg, level program.Level) func(i int) int {
	shape := fr.run.m.prog.Regs[reg].Shape
	switch {
	case shape.Level == program.Once:
		return func(int) int { return 0 }
	case shape.Level == program.Dict && level == program.Row:
		codes := fr.run.keys[shape.Key].codes[fr.lo:]
		return func(i int) int { return int(codes[i]) }
	}
	return func(i int) int { return i }
}

// boxColumn boxes from the column itself.
func (fr *frame) boxColumn(reg program.Reg, level program.Level) boxer {
	m := fr.run.m
	id, shape := m.prog.Instrs[m.def[reg]].Column, m.prog.Regs[reg].Shape
	c, entry := fr.run.bind.Columns[id], fr.entry(reg, level)
	switch {
	case shape.Level == program.Dict && shape.Key == id:
		return func(i int) (schema.Value, uint32) {
			if e := entry(i); e < c.DictLen() {
				return c.DictValue(e), 0
			}
			return schema.Value{}, 0
		}
	case shape.Level == program.Dict:
		return func(i int) (schema.Value, uint32) {
			if e := entry(i); e < c.Len() {
				return c.Value(e), 0
			}
			return schema.Value{}, 0
		}
	case shape.Level == program.Row:
		lo := fr.lo
		return func(i int) (schema.Value, uint32) { return c.Value(lo + i), 0 }
	}
	return func(int) (schema.Value, uint32) { return c.Value(0), 0 }
}

// boxRegister boxes a computed value, such as the score.
func (fr *frame) boxRegister(reg program.Reg, level program.Level) boxer {
	v, t, entry := &fr.v[reg], fr.run.m.prog.Regs[reg].Type, fr.entry(reg, level)
	return func(i int) (schema.Value, uint32) {
		i = entry(i)
		if e := errAt(v.err, i); e != 0 {
			return schema.Value{}, e
		}
		switch {
		case v.f != nil:
			return schema.Value{Type: t, Double: v.f[i]}, 0
		case v.b != nil:
			return schema.Value{Type: t, Int: int64(v.b[i])}, 0
		}
		return schema.Value{Type: t, Int: v.i[i]}, 0
	}
}
