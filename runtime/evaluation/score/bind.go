package score

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Binder finds the data of each column a program reads.
type Binder struct {
	Program  *program.Program
	Snapshot *snapshot.Snapshot
	Rows     *column.Table
	now      int64
	Models   []Model
	Settings map[schema.ColumnID]*program.Setting
	Columns  map[schema.ColumnID]*column.Column
	Joined   map[schema.ColumnID]*evaluation.Joined
	Findings diag.List
	Before   *evaluation.Earlier // an evaluation whose columns may be taken; nil: none
}

func NewBinder(p *program.Program, s *snapshot.Snapshot, rows *column.Table, now int64) *Binder {
	b := &Binder{Program: p, Snapshot: s, Rows: rows, now: now,
		Settings: map[schema.ColumnID]*program.Setting{},
		Columns:  map[schema.ColumnID]*column.Column{},
		Joined:   map[schema.ColumnID]*evaluation.Joined{}}
	for i := range p.Settings {
		b.Settings[p.Settings[i].Column] = &p.Settings[i]
	}
	return b
}

// All binds every input of the program.
func (b *Binder) All() {
	for _, id := range b.Program.Inputs() {
		shape := program.ShapeOf(id)
		if shape.Level == program.Dict && shape.Key != id {
			b.Key(shape.Key)
		}
		b.Bind(id, shape)
	}
}

// Extra binds a column that the program does not read.
func (b *Binder) Extra(id schema.ColumnID) {
	shape := program.ShapeOf(id)
	b.Key(shape.Key)
	b.Bind(id, shape)
}

func (b *Binder) Bind(id schema.ColumnID, shape program.Shape) {
	if b.Columns[id] != nil {
		return
	}
	var c *column.Column
	switch object := schema.ObjectByName(id.Object()); {
	case id == schema.Now:
		c = &column.Column{ID: id, Type: schema.Timestamp, Ints: []int64{b.now}}
	case object == nil:
		c = b.aggregate(id)
	case object.Key != "":
		if c = b.modelled(id, shape.Key); c == nil {
			c = b.join(id, shape.Key)
		}
	case object.Name == "cluster":
		c = b.cluster(id)
	default:
		c = b.Rows.Column(id)
		if c == nil {
			c = b.absentRows(id)
		}
	}
	b.Columns[id] = c
}

// Model gives the columns of a model, such as fairshare, over the dictionary of their key; nil for another's.
type Model func(b *Binder, id, key schema.ColumnID) *column.Column

// modelled is a column that a model gives; nil if none does.
func (b *Binder) modelled(id, key schema.ColumnID) *column.Column {
	for _, columns := range b.Models {
		if c := columns(b, id, key); c != nil {
			return c
		}
	}
	return nil
}

// Key makes sure the job column that joins a credential is bound.
func (b *Binder) Key(id schema.ColumnID) *column.Column {
	if b.Columns[id] == nil {
		c := b.Rows.Column(id)
		if c == nil {
			c = b.absentRows(id)
		}
		b.Columns[id] = c
	}
	return b.Columns[id]
}

// absentRows fills in for a column of rows that no input has.
func (b *Binder) absentRows(id schema.ColumnID) *column.Column {
	if before := b.Before; before != nil && before.Rows.Column(id) == nil && before.Rows.Rows == b.Rows.Rows {
		if c := before.Scored.Binding.Columns[id]; c != nil {
			b.absent(id, 0) // says what it says
			return c
		}
	}
	return b.absent(id, b.Rows.Rows)
}

// absent fills in for a column that no input has, as the schema's rule says.
func (b *Binder) absent(id schema.ColumnID, n int) *column.Column {
	doc := schema.Lookup(id)
	c := &column.Column{ID: id, Type: schema.Double}
	rule := schema.AbsentUnknown
	if doc != nil {
		c.Type, rule = doc.Type, doc.Absent
	}
	switch c.Type {
	case schema.Double:
		c.Doubles = make([]float64, n)
	case schema.String:
		c.Codes, c.Dict = make([]uint32, n), []string{""}
	case schema.StringList:
		c.Codes, c.Lists = make([]uint32, n), [][]string{nil}
	default:
		c.Ints = make([]int64, n)
	}
	if rule != schema.AbsentZero && c.Codes == nil {
		for i := range n {
			c.Missing.Set(i)
		}
	}
	if rule == schema.AbsentError {
		b.needs(id, doc)
	}
	return c
}

