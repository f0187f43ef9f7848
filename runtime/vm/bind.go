package vm

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// run is one execution of a plan over a binding.
type run struct {
	m       *Machine
	plan    *plan
	bind    Binding
	workers int
	keys    map[schema.ColumnID]*key
	shared  []vec // what holds above the rows' level, read by every worker
	kept    []kept
	asked   int // how many of them are returned; the others are for a later run
	faults  faults
	reuse   *reuse // nil: all is computed
}

// key is a dictionary column that others are looked up by. Rows that have no value get an
// entry of their own after the dictionary's, for which everything is unknown.
type key struct {
	column  *column.Column
	codes   []uint32
	entries int // the dictionary's, and one more if some row has no value
	used    func() column.Bitmap
}

// kept is a register to return. Errs of row registers appear with the first failure.
type kept struct {
	Vector
	all    vec
	once   *sync.Once
	failed bool // of one that is not returned: some row has no value
}

// newRun checks the binding against what the plan reads, and only that: a term that
// is not kept may read a column that is not bound.
func newRun(m *Machine, p *plan, b Binding, workers int) (*run, error) {
	b.Columns = maps.Clone(b.Columns) // a later run compares them, and the caller may put others
	r := &run{m: m, plan: p, asked: len(p.keep), bind: b, workers: workers, keys: map[schema.ColumnID]*key{},
		faults: faults{prog: m.prog}}
	for _, i := range p.reads {
		if err := r.bindColumn(&m.prog.Instrs[i]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// bindColumn checks that a column is there with the length its shape asks for.
func (r *run) bindColumn(in *program.Instr) error {
	c := r.bind.Columns[in.Column]
	if c == nil {
		return fmt.Errorf("column %s is missing", in.Column)
	}
	if t := r.m.prog.Regs[in.Dst].Type; in.Op == program.OpColumn && c.Type != t {
		return fmt.Errorf("column %s is %s, the program wants %s", in.Column, c.Type, t)
	}
	want := 1
	switch shape := r.m.prog.Regs[in.Dst].Shape; shape.Level {
	case program.Row:
		want = r.bind.Rows
	case program.Dict:
		if err := r.bindKey(shape.Key); err != nil {
			return err
		}
		want = r.keys[shape.Key].column.DictLen()
		if shape.Key == in.Column {
			want = r.bind.Rows
		}
	}
	if c.Len() != want {
		return fmt.Errorf("column %s has %d entries, not %d", in.Column, c.Len(), want)
	}
	return nil
}

// bindKey prepares a dictionary column for look-ups. Codes are within the dictionary: that is
// an invariant of columns and not looked at again for every row.
func (r *run) bindKey(id schema.ColumnID) error {
	if r.keys[id] != nil {
		return nil
	}
	c := r.bind.Columns[id]
	switch {
	case c == nil:
		return fmt.Errorf("column %s is missing", id)
	case c.Type != schema.String && c.Type != schema.StringList:
		return fmt.Errorf("column %s is %s and has no dictionary", id, c.Type)
	case c.Len() != r.bind.Rows:
		return fmt.Errorf("column %s has %d entries, not %d", id, c.Len(), r.bind.Rows)
	}
	k := &key{column: c, codes: c.Codes, entries: c.DictLen()}
	if c.Missing.Any() {
		k.codes = append([]uint32(nil), c.Codes...)
		for row := range k.codes {
			if c.Missing.Get(row) {
				k.codes[row] = uint32(k.entries)
			}
		}
		k.entries++
	}
	k.used = sync.OnceValue(func() column.Bitmap {
		used := make(column.Bitmap, (k.entries+63)/64)
		for _, code := range k.codes {
			used[code>>6] |= 1 << (code & 63)
		}
		return used
	})
	r.keys[id] = k
	return nil
}

// size is how many values a shape has; for rows, those of a block.
func (r *run) size(s program.Shape) int {
	switch s.Level {
	case program.Dict:
		return r.keys[s.Key].entries
	case program.Row:
		return min(BlockRows, r.bind.Rows)
	}
	return 1
}

// prepare computes what lies above the rows and lays out what is returned.
func (r *run) prepare() {
	r.shared = make([]vec, len(r.m.prog.Regs)+len(r.m.spread))
	fr := &frame{run: r, v: r.shared, errs: map[int32][]uint32{}}
	for i := range r.plan.before {
		s := &r.plan.before[i]
		fr.n = r.size(s.shape)
		if r.reuse != nil && r.reuse.take(s) {
			continue
		}
		if !r.m.aliases(s) {
			r.shared[s.dst] = newVec(program.StorageOf(r.m.prog.Regs[s.dst].Type), fr.n)
		}
		for _, a := range s.args {
			r.fill(a)
		}
		if fr.n > 0 { // a dictionary without entries is that of no rows
			fr.step(s)
		}
		if r.reuse != nil {
			r.reuse.compare(s)
		}
	}
	for i := range r.plan.rows {
		for _, a := range r.plan.rows[i].args {
			r.fill(a)
		}
	}
}

// fill writes a spread-out scalar, unless the operand is a register or filled already.
func (r *run) fill(a int32) {
	which := int(a) - len(r.m.prog.Regs)
	if which < 0 || r.shared[a].length() > 0 {
		return
	}
	sp := r.m.spread[which]
	from, n := &r.shared[sp.from], r.size(sp.shape)
	to := &r.shared[sp.to]
	*to = newVec(program.StorageOf(r.m.prog.Regs[sp.from].Type), n)
	for i := range to.f {
		to.f[i] = from.f[0]
	}
	for i := range to.i {
		to.i[i] = from.i[0]
	}
	for i := range to.b {
		to.b[i] = from.b[0]
	}
	to.err = from.err
}

// layOutAll makes the vectors that are returned.
func (r *run) layOutAll() {
	for _, reg := range r.plan.keep {
		r.kept = append(r.kept, r.layOut(reg))
	}
}

// layOut makes the vector that is returned for a register.
func (r *run) layOut(reg program.Reg) kept {
	is := r.m.prog.Regs[reg]
	k := kept{Vector: Vector{Reg: reg, Type: is.Type, Shape: is.Shape}, once: &sync.Once{}}
	again := slices.IndexFunc(r.kept, func(k kept) bool { return k.Reg == reg })
	if again >= 0 {
		k.all = r.kept[again].all
		k.Errs = slices.Clone(r.kept[again].Errs)
	} else if is.Shape.Level == program.Row {
		if k.all = r.asBefore(reg); k.all.length() == 0 {
			k.all = newVec(program.StorageOf(is.Type), r.bind.Rows)
		}
	} else {
		have := r.shared[reg]
		k.all = vec{
			f: append([]float64(nil), have.f...), i: append([]int64(nil), have.i...), b: append([]uint8(nil), have.b...),
		}
		k.Errs = append([]uint32(nil), have.err...)
	}
	if is.Shape.Level == program.Dict {
		k.Codes = r.keys[is.Shape.Key].codes
	}
	k.Doubles, k.Ints, k.Bools = k.all.f, k.all.i, k.all.b
	return k
}

// collect counts the failures of a block and notes them in what is returned.
func (r *run) collect(fr *frame, t *tally) {
	failed := false
	for i := range r.kept {
		k := &r.kept[i]
		if k.Shape.Level != program.Row {
			failed = failed || k.Errs != nil
			continue
		}
		err := fr.v[k.Reg].err
		switch {
		case err == nil:
		case i >= r.asked:
			k.once.Do(func() { k.failed = true })
		default:
			failed = true
			k.once.Do(func() { k.Errs = make([]uint32, r.bind.Rows) })
			copy(k.Errs[fr.lo:], err)
		}
	}
	if !failed {
		return
	}
	for row := fr.lo; row < fr.lo+fr.n; row++ {
		t.inRow = t.inRow[:0]
		for i := range r.asked {
			k := &r.kept[i]
			c := uint32(0)
			switch {
			case k.Shape.Level != program.Row:
				if k.Errs != nil {
					c = k.Errs[k.Entry(row)]
				}
			default:
				c = errAt(fr.v[k.Reg].err, row-fr.lo)
			}
			if c != 0 {
				t.inRow = append(t.inRow, c)
			}
		}
		t.add(row, t.inRow)
	}
}
