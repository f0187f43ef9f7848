package vm

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// reuse finds what a run need not compute, since an earlier run has it: registers whose instructions are the same
// and whose arguments have not changed. What holds above the rows is taken whole. Of row registers
// only those that the earlier run returned are there; they are taken in blocks of rows in which no column has changed.
type reuse struct {
	run, old *run
	codes    []uint32 // of the earlier run: the fault of each failure of its output
	spans    []column.Span
	same     bool // the program is the same, so that faults have the same numbers

	match []int   // per instruction: the same one of the earlier run, or -1
	back  []int   // the other way round
	state []state // per register
	rest  *plan   // the steps of blocks in which no column has changed
	dirty []bool  // per block: some column has
	taken map[program.Reg]vec
	asIs  map[program.Reg]vec // of taken, those that are the same in every row
}

// state is what is known of a register against its match in the earlier run.
type state uint8

const (
	differs state = iota
	begins        // the entries that the dictionary had then are the same
	whole         // all is the same
)

func newReuse(r, old *run, codes []uint32, spans []column.Span) *reuse {
	u := &reuse{run: r, old: old, codes: codes, spans: spans, same: r.m.prog == old.m.prog,
		state: make([]state, len(r.m.prog.Regs)), taken: map[program.Reg]vec{},
		asIs: map[program.Reg]vec{}}
	if spans == nil {
		u.spans = column.Same(min(r.bind.Rows, old.bind.Rows))
	}
	if u.same {
		r.faults.said, r.faults.num = slices.Clone(old.faults.said), nil
		for n, s := range old.faults.said {
			r.faults.number(s, uint32(n))
		}
	}
	u.matchAll()
	u.back = make([]int, len(old.m.prog.Instrs))
	for i, at := range u.match {
		if at >= 0 {
			u.back[at] = i
		}
	}
	return u
}

// faults are those of a register of the earlier run, as this one numbers them. What failed is among the instructions
// that the register depends on, all of which both runs have.
func (u *reuse) faults(err []uint32) []uint32 {
	if u.same || err == nil {
		return err
	}
	out, messages := make([]uint32, len(err)), code(len(u.old.m.prog.Instrs), 0)
	for i, c := range err {
		switch {
		case c == 0:
		case c >= messages:
			s := u.old.faults.said[c-messages]
			out[i] = u.run.faults.message(u.back[s.instr], s.message)
		default:
			out[i] = code(u.back[int(c-1)/int(faultKinds)], fault(c-1)%faultKinds)
		}
	}
	return out
}

// matchAll pairs the instructions of both programs. Of equal ones the first is paired with the first: a
// failure is of one instruction and of no other.
func (u *reuse) matchAll() {
	prog := u.run.m.prog
	u.match = make([]int, len(prog.Instrs))
	if u.same {
		for i := range u.match {
			u.match[i] = i
		}
		return
	}
	before := u.old.m.prog
	known := map[string][]int{}
	var key []byte
	for i := range before.Instrs {
		key = keyOf(key[:0], before, i, func(r program.Reg) int { return int(r) })
		known[string(key)] = append(known[string(key)], i)
	}
	for i := range prog.Instrs {
		u.match[i] = -1
		key = keyOf(key[:0], prog, i, func(r program.Reg) int {
			if at := u.match[u.run.m.def[r]]; at >= 0 {
				return int(before.Instrs[at].Dst)
			}
			return -1
		})
		if list := known[string(key)]; len(list) > 0 {
			u.match[i], known[string(key)] = list[0], list[1:]
		}
	}
}

// keyOf spells an instruction; arg numbers the registers as the earlier program does. Boxed functions of equal text
// compute the same: the constants that they were compiled with are in it.
func keyOf(key []byte, p *program.Program, i int, arg func(program.Reg) int) []byte {
	in := &p.Instrs[i]
	reg := &p.Regs[in.Dst]
	key = append(append(append(append(key, in.Op...), ' '), in.Column...), ' ')
	key = append(strconv.AppendUint(key, uint64(reg.Type), 10), ' ', byte('0'+reg.Shape.Level))
	key = append(append(key, reg.Shape.Key...), ' ')
	if in.Op == program.OpCall {
		key = append(append(key, p.Calls[in.Call].Text...), '\n')
	}
	if in.Op == program.OpConst {
		key = fmt.Appendf(key, "%d %d %x %q %q", in.Value.Type, in.Value.Int, math.Float64bits(in.Value.Double), in.Value.Str,
			in.Value.List)
	}
	for _, a := range in.Args {
		key = append(strconv.AppendInt(key, int64(arg(a)), 10), ',')
	}
	return key
}