// needs reports that the policy reads something the inputs do not have. A hold of a phase refuses no job then.
func (b *Binder) needs(id schema.ColumnID, doc *schema.Column) {
	if b.Rows.Rows == 0 || slices.Contains(b.Program.Asked, id) {
		return // a queue without jobs is short of nothing
	}
	comp, span := b.Reader(id)
	d := b.Findings.Errorf("column-not-available", span, "the policy reads %s, which no input has", id)
	if doc != nil && doc.Doc != "" {
		d.Note("%s: %s", id, doc.Doc)
	}
	switch {
	case id == "association.fairshare_factor" && b.Program.Family == "":
		d.Note("write who shares: account \"physics\" { fairshare { shares = 1 } user \"ana\" { fairshare { shares = 1 } } }, " +
			"and state what was used in usage blocks or count it from job records: --usage-from FILE").
			Note("or add --snapshot FILE with the output of `sshare -a -l -P`")
	case id == "association.fairshare_factor":
		d.Note("add --snapshot FILE with the output of `sshare -a -l -P`, or of `scontrol show assoc_mgr`, which has the " +
			"usage more exactly")
	}
	LeaveOut(comp, d)
}

// LeaveOut says how to do without what no input has, where a component asks for it.
func LeaveOut(comp string, d *diag.Diagnostic) {
	if comp != "" {
		d.Note("or leave the component out, and say so: --without %s", comp)
	}
}

// Reader names the component that reads a column, and the place that switched
// it on: where the site set a weight, else the term itself.
func (b *Binder) Reader(id schema.ColumnID) (string, source.Span) {
	for _, c := range b.Program.Components {
		for _, t := range c.Terms {
			if !slices.Contains(t.Reads, id) {
				continue
			}
			place := t.Span
			for _, s := range slices.Concat(c.Weight.Sources, t.Weight.Sources) {
				if !s.Span.IsZero() {
					place = s.Span // the last one: conditions come before the weight itself
				}
			}
			return c.Name, place
		}
	}
	return "", source.Span{}
}

// join lays a credential column over the dictionary of its key: the policy's
// value for the name, else the snapshot's, else the policy's for other names,
// else the schema's rule for absent columns.
func (b *Binder) join(id, key schema.ColumnID) *column.Column {
	k := b.Key(key)
	n := k.DictLen()
	if j := b.joinedBefore(id, k); j != nil {
		b.Joined[id] = j
		return j.Column
	}
	object := id.Object()
	j := &evaluation.Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n)}
	if id.Name() == "name" {
		j.Column = &column.Column{ID: id, Type: schema.String, Dict: k.Dict, Codes: make([]uint32, n)}
		for i := range n {
			j.Column.Codes[i] = uint32(i)
		}
		b.Joined[id] = j
		return j.Column
	}
	set := b.Settings[id]
	table := b.Snapshot.Credentials[object]
	recorded := table.Column(id)
	doc := schema.Lookup(id)
	if set == nil && recorded == nil {
		j.Column = b.absent(id, n)
		b.Joined[id] = j
		return j.Column
	}
	index := evaluation.NameIndex(table, schema.ColumnID(object+".name"))
	build := column.NewBuilder(object)
	build.Declare(id, doc.Type)
	for i := range n {
		build.Row()
		name := k.Dict[i]
		if set != nil {
			if row, ok := set.Rows[name]; ok {
				build.Value(id, row.Value)
				j.Source[i], j.Span[i] = row.Source, row.Span
				continue
			}
		}
		if at, ok := index[name]; ok && recorded != nil {
			if v := recorded.Value(at); v.Known() {
				build.Value(id, v)
				continue
			}
		}
		if set != nil && set.Others != nil {
			build.Value(id, set.Others.Value)
			j.Source[i], j.Span[i] = set.Others.Source, set.Others.Span
		}
	}
	j.Column = column.KnownZeros(build.Table().Column(id))
	b.Joined[id] = j
	return j.Column
}

