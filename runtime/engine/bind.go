package engine

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Joined is one credential column over the dictionary of its key, with the
// place that set each value.
type Joined struct {
	Key    schema.ColumnID // the job column it is joined by
	Column *column.Column  // one entry per dictionary entry of Key
	Source []string        // per entry: what set it, "" for a default
	Span   []source.Span   // per entry: where
}

// binder finds the data of each column a program reads.
type binder struct {
	prog     *program.Program
	snap     *snapshot.Snapshot
	rows     *column.Table
	now      int64
	models   []modelColumns
	settings map[schema.ColumnID]*program.Setting
	columns  map[schema.ColumnID]*column.Column
	joined   map[schema.ColumnID]*Joined
	diags    diag.List
}

func newBinder(p *program.Program, s *snapshot.Snapshot, rows *column.Table, now int64) *binder {
	b := &binder{prog: p, snap: s, rows: rows, now: now,
		settings: map[schema.ColumnID]*program.Setting{},
		columns:  map[schema.ColumnID]*column.Column{},
		joined:   map[schema.ColumnID]*Joined{}}
	for i := range p.Settings {
		b.settings[p.Settings[i].Column] = &p.Settings[i]
	}
	return b
}

// all binds every input of the program.
func (b *binder) all() {
	for _, id := range b.prog.Inputs() {
		shape := program.ShapeOf(id)
		if shape.Level == program.Dict && shape.Key != id {
			b.key(shape.Key)
		}
		b.bind(id, shape)
	}
}

// extra binds a column that the program does not read.
func (b *binder) extra(id schema.ColumnID) {
	shape := program.ShapeOf(id)
	b.key(shape.Key)
	b.bind(id, shape)
}

func (b *binder) bind(id schema.ColumnID, shape program.Shape) {
	if b.columns[id] != nil {
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
		c = b.rows.Column(id)
		if c == nil {
			c = b.absent(id, b.rows.Rows)
		}
	}
	b.columns[id] = c
}

// modelColumns gives the columns of a model, such as fairshare, over the dictionary of their key; nil for another's.
type modelColumns func(b *binder, id, key schema.ColumnID) *column.Column

// modelled is a column that a model gives; nil if none does.
func (b *binder) modelled(id, key schema.ColumnID) *column.Column {
	for _, columns := range b.models {
		if c := columns(b, id, key); c != nil {
			return c
		}
	}
	return nil
}

// key makes sure the job column that joins a credential is bound.
func (b *binder) key(id schema.ColumnID) *column.Column {
	if b.columns[id] == nil {
		c := b.rows.Column(id)
		if c == nil {
			c = b.absent(id, b.rows.Rows)
		}
		b.columns[id] = c
	}
	return b.columns[id]
}