// frontier are the row registers that are as in the earlier program and that changed instructions read. They are kept
// too: the next change may well be of the same instructions.
func (u *reuse) frontier() []program.Reg {
	m := u.run.m
	seen := map[program.Reg]bool{}
	for _, r := range u.run.plan.keep {
		seen[r] = true
	}
	var more []program.Reg
	for i := range u.run.plan.rows {
		at := u.run.plan.rows[i].instr
		if u.match[at] >= 0 {
			continue
		}
		for _, a := range m.prog.Instrs[at].Args {
			if m.level(a) == program.Row && m.storage(a) != program.NoStorage && !m.isColumn(a) && u.match[m.def[a]] >= 0 &&
				!seen[a] {
				seen[a], more = true, append(more, a)
			}
		}
	}
	return more
}

// before is the register of the earlier run that matches one, and whether it is computed there.
func (u *reuse) before(reg program.Reg) (*vec, bool) {
	at := u.match[u.run.m.def[reg]]
	if at < 0 {
		return nil, false
	}
	v := &u.old.shared[u.old.m.prog.Instrs[at].Dst]
	return v, v.length() > 0
}

// take takes a register above the rows from the earlier run if nothing that it depends on has changed.
func (u *reuse) take(s *step) bool {
	in := &u.run.m.prog.Instrs[s.instr]
	have, ok := u.before(in.Dst)
	if !ok || !u.unchanged(in, s.shape) {
		return false
	}
	taken := *have
	taken.err = u.faults(have.err)
	u.run.shared[s.dst] = taken
	u.state[in.Dst] = whole
	return true
}

// unchanged reports an instruction above the rows whose arguments are those of the earlier run.
func (u *reuse) unchanged(in *program.Instr, shape program.Shape) bool {
	now, then := u.run.bind.Columns, u.old.bind.Columns
	if shape.Level == program.Dict {
		a, b := u.run.keys[shape.Key], u.old.keys[shape.Key]
		if b == nil || a.entries != b.entries || a.column.DictLen() != b.column.DictLen() {
			return false
		}
		if in.Op == program.OpCall && a.column != b.column &&
			(!sameEntries(a.column, b.column) || !within(a.used(), b.used())) {
			return false // it was computed for the entries in use
		}
	}
	for _, a := range in.Args {
		if column := u.run.m.prog.Instrs[u.run.m.def[a]].Column; u.run.m.isColumn(a) {
			if !sameColumn(now[column], then[column]) {
				return false
			}
		} else if u.state[a] != whole {
			return false
		}
	}
	return in.Column == "" || sameColumn(now[in.Column], then[in.Column])
}

// sameColumn compares columns with an entry for each name, or one for all.
func sameColumn(a, b *column.Column) bool {
	return a == b || a != nil && b != nil && a.Type == b.Type && a.Len() == b.Len() && sameEntries(a, b) &&
		slices.Equal(a.Ints, b.Ints) &&
		slices.Equal(a.Codes, b.Codes) && equalDoubles(a.Doubles, b.Doubles, 0, 0, len(a.Doubles)) &&
		equalMarks(a.Missing, b.Missing, 0, 0, a.Len())
}

// compare finds out whether a register above the rows, which was computed anew, is as before.
func (u *reuse) compare(s *step) {
	reg := program.Reg(s.dst)
	have, ok := u.before(reg)
	if !ok {
		return
	}
	got := &u.run.shared[reg]
	if got.err != nil || have.err != nil {
		return
	}
	if s.shape.Level == program.Dict {
		a, b := u.run.keys[s.shape.Key].column.DictLen(), u.old.keys[s.shape.Key].column.DictLen()
		if (got.length() != a || have.length() != b) && (a != b || got.length() != have.length()) {
			return // rows without a value have an entry of their own
		}
	}
	switch {
	case !sameBeginning(got, have):
	case got.length() == have.length():
		u.state[reg] = whole
	case got.length() > have.length():
		u.state[reg] = begins
	}
}

