package limit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// builder lays a program's limits out as slots over the dictionaries of the jobs.
type builder struct {
	limits  []program.Limit
	maui    bool
	rows    *column.Table
	amounts amounts
	keyed   map[string]counters
}

// kind is what limits of one slot have in common.
type kind struct {
	object, per, counts, phase, name string
	atLeast                          bool
}

func newBuilder(p *program.Program, rows *column.Table, now int64, diags *diag.List) *builder {
	return &builder{limits: p.Limits, maui: p.Family == "maui", rows: rows,
		amounts: amounts{rows: rows, now: now, narrow: p.Family == "maui", diags: diags, known: map[string][]int64{}},
		keyed:   map[string]counters{}}
}

// kindOf says which limits replace each other. In Maui those on the same count do; in a
// policy from scratch, where blocks inherit by name, those of the same name. One with a
// condition is no part of Maui and stands beside its limits.
func (b *builder) kindOf(i int) kind {
	l := &b.limits[i]
	k := kind{object: l.Object, per: strings.Join(l.Per, " "), counts: l.Counts, phase: l.Phase, atLeast: l.AtLeast}
	if !b.maui || l.When != program.NoReg {
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
	if b.maui {
		slices.SortStableFunc(list, inMauiOrder)
	}
	return list
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
	c := b.counters(per)
	s.keys, s.dict, s.combined = c.keys, c.dict, c.combined
	s.use, s.own = make([]int64, c.n), make([]int32, c.n)
	for i := range s.own {
		s.own[i] = noLimit
	}
	s.amounts = b.amounts.of(k.counts)
	return s
}

// place enters a limit into the counters it holds for. The more it says about whom it concerns,
// the sooner it counts: a name before all others, a pair of names before a name with
// any. Of two that say the same the later counts.
func (b *builder) place(s *slot, i int) {
	enter := func(key uint32) {
		rank := b.rank(s, i, key)
		if old := s.own[key]; rank > 0 && (old == noLimit || rank >= b.rank(s, int(old), key)) {
			s.own[key] = int32(i)
		}
	}
	if l := &b.limits[i]; s.object != "" && !l.Others {
		for _, key := range b.keyed[strings.Join(s.per, " ")].first[l.Row] {
			enter(key)
		}
		return
	}
	for key := range s.own {
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
	col := b.credential(l.Object)
	o := override{limit: make([]int32, len(col.Dict)), codes: col.Codes, existing: l.Existing}
	for code, name := range col.Dict {
		o.limit[code] = noLimit
		if name != "" && (name == l.Row || l.Others) {
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

// credential is the job column of a kind of credential; every job lacks one that no input has.
func (b *builder) credential(object string) *column.Column {
	id := schema.ColumnID("job." + object)
	if c := b.rows.Column(id); c != nil {
		return c
	}
	c := &column.Column{ID: id, Type: schema.String, Codes: make([]uint32, b.rows.Rows), Dict: []string{""}}
	b.rows.Put(c)
	return c
}

// counters number the combinations of credentials that occur among the jobs.
type counters struct {
	keys     []uint32
	n        int
	dict     []string
	combined [][]string
	first    map[string][]uint32 // counters by the name of the first credential
}

func (b *builder) counters(per []string) counters {
	id := strings.Join(per, " ")
	if c, ok := b.keyed[id]; ok {
		return c
	}
	var c counters
	switch len(per) {
	case 0:
		c = counters{keys: make([]uint32, b.rows.Rows), n: 1}
	case 1:
		c = b.single(b.credential(per[0]))
	default:
		c = b.combinations(per)
	}
	c.first = map[string][]uint32{}
	for key, name := range c.dict {
		c.first[name] = append(c.first[name], uint32(key))
	}
	for key, names := range c.combined {
		c.first[names[0]] = append(c.first[names[0]], uint32(key))
	}
	b.keyed[id] = c
	return c
}

// single counts by the codes of the column itself.
func (b *builder) single(col *column.Column) counters {
	c := counters{keys: col.Codes, n: len(col.Dict), dict: col.Dict}
	none := slices.Index(col.Dict, "")
	if none < 0 {
		return c
	}
	c.keys = slices.Clone(col.Codes)
	for i, code := range c.keys {
		if int(code) == none {
			c.keys[i] = noKey
		}
	}
	return c
}

// combinations numbers the tuples of names in the order in which jobs have them, by
// pairing one credential after the other.
func (b *builder) combinations(per []string) counters {
	c := b.single(b.credential(per[0]))
	keys := slices.Clone(c.keys)
	names := make([][]string, c.n)
	for i := range names {
		names[i] = []string{c.dict[i]}
	}
	for _, object := range per[1:] {
		col := b.single(b.credential(object))
		pairs := map[[2]uint32]uint32{}
		var next [][]string
		for job, key := range keys {
			code := col.keys[job]
			if key == noKey || code == noKey {
				keys[job] = noKey
				continue
			}
			n, ok := pairs[[2]uint32{key, code}]
			if !ok {
				n = uint32(len(next))
				pairs[[2]uint32{key, code}] = n
				next = append(next, append(slices.Clone(names[key]), col.dict[code]))
			}
			keys[job] = n
		}
		names = next
	}
	return counters{keys: keys, n: len(names), combined: names}
}

// The order in which Maui looks at a job's credentials and at their limits
// (MPolicyCheckLimit); what Maui does not know comes last, as written.
var (
	mauiObjects = []string{"user", "group", "account", "partition", "qos", ""}
	mauiCounts  = []string{"jobs", "procs", "nodes", "proc_seconds", "processor_equivalents", "walltime"}
)

func inMauiOrder(a, b slot) int {
	place := func(list []string, x string) int {
		if i := slices.Index(list, x); i >= 0 {
			return i
		}
		return len(list)
	}
	return cmp.Or(
		cmp.Compare(place(mauiObjects, a.object), place(mauiObjects, b.object)),
		cmp.Compare(len(a.per), len(b.per)),
		cmp.Compare(place(mauiCounts, a.counts), place(mauiCounts, b.counts)))
}

// reached are the credentials whose limits an override replaces: all of the job's, class and
// account as well. One on the size of a job replaces the system's limit.
func reached(l *program.Limit) []string {
	switch {
	case l.Reach != nil:
		return l.Reach
	case l.Phase == Job:
		return []string{""}
	}
	return mauiObjects[:5]
}
