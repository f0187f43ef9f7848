package limit

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// builder lays a program's limits out as slots over the dictionaries of the jobs.
type builder struct {
	limits  []program.Limit
	how     program.Counting
	rows    *column.Table
	amounts amounts
	keyed   map[string]int // number of each way of counting, by its credentials
	keys    []keys
	absent  *column.Column // of a credential that no job has
}

// kind is what limits of one slot have in common.
type kind struct {
	object, per, counts, phase, name string
	atLeast                          bool
}

func newBuilder(p *program.Program, rows *column.Table, o Options) *builder {
	return &builder{limits: p.Limits, how: p.Counting, rows: rows,
		amounts: amounts{reads: map[schema.ColumnID]*column.Column{}, rows: rows, now: o.Now, procs: o.Procs,
			how: p.Counting},
		keyed:  map[string]int{},
		absent: &column.Column{Type: schema.String, Codes: make([]uint32, rows.Rows), Dict: []string{""}}}
}

// kindOf says which limits replace each other. In Maui those on the same count do; in a
// policy from scratch, where blocks inherit by name, those of the same name. One with a
// condition is no part of Maui and counts beside its limits.
func (b *builder) kindOf(i int) kind {
	l := &b.limits[i]
	k := kind{object: l.Object, per: strings.Join(l.Per, " "), counts: l.Counts, phase: l.Phase, atLeast: l.AtLeast}
	if !b.how.OneEach || l.When != program.NoReg {
		k.name = l.Name
	}
	return k
}

// slots in the order in which they are asked.
func (b *builder) slots() []slot {
	var list []slot
	at := map[kind]int{}
	slotOf := func(k kind, per []string) *slot {
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, b.slot(k, per))
		}
		return &list[i]
	}
	for i := range b.limits {
		l := &b.limits[i]
		if l.Kind != "" {
			continue // Slurm's own: see Slurm
		}
		if l.Override {
			for _, object := range reached(l) {
				if !l.Existing {
					slotOf(kind{object: object, per: object, counts: l.Counts, phase: l.Phase}, perOf(object))
				}
			}
			continue
		}
		b.place(slotOf(b.kindOf(i), l.Per), i)
	}
	for i := range b.limits {
		if b.limits[i].Override {
			b.override(list, i)
		}
	}
	for i := range list {
		b.finish(&list[i])
	}
	if b.how.OneEach {
		slices.SortStableFunc(list, inMauiOrder)
	}
	return list
}

// finish enters the bounds of each counter and finds out whether more than these decides.
func (b *builder) finish(s *slot) {
	s.plain = len(s.overrides) == 0 && !s.atLeast
	for key := range s.counters {
		c := &s.counters[key]
		c.bound = [2]int64{program.NoLimit, program.NoLimit}
		if c.own == noLimit {
			continue
		}
		l := &b.limits[c.own]
		c.bound = [2]int64{Soft: l.Soft, Hard: l.Hard}
		s.plain = s.plain && l.When == program.NoReg
	}
}

// bounding lists what is counted by slots with a bound on some job.
func (b *builder) bounding(list []slot) (counts []count) {
	bounds := func(i int32) bool {
		return i != noLimit && (b.limits[i].Soft != program.NoLimit || b.limits[i].Hard != program.NoLimit)
	}
	for i := range list {
		s := &list[i]
		if slices.ContainsFunc(s.counters, func(c counter) bool { return bounds(c.own) }) ||
			slices.ContainsFunc(s.overrides, func(o override) bool { return slices.ContainsFunc(o.limit, bounds) }) {
			counts = append(counts, count{s.counts, s.phase == Job})
		}
	}
	return counts
}

// pack lays keys and amounts out job by job.
func (b *builder) pack(g *Gate) {
	g.nKeys, g.nAmounts = len(b.keys), len(b.amounts.list)
	g.keys, g.amounts = make([]uint32, g.nKeys*b.rows.Rows), make([]int64, g.nAmounts*b.rows.Rows)
	for k := range b.keys {
		for job, key := range b.keys[k].of {
			g.keys[job*g.nKeys+k] = key
		}
	}
	for k, list := range b.amounts.list {
		for job, amount := range list {
			g.amounts[job*g.nAmounts+k] = amount
		}
	}
}

func perOf(object string) []string {
	if object == "" {
		return nil
	}
	return []string{object}
}

// slot makes an empty slot with its counters.
func (b *builder) slot(k kind, per []string) slot {
	s := slot{object: k.object, per: per, counts: k.counts, phase: k.phase, atLeast: k.atLeast, byName: k.name != ""}
	s.keyAt, s.amountAt = b.keysOf(per), b.amounts.of(count{k.counts, k.phase == Job})
	c := &b.keys[s.keyAt]
	s.dict, s.combined = c.dict, c.combined
	s.counters = make([]counter, c.n)
	for i := range s.counters {
		s.counters[i].own = noLimit
	}
	return s
}

// place enters a limit into the counters it holds for. The more it says about who it concerns,
// the sooner it counts: a name before all others, a pair of names before a name with
// any. Of two that say the same the later counts.
func (b *builder) place(s *slot, i int) {
	enter := func(key uint32) {
		rank := b.rank(s, i, key)
		if old := s.counters[key].own; rank > 0 && (old == noLimit || rank >= b.rank(s, int(old), key)) {
			s.counters[key].own = int32(i)
		}
	}
	if l := &b.limits[i]; s.object != "" && !l.Others {
		for _, key := range b.keys[s.keyAt].first[l.Row] {
			enter(key)
		}
		return
	}
	for key := range s.counters {
		enter(uint32(key))
	}
}

// rank says how closely a limit names the credentials of a counter; 0: it does not mean them.
func (b *builder) rank(s *slot, i int, key uint32) int {
	l, rank := &b.limits[i], 1
	names := s.names(key)
	if s.object != "" {
		switch {
		case names[0] == l.Row && !l.Others:
			rank += 1 << len(names)
		case !l.Others:
			return 0
		}
		names = names[1:]
	}
	for k, name := range l.Cross {
		switch {
		case name == "":
		case k < len(names) && names[k] == name:
			rank++
		default:
			return 0
		}
	}
	return rank
}

// override enters a limit that replaces others into every slot that it reaches.
func (b *builder) override(list []slot, i int) {
	l := &b.limits[i]
	o := override{keyAt: b.keysOf([]string{l.Object}), existing: l.Existing}
	dict := b.keys[o.keyAt].dict
	o.limit = make([]int32, len(dict))
	for code, name := range dict {
		o.limit[code] = noLimit
		if name == l.Row || l.Others {
			o.limit[code] = int32(i)
		}
	}
	objects := reached(l)
	for j := range list {
		s := &list[j]
		if s.counts == l.Counts && s.phase == l.Phase && !s.byName && !s.atLeast && slices.Contains(objects, s.object) {
			s.overrides = append(s.overrides, o)
		}
	}
}