// sameBeginning compares what both have of one register.
func sameBeginning(a, b *vec) bool {
	f, i, bools := min(len(a.f), len(b.f)), min(len(a.i), len(b.i)), min(len(a.b), len(b.b))
	return equalDoubles(a.f, b.f, 0, 0, f) && slices.Equal(a.i[:i], b.i[:i]) && slices.Equal(a.b[:bools], b.b[:bools])
}

// takeRows decides which blocks of rows are computed whole, and which steps the others need.
func (r *run) takeRows() {
	u := r.reuse
	u.dirty = make([]bool, (r.bind.Rows+BlockRows-1)/BlockRows)
	u.markNew()
	changed := map[schema.ColumnID]bool{}
	for i := range r.plan.rows {
		u.follow(&r.plan.rows[i], changed)
	}
	have := map[program.Reg]int{}
	for k := range u.old.kept {
		if !u.old.kept[k].failed {
			have[u.old.kept[k].Reg] = k
		}
	}
	cut := make([]bool, len(r.m.prog.Regs))
	for reg, s := range u.state {
		if s != whole || r.m.prog.Regs[reg].Shape.Level != program.Row {
			continue
		}
		k, ok := have[u.old.m.prog.Instrs[u.match[r.m.def[reg]]].Dst]
		if !ok {
			continue
		}
		cut[reg] = true
		u.taken[program.Reg(reg)] = u.moved(&u.old.kept[k])
	}
	u.rest = r.m.plan(r.plan.keep, cut)
	if u.still() {
		for reg, v := range u.taken {
			if v.err == nil {
				u.asIs[reg] = vec{f: v.f, i: v.i, b: v.b}
			}
		}
	}
}

// asBefore is a register that an earlier run returned and that is as it was, in all rows.
func (r *run) asBefore(reg program.Reg) vec {
	if r.reuse == nil {
		return vec{}
	}
	return r.reuse.asIs[reg]
}

// fillTaken copies into what is returned the rows of the earlier run, of registers that some block computes anew.
func (r *run) fillTaken() {
	for i := range r.kept {
		k := &r.kept[i]
		v, ok := r.reuse.taken[k.Reg]
		if _, as := r.reuse.asIs[k.Reg]; ok && !as && k.Shape.Level == program.Row {
			copy(k.all.f, v.f)
			copy(k.all.i, v.i)
			copy(k.all.b, v.b)
		}
	}
}

// still reports that all rows are where they were and no column has changed.
func (u *reuse) still() bool { return u.inPlace() && !slices.Contains(u.dirty, true) }

func (u *reuse) inPlace() bool {
	return u.run.bind.Rows == u.old.bind.Rows && len(u.spans) == 1 && u.spans[0] == column.Span{N: u.run.bind.Rows}
}

// markNew marks the blocks with rows that the earlier run does not have.
func (u *reuse) markNew() {
	at := 0
	for _, s := range append(u.spans[:len(u.spans):len(u.spans)], column.Span{At: u.run.bind.Rows}) {
		for row := at; row < s.At; row = (row/BlockRows + 1) * BlockRows {
			u.dirty[row/BlockRows] = true
		}
		at = s.At + s.N
	}
}

// moved lays a returned register of the earlier run out over the rows of this one.
func (u *reuse) moved(k *kept) vec {
	v := k.all
	if k.Errs != nil {
		v.err = make([]uint32, len(k.Errs))
		for row, place := range k.Errs {
			if place != 0 {
				v.err[row] = u.codes[place-1]
			}
		}
		v.err = u.faults(v.err)
	}
	if u.inPlace() {
		return v
	}
	rows := u.run.bind.Rows
	switch {
	case v.f != nil:
		v.f = column.Rearrange(v.f, u.spans, rows)
	case v.i != nil:
		v.i = column.Rearrange(v.i, u.spans, rows)
	default:
		v.b = column.Rearrange(v.b, u.spans, rows)
	}
	if v.err != nil {
		v.err = column.Rearrange(v.err, u.spans, rows)
	}
	return v
}