// Derived lays what follows from other columns, by the policy's models and the snapshot alone, over the dictionary of
// its key.
func (b *Binder) Derived(id, key schema.ColumnID, value func(name string) schema.Value) *column.Column {
	k := b.Key(key)
	n := k.DictLen()
	if before := b.Before; before != nil && before.Queue && before.Settings[id] != nil {
		if had := before.Scored.Binding.Columns[key]; had != nil && sameDictionary(had, k) {
			b.Joined[id] = before.Settings[id]
			return b.Joined[id].Column
		}
	}
	build := column.NewBuilder(id.Object())
	build.Declare(id, schema.Lookup(id).Type)
	var unknown column.Bitmap // of lists too, which are empty otherwise
	for i := range n {
		build.Row()
		v := value(k.Dict[i])
		if build.Value(id, v); !v.Known() && schema.Lookup(id).Absent != schema.AbsentZero {
			unknown.Set(i)
		}
	}
	j := &evaluation.Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n), Column: build.Table().
		Column(id)}
	j.Column.Missing = unknown
	b.Joined[id] = j
	return j.Column
}

// joinedBefore is a credential column of an earlier evaluation under the same settings, over the same dictionary; nil
// if there is none. A column that no input has is not taken: it may have something to say.
func (b *Binder) joinedBefore(id schema.ColumnID, key *column.Column) *evaluation.Joined {
	before, object := b.Before, id.Object()
	if before == nil || !before.Models || before.Settings[id] == nil ||
		before.Snapshot.Credentials[object] != b.Snapshot.Credentials[object] {
		return nil
	}
	had := before.Scored.Binding.Columns[key.ID]
	if b.Settings[id] == nil && b.Snapshot.Credentials[object].Column(id) == nil || had == nil ||
		!sameDictionary(had, key) {
		return nil
	}
	return before.Settings[id]
}

func sameDictionary(a, b *column.Column) bool {
	return len(a.Dict) == len(b.Dict) && len(a.Lists) == len(b.Lists) && (len(a.Dict) == 0 || &a.Dict[0] == &b.Dict[0]) &&
		(len(a.Lists) == 0 || &a.Lists[0] == &b.Lists[0])
}

// aggregate is the largest value of a credential column over every row of its
// table, whether a job uses it or not: the policy's rows and the snapshot's.
func (b *Binder) aggregate(id schema.ColumnID) *column.Column {
	object, doc, ok := schema.Aggregate(id)
	if !ok {
		b.Findings.Errorf("column-not-available", source.Span{}, "the policy reads %s, which does not exist", id)
		return &column.Column{ID: id, Type: schema.Int, Ints: []int64{0}}
	}
	largest := schema.Value{}
	consider := func(v schema.Value) {
		if v.Known() && (!largest.Known() || v.Int > largest.Int || v.Double > largest.Double) {
			largest = v
		}
	}
	set := b.Settings[doc.ID]
	if set != nil {
		for _, row := range set.Rows {
			consider(row.Value)
		}
	}
	table := b.Snapshot.Credentials[object.Name]
	names := table.Column(schema.ColumnID(object.Name + ".name"))
	if c := table.Column(doc.ID); c != nil {
		for i := range c.Len() {
			if set != nil && names != nil {
				if _, overridden := set.Rows[names.Dict[names.Codes[i]]]; overridden {
					continue
				}
			}
			consider(c.Value(i))
		}
	}
	if doc.Type == schema.Int {
		return &column.Column{ID: id, Type: schema.Int, Ints: []int64{largest.Int}}
	}
	return &column.Column{ID: id, Type: schema.Double, Doubles: []float64{largest.Double}}
}

// system is a setting of the whole system (SYSCFG), or its absence.
func (b *Binder) system(id schema.ColumnID, doc *schema.Column) *column.Column {
	set := b.Settings[id]
	if set == nil || set.Others == nil {
		return b.absent(id, 1)
	}
	build := column.NewBuilder("cluster")
	build.Declare(id, doc.Type)
	build.Row()
	build.Value(id, set.Others.Value)
	return build.Table().Column(id)
}

// cluster is a total of the cluster, or a setting of the whole system.
func (b *Binder) cluster(id schema.ColumnID) *column.Column {
	if doc := schema.Lookup(id); doc.Origin == schema.Policy {
		return b.system(id, doc)
	}
	total, known := evaluation.ClusterTotal(b.Settings[id], b.Snapshot.Nodes, id)
	if !known {
		b.needs(id, schema.Lookup(id))
	}
	return &column.Column{ID: id, Type: schema.Int, Ints: []int64{total}}
}

// Once lists the bound columns that have one value per run.
func (b *Binder) Once() map[schema.ColumnID]schema.Value {
	m := map[schema.ColumnID]schema.Value{}
	for id, c := range b.Columns {
		if program.ShapeOf(id).Level == program.Once {
			m[id] = c.Value(0)
		}
	}
	return m
}