// absent fills in for a column that no input has, as the schema's rule says.
func (b *binder) absent(id schema.ColumnID, n int) *column.Column {
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
func (b *binder) needs(id schema.ColumnID, doc *schema.Column) {
	if b.rows.Rows == 0 || slices.Contains(b.prog.Asked, id) {
		return // a queue without jobs is short of nothing
	}
	comp, span := b.reader(id)
	d := b.diags.Errorf("column-not-available", span, "the policy reads %s, which no input has", id)
	if doc != nil && doc.Doc != "" {
		d.Note("%s: %s", id, doc.Doc)
	}
	if id == "association.fairshare_factor" {
		d.Note("add --snapshot FILE with the output of `sshare -a -l -P`, or of `scontrol show assoc_mgr`, which has the usage more exactly")
	}
	leaveOut(comp, d)
}

// leaveOut says how to do without what no input has, where a component asks for it.
func leaveOut(comp string, d *diag.Diagnostic) {
	if comp != "" {
		d.Note("or leave the component out, and say so: --without %s", comp)
	}
}

// reader names the component that reads a column, and the place that switched
// it on: where the site set a weight, else the term itself.
func (b *binder) reader(id schema.ColumnID) (string, source.Span) {
	for _, c := range b.prog.Components {
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
func (b *binder) join(id, key schema.ColumnID) *column.Column {
	k := b.key(key)
	n := k.DictLen()
	object := id.Object()
	j := &Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n)}
	if id.Name() == "name" {
		j.Column = &column.Column{ID: id, Type: schema.String, Dict: k.Dict, Codes: make([]uint32, n)}
		for i := range n {
			j.Column.Codes[i] = uint32(i)
		}
		b.joined[id] = j
		return j.Column
	}
	set := b.settings[id]
	table := b.snap.Credentials[object]
	recorded := table.Column(id)
	doc := schema.Lookup(id)
	if set == nil && recorded == nil {
		j.Column = b.absent(id, n)
		b.joined[id] = j
		return j.Column
	}
	index := nameIndex(table, schema.ColumnID(object+".name"))
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
	j.Column = knownZeros(build.Table().Column(id))
	b.joined[id] = j
	return j.Column
}

// derived lays what follows from other columns over the dictionary of its key.
func (b *binder) derived(id, key schema.ColumnID, value func(name string) schema.Value) *column.Column {
	k := b.key(key)
	n := k.DictLen()
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
	j := &Joined{Key: key, Source: make([]string, n), Span: make([]source.Span, n), Column: build.Table().Column(id)}
	j.Column.Missing = unknown
	b.joined[id] = j
	return j.Column
}

func nameIndex(t *column.Table, id schema.ColumnID) map[string]int {
	c := t.Column(id)
	if c == nil {
		return nil
	}
	m := make(map[string]int, t.Rows)
	for i := range t.Rows {
		m[c.Dict[c.Codes[i]]] = i
	}
	return m
}

// aggregate is the largest value of a credential column over every row of its
// table, whether a job uses it or not: the policy's rows and the snapshot's.
func (b *binder) aggregate(id schema.ColumnID) *column.Column {
	object, doc, ok := schema.Aggregate(id)
	if !ok {
		b.diags.Errorf("column-not-available", source.Span{}, "the policy reads %s, which does not exist", id)
		return &column.Column{ID: id, Type: schema.Int, Ints: []int64{0}}
	}
	largest := schema.Value{}
	consider := func(v schema.Value) {
		if v.Known() && (!largest.Known() || v.Int > largest.Int || v.Double > largest.Double) {
			largest = v
		}
	}
	set := b.settings[doc.ID]
	if set != nil {
		for _, row := range set.Rows {
			consider(row.Value)
		}
	}
	table := b.snap.Credentials[object.Name]
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
func (b *binder) system(id schema.ColumnID, doc *schema.Column) *column.Column {
	set := b.settings[id]
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
func (b *binder) cluster(id schema.ColumnID) *column.Column {
	if doc := schema.Lookup(id); doc.Origin == schema.Policy {
		return b.system(id, doc)
	}
	total, known := clusterTotal(b.settings[id], b.snap.Nodes, id)
	if !known {
		b.needs(id, schema.Lookup(id))
	}
	return &column.Column{ID: id, Type: schema.Int, Ints: []int64{total}}
}

// Value boxes a column for a row, following its shape: for explanations.
func (r *Result) Value(id schema.ColumnID, row int) schema.Value {
	if v, ok := r.Once[id]; ok {
		return v
	}
	if j := r.Settings[id]; j != nil {
		key := r.Rows.Column(j.Key)
		if key == nil {
			return j.Column.Value(0)
		}
		return j.Column.Value(int(key.Codes[row]))
	}
	if doc := schema.Lookup(id); r.Rows.Column(id) == nil && doc != nil && doc.Absent == schema.AbsentZero {
		return schema.Value{Type: doc.Type}
	}
	return r.Rows.Value(id, row)
}

// strangers reports partitions of jobs that the policy's configuration does not
// define: it may be another cluster's. Maui knows classes without any definition.
func (b *binder) strangers() {
	set := b.settings["partition.priority_job_factor"]
	key := b.rows.Column("job.partition")
	if set == nil || len(set.Rows) == 0 || key == nil {
		return
	}
	jobs := make([]int, len(key.Dict))
	for _, code := range key.Codes {
		jobs[code]++
	}
	for code, name := range key.Dict {
		if _, known := set.Rows[name]; known || jobs[code] == 0 || name == "" {
			continue
		}
		d := b.diags.Warnf("partition-not-configured", source.Span{}, "partition %q of %d jobs is not defined in the configuration", name, jobs[code])
		if _, recorded := nameIndex(b.snap.Credentials["partition"], "partition.name")[name]; recorded {
			d.Note("what the snapshot says of the partition is used")
		} else {
			d.Note("Slurm's default is used: PriorityJobFactor=1")
		}
		d.Note("is this the configuration of the cluster that the snapshot is from?")
	}
}

// once lists the bound columns that have one value per run.
func (b *binder) once() map[schema.ColumnID]schema.Value {
	m := map[schema.ColumnID]schema.Value{}
	for id, c := range b.columns {
		if program.ShapeOf(id).Level == program.Once {
			m[id] = c.Value(0)
		}
	}
	return m
}
