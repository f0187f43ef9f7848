package vm

import (
	"github.com/fairway-sched/fairway/runtime/program"
)

// vec is the present content of a register: one of the three slices by the register's
// storage, and err, nil unless some value failed, with a number of faults for each
// that did. The value where one failed is arbitrary.
type vec struct {
	f   []float64
	i   []int64
	b   []uint8
	err []uint32
}

func newVec(s program.Storage, n int) vec {
	switch s {
	case program.Doubles:
		return vec{f: make([]float64, n)}
	case program.Ints:
		return vec{i: make([]int64, n)}
	case program.Bools:
		return vec{b: make([]uint8, n)}
	}
	return vec{}
}

func (v *vec) length() int { return len(v.f) + len(v.i) + len(v.b) }

// slice is part of a vec, of whichever storage, without its errors.
func (v *vec) slice(from, to int) vec {
	switch {
	case v.f != nil:
		return vec{f: v.f[from:to]}
	case v.i != nil:
		return vec{i: v.i[from:to]}
	case v.b != nil:
		return vec{b: v.b[from:to]}
	}
	return vec{}
}

// frame is what one worker computes in. The registers above the rows' level are shared
// with the others and only read.
type frame struct {
	run  *run
	v    []vec
	n    int // values in the present block
	lo   int // its first row
	errs map[int32][]uint32

	known map[int32]map[entries]outcome // of calls of several dictionaries, by register
}

// step executes one instruction on the present block.
func (fr *frame) step(s *step) {
	d := &fr.v[s.dst]
	d.err = nil
	if s.strict {
		for _, a := range s.args {
			if fr.v[a].err != nil {
				fr.spread(s)
				break
			}
		}
	}
	s.run(fr, s)
}

// spread gives a strict function the errors of its arguments; the leftmost counts.
func (fr *frame) spread(s *step) {
	for _, a := range s.args {
		switch err := fr.v[a].err; {
		case err == nil:
		case fr.looksUp(s, a):
			for i, code := range fr.run.codes(a, fr) {
				if e := err[code]; e != 0 {
					fr.setErr(s, i, e)
				}
			}
		default:
			for i := range fr.n {
				if e := errAt(err, i); e != 0 {
					fr.setErr(s, i, e)
				}
			}
		}
	}
}

// looksUp reports an argument that each row looks up in its dictionary.
func (fr *frame) looksUp(s *step, a int32) bool {
	regs := fr.run.m.prog.Regs
	return int(a) < len(regs) && regs[a].Shape.Level == program.Dict && s.shape.Level == program.Row
}

// fail marks a value whose own instruction failed.
func (fr *frame) fail(s *step, i int, f fault) { fr.setErr(s, i, code(s.instr, f)) }

// setErr marks a value unless an earlier argument did.
func (fr *frame) setErr(s *step, i int, c uint32) {
	d := &fr.v[s.dst]
	if d.err == nil {
		if len(fr.errs[s.dst]) < fr.n {
			fr.errs[s.dst] = make([]uint32, max(fr.n, min(BlockRows, fr.run.bind.Rows)))
		}
		d.err = fr.errs[s.dst][:fr.n]
		clear(d.err)
	}
	if d.err[i] == 0 {
		d.err[i] = c
	}
}

// errAt is the fault of a value; a single one counts for all.
func errAt(err []uint32, i int) uint32 {
	if err == nil {
		return 0
	}
	return at(err, i)
}

// skewBytes staggers the registers of a worker, which would otherwise all start
// at the same place of a page and push each other out of the first cache.
const skewBytes = 192

// buffers cuts count registers of n values from one allocation, each a little further
// into its page than the last.
func buffers(s program.Storage, count, n int) []vec {
	width := 8
	if s == program.Bools {
		width = 1
	}
	stride := n + skewBytes/width
	all := newVec(s, count*stride)
	out := make([]vec, count)
	for i := range out {
		out[i] = all.slice(i*stride, i*stride+n)
	}
	return out
}

// rows runs the row instructions over rows [from, to), block by block.
func (r *run) rows(from, to int) *tally {
	t := &tally{}
	fr := &frame{run: r, v: append([]vec(nil), r.shared...), errs: map[int32][]uint32{},
		known: map[int32]map[entries]outcome{}}
	var slots [program.Storages][]vec
	for s := program.Doubles; s < program.Storages; s++ {
		slots[s] = buffers(s, r.slots(s), min(BlockRows, max(to-from, 0)))
	}
	var placed *plan // whose registers are in their slots
	for lo := from; lo < to; lo += BlockRows {
		n := min(BlockRows, to-lo)
		fr.lo = lo
		plan := r.planOf(lo)
		if n != fr.n || plan != placed {
			fr.n, placed = n, plan
			for _, p := range plan.placed {
				fr.v[p.dst] = slots[p.storage][p.slot].slice(0, n)
			}
		}
		for i := range r.kept {
			if k := &r.kept[i]; k.Shape.Level == program.Row {
				fr.v[k.Reg] = k.all.slice(lo, lo+n)
			}
		}
		if plan != r.plan {
			for reg, v := range r.reuse.taken {
				fr.v[reg] = block(v, lo, n)
			}
		}
		for i := range plan.rows {
			fr.step(&plan.rows[i])
		}
		r.collect(fr, t)
	}
	return t
}

// planOf is what the block that begins at a row needs: all, or what an earlier run does not have.
func (r *run) planOf(lo int) *plan {
	if r.reuse == nil || r.reuse.dirty[lo/BlockRows] {
		return r.plan
	}
	return r.reuse.rest
}

func (r *run) slots(s program.Storage) int {
	if r.reuse == nil {
		return r.plan.slots[s]
	}
	return max(r.plan.slots[s], r.reuse.rest.slots[s])
}