// follow finds the state of a row register, and marks the blocks in which a column that it reads has changed.
func (u *reuse) follow(s *step, changed map[schema.ColumnID]bool) {
	m := u.run.m
	in := &m.prog.Instrs[s.instr]
	if u.match[s.instr] < 0 {
		return
	}
	same := true
	note := func(id schema.ColumnID) { same = same && u.column(id, changed) }
	if in.Column != "" {
		note(in.Column)
	}
	for _, a := range in.Args {
		switch shape := m.prog.Regs[a].Shape; {
		case in.Op == program.OpCall && m.isColumn(a):
			id := m.prog.Instrs[m.def[a]].Column
			if shape.Level == program.Dict {
				note(shape.Key)
				same = same && (shape.Key == id || u.sameColumn(id))
			} else if shape.Level == program.Row {
				note(id)
			} else {
				same = same && u.sameColumn(id)
			}
		case shape.Level == program.Dict:
			note(shape.Key)
			same = same && u.state[a] != differs
		default:
			same = same && u.state[a] == whole
		}
	}
	if same {
		u.state[in.Dst] = whole
	}
}

func (u *reuse) sameColumn(id schema.ColumnID) bool {
	return sameColumn(u.run.bind.Columns[id], u.old.bind.Columns[id])
}

// column marks the blocks in which a column of the rows has changed. It is not comparable if the binding of the
// earlier run lacks it or its dictionary began otherwise.
func (u *reuse) column(id schema.ColumnID, changed map[schema.ColumnID]bool) (comparable bool) {
	if known, ok := changed[id]; ok {
		return known
	}
	now, then := u.run.bind.Columns[id], u.old.bind.Columns[id]
	switch {
	case then == nil || then.Type != now.Type || then.Len() != u.old.bind.Rows:
		comparable = false
	case now == then && u.inPlace():
		comparable = true
	case now.Codes != nil && !dictionaryBegins(now, then):
		comparable = false
	default:
		comparable = true
		u.markChanged(now, then)
	}
	changed[id] = comparable
	return comparable
}

func dictionaryBegins(now, then *column.Column) bool {
	return now.DictLen() >= then.DictLen() && sameEntries(now, then)
}

// sameEntries compares the entries that both dictionaries have.
func sameEntries(a, b *column.Column) bool {
	n := min(len(a.Dict), len(b.Dict))
	if n > 0 && &a.Dict[0] != &b.Dict[0] && !slices.Equal(a.Dict[:n], b.Dict[:n]) {
		return false
	}
	n = min(len(a.Lists), len(b.Lists))
	return n == 0 || &a.Lists[0] == &b.Lists[0] || slices.EqualFunc(a.Lists[:n], b.Lists[:n], slices.Equal[[]string])
}

// markChanged compares block by block, up to the first difference.
func (u *reuse) markChanged(now, then *column.Column) {
	missing := now.Missing != nil || then.Missing != nil
	for _, s := range u.spans {
		for lo := s.At; lo < s.At+s.N; {
			block := lo / BlockRows
			n := min(s.At+s.N, (block+1)*BlockRows) - lo
			if !u.dirty[block] {
				from := s.From + lo - s.At
				u.dirty[block] = now.Doubles != nil && !equalDoubles(now.Doubles, then.Doubles, lo, from, n) ||
					now.Ints != nil && !slices.Equal(now.Ints[lo:lo+n], then.Ints[from:from+n]) ||
					now.Codes != nil && !slices.Equal(now.Codes[lo:lo+n], then.Codes[from:from+n]) ||
					missing && !equalMarks(now.Missing, then.Missing, lo, from, n)
			}
			lo += n
		}
	}
}

// equalDoubles compares bits: no NaN equals itself otherwise, and the two zeros do.
func equalDoubles(a, b []float64, at, from, n int) bool {
	a, b = a[at:at+n], b[from:from+n]
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

func equalMarks(a, b column.Bitmap, at, from, n int) bool {
	for i := range n {
		if a.Get(at+i) != b.Get(from+i) {
			return false
		}
	}
	return true
}

// within reports that every mark of a is one of b.
func within(a, b column.Bitmap) bool {
	for i, word := range a {
		if i >= len(b) && word != 0 || i < len(b) && word&^b[i] != 0 {
			return false
		}
	}
	return true
}

// block is a taken register over a block of rows, with its faults if some row of the block failed.
func block(v vec, lo, n int) vec {
	out := v.slice(lo, lo+n)
	if v.err != nil && slices.ContainsFunc(v.err[lo:lo+n], func(c uint32) bool { return c != 0 }) {
		out.err = v.err[lo : lo+n]
	}
	return out
}
