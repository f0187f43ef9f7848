package format

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// recordCell is one value of a record and its place in the text; an unknown
// value still declares its column.
type recordCell struct {
	field      *field
	value      schema.Value
	code       int // of a string that its column has already, from 1
	sound      bool
	start, end int
}

// field is a column as the records of one input fill it, found once and not for each value.
type field struct {
	id    schema.ColumnID
	rule  columnRule
	keyed bool             // as in job.tres(cpu)
	built *column.Building // nil until a record sets it

	record, cell int // the number of the record that set it last, and the place among that one's cells
}

func (in *Input) field(id schema.ColumnID) *field {
	f := in.fields[id]
	if f == nil {
		f = &field{id: id, rule: ColumnRuleOf(id), keyed: strings.HasSuffix(string(id), ")")}
		in.fields[id] = f
	}
	return f
}

// Record collects the cells of one row until it is known to be good, so that a
// bad record leaves no trace in the table.
type Record struct {
	Start, End int // place in the text
	Fault      string
	faultAt    [2]int

	in     *Input
	number int // of the records of its input
	cells  []recordCell
}

// Begin is the next record of the input; the one before it must be written, or of no more use.
func (in *Input) Begin(start, end int) *Record {
	r := &in.record
	*r = Record{Start: start, End: end, in: in, number: r.number + 1, cells: r.cells[:0]}
	return r
}

// cell is the cell of a field, nil if the record has none.
func (r *Record) cell(f *field) *recordCell {
	if f == nil || f.record != r.number {
		return nil
	}
	return &r.cells[f.cell]
}

// Get returns a cell's value, unknown if the record has none.
func (r *Record) Get(id schema.ColumnID) schema.Value {
	if c := r.cell(r.in.fields[id]); c != nil {
		return c.value
	}
	return schema.Value{}
}

// Set adds a cell or replaces the one of the same column; an unknown value
// declares the column.
func (r *Record) Set(id schema.ColumnID, v schema.Value) { r.SetAt(id, v, r.Start, r.End) }

// SetAt is set for a value with a place of its own within the record.
func (r *Record) SetAt(id schema.ColumnID, v schema.Value, start, end int) {
	*r.put(r.in.field(id)) = recordCell{field: r.in.field(id), value: v, start: start, end: end}
}

// put is the cell of a field, made if the record has none.
func (r *Record) put(f *field) *recordCell {
	if c := r.cell(f); c != nil {
		return c
	}
	f.record, f.cell = r.number, len(r.cells)
	r.cells = append(r.cells, recordCell{})
	return &r.cells[f.cell]
}

// Fail notes the first fault of the record.
func (r *Record) Fail(start, end int, fault string) {
	if r.Fault == "" {
		r.Fault, r.faultAt = fault, [2]int{start, end}
	}
}

// Write appends the record as a row, or reports it as bad.
func (in *Input) Write(b *column.Builder, r *Record, key schema.ColumnID) {
	submit := Place{r.Start, r.End}
	if r.Fault == "" {
		if id := r.Get(key); id.Type != schema.String || id.Str == "" {
			r.Fail(r.Start, r.End, "the "+key.Object()+" has no "+key.Name())
		}
	}
	r.partitions()
	if in.Records && b == in.JobRows && !in.keepRun(r) {
		in.Record()
		return
	}
	for i := range r.cells {
		c := &r.cells[i]
		if c.sound {
			continue
		}
		if wrong := c.field.outOfBounds(c.value); wrong != "" {
			r.Fail(c.start, c.end, wrong)
		}
	}
	if c := r.cell(in.fields["job.submit_time"]); c != nil {
		submit = Place{c.start, c.end}
	}
	r.boundColumns(b)
	if r.Fault != "" {
		if b == in.JobRows && in.nodeRows != nil {
			in.Counts.BadJobs++ // else bad counts it
		}
		in.BadRecord(r)
		return
	}
	if in.origin == FromFairway {
		if fault := valueFaultOf(r); fault != nil {
			if b == in.JobRows {
				in.Counts.BadJobs++
			}
			in.badValue(fault)
			return
		}
	}
	if b == in.JobRows {
		in.Submits = append(in.Submits, submit)
	}
	in.Record()
	row := in.Row(b, r.Start)
	for i := range r.cells {
		r.cells[i].write(b, row)
	}
}

func (c *recordCell) write(b *column.Builder, row int) {
	f := c.field
	if f.built == nil {
		f.built = b.At(f.id, f.rule.kind)
	}
	switch {
	case c.code > 0:
		f.built.SetCode(row, uint32(c.code-1))
	case c.value.Known():
		f.built.Set(row, c.value)
	}
}

// Row begins the row of a record that is at a place of the text.
func (in *Input) Row(b *column.Builder, start int) int {
	row := b.Row()
	for n := recordsSeen; n <= row; n *= 10 {
		if n == row {
			b.Expect(int(1.02 * float64(row) * float64(len(in.Text)) / float64(start+1)))
		}
	}
	const step = 4 << 20
	if start > in.passed+step && in.Passed != nil {
		in.passed = start
		in.Passed(start)
	}
	return row
}

// recordsSeen are enough records to tell from their length how many there will be; ten times as many tell it better.
const recordsSeen = 100

// MostColumns is more names of resources, classes and licences than any site has. Each is a column with a
// cell for every row, so that a name of its own in each record would take memory by the square of the text.
const MostColumns = 2000

// boundColumns refuses a record that names what no earlier one did when there are too many names already.
func (r *Record) boundColumns(b *column.Builder) {
	columns := b.Columns()
	for i := range r.cells {
		c := &r.cells[i]
		if !c.field.keyed || c.field.built != nil || b.Has(c.field.id) {
			continue
		}
		if columns++; columns > MostColumns {
			r.Fail(c.start, c.end, fmt.Sprintf("%s is one name more than the %d that are read", c.field.id, MostColumns))
			return
		}
	}
}

// partitions reads a list of partitions as Slurm does: the job may run in each, and is in the first.
func (r *Record) partitions() {
	text := r.Get("job.partition").Str
	if !strings.Contains(text, ",") {
		return
	}
	list := r.Get("job.partitions").List
	if len(list) == 0 {
		list = strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
		if len(list) == 0 { // only commas and blanks
			return
		}
		r.Set("job.partitions", schema.ListValue(list))
	}
	r.Set("job.partition", schema.StringValue(list[0]))
}

// BadRecord reports the first fault of a record.
func (in *Input) BadRecord(r *Record) {
	in.Bad("snapshot-bad-record", r.faultAt[0], r.faultAt[1], "%s", r.Fault).
		Note("the whole record is left out; no value is guessed")
}

// RecordShape says which member of a JSON record is which column.
type RecordShape struct {
	Key     schema.ColumnID // the column that names the row
	Fields  map[string]schema.ColumnID
	More    func(name string) (schema.ColumnID, bool) // columns beside those of fields, may be nil
	Special map[string]func(*Cursor, *Record) error   // members that are no plain value
	Ignored []string                                  // members that are known and have no column
	Finish  func(*Record)                             // what follows from several members
}

// JSONRecord reads one object into the row builder.
func (in *Input) JSONRecord(c *Cursor, shape *RecordShape, b *column.Builder) error {
	c.Peek()
	r := in.Begin(c.At, c.At+1)
	if c.Peek() != '{' {
		if err := c.Skip(); err != nil {
			return err
		}
		r.Fail(r.Start, c.At, "an object is expected here")
		in.Write(b, r, shape.Key)
		return nil
	}
	keys := in.keys[shape]
	if keys == nil {
		keys = &Keys[*member]{Find: func(name []byte) *member { return in.memberOf(shape, string(name), c.KeyAt+1) }}
		in.keys[shape] = keys
	}
	err := keys.Object(c, func(m *member) error { return m.read(c, r) })
	if err != nil {
		return err
	}
	if shape.Finish != nil && r.Fault == "" {
		shape.Finish(r)
	}
	in.Write(b, r, shape.Key)
	return nil
}

// member is a member that the records of an input have: a column, what a function reads, or nothing.
type member struct {
	name    string
	special func(*Cursor, *Record) error
	field   *field

	text  []byte // the value of a record before, as it is written, if there is nothing wrong with it
	value schema.Value
	code  int // as in recordCell
}

// memberOf finds what a name means, and warns of one that means nothing.
func (in *Input) memberOf(shape *RecordShape, name string, at int) *member {
	if special := shape.Special[name]; special != nil {
		return &member{special: special}
	}
	id, ok := shape.Fields[name]
	if !ok && shape.More != nil {
		id, ok = shape.More(name)
	}
	if !ok {
		in.UnknownField(name, at, shape.Names())
		return &member{}
	}
	return &member{name: name, field: in.field(id)}
}

func (m *member) read(c *Cursor, r *Record) error {
	switch {
	case m.special != nil:
		return m.special(c, r)
	case m.field == nil || m.again(c, r):
		return nil
	}
	at, kind := c.At, m.field.rule.kind
	if kind == schema.String && m.field.built != nil && c.Peek() == '"' {
		text, err := c.StringBytes()
		if err == nil {
			v, code := m.field.built.Word(text)
			m.put(c, r, at, v, code)
		}
		return err
	}
	v, ok, err := JSONValue(c, kind)
	if err != nil {
		return err
	}
	if !ok {
		r.Fail(at, c.At, `"`+m.name+`" should be `+Wanted(kind)+", not "+Excerpt(c.Text[at:c.At]))
		return nil
	}
	m.put(c, r, at, v, 0)
	return nil
}

// again takes a value that is written as in a record before.
func (m *member) again(c *Cursor, r *Record) bool {
	at := c.At
	if !c.Again(m.text) {
		return false
	}
	if m.code == 0 && m.field.built != nil {
		m.code = m.field.built.Code(m.value)
	}
	*r.put(m.field) = recordCell{m.field, m.value, m.code, true, at, c.At}
	return true
}

// put sets the cell to a value that was read from at on, with its code.
func (m *member) put(c *Cursor, r *Record, at int, v schema.Value, code int) {
	sound := m.field.outOfBounds(v) == ""
	if sound {
		m.text, m.value, m.code = c.Text[at:c.At], v, code
	}
	*r.put(m.field) = recordCell{m.field, v, code, sound, at, c.At}
}

func (shape *RecordShape) Names() []string {
	names := append(SortedKeys(shape.Fields), SortedKeys(shape.Special)...)
	return append(names, shape.Ignored...)
}

// UnknownField warns of a member or column that means nothing here, once: a
// misspelt one would be missed silently.
func (in *Input) UnknownField(name string, at int, known []string) {
	if slices.Contains(known, name) || in.said["field "+name] {
		return
	}
	in.said["field "+name] = true
	span := in.File.Span(at, at+len(name))
	d := in.Warn("snapshot-unknown-field", at, at+len(name), "the field %q is not known and is left out", name)
	if own := ownName(name, known); own != "" {
		d.Note("did you mean %q?", own).Suggest(span, own)
		return
	}
	if d.DidYouMean(span, name, known); d.Fix == nil {
		d.Note("`fairway doc columns` lists the names that are known")
	}
}

// ownName finds the column that is meant by a name without its unit, which is missing most often, or by a name
// that Slurm or Maui has for it: walltime, NodeList, node_list.
func ownName(name string, known []string) string {
	for _, unit := range []string{"_seconds", "_mb", "_time"} {
		if slices.Contains(known, name+unit) {
			return name + unit
		}
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, o := range schema.Objects {
		for i := range o.Columns {
			c := &o.Columns[i]
			if (plain(c.Slurm) == plain(name) || plain(c.Maui) == plain(name)) && slices.Contains(known, c.ID.Name()) {
				return c.ID.Name()
			}
		}
	}
	return ""
}

// ColumnType is the type of a column.
func ColumnType(id schema.ColumnID) schema.Type { return ColumnRuleOf(id).kind }

// sprioType follows SprioColumn: the names of a row are strings, all else numbers.
func sprioType(name string) schema.Type {
	switch {
	case name == "id", name == "user", name == "account", name == "cluster", strings.HasSuffix(name, "_name"):
		return schema.String
	}
	return schema.Double
}

// Excerpt shortens text for a message, without the passwords that a user put into it.
func Excerpt(text []byte) string {
	const most, looked = 40, 1 << 10
	shown := source.Mask(string(text[:min(len(text), looked)]))
	if len(shown) <= most {
		return shown
	}
	return shown[:most] + "…"
}

// JSONArray reads a text that is one array of records.
func (in *Input) JSONArray(shape *RecordShape, b *column.Builder) error {
	c := &Cursor{Text: in.Text}
	if err := c.Array(func() error { return in.JSONRecord(c, shape, b) }); err != nil {
		return err
	}
	return c.End()
}

// KeyedNumbers reads {"gres/gpu": 2} into one column per key, as
// job.tres(gres/gpu). each may be nil.
func KeyedNumbers(c *Cursor, r *Record, column schema.ColumnID, each func(key string)) error {
	at, in := c.At, r.in
	if c.Peek() == 'n' {
		return c.Word("null")
	}
	if c.Peek() != '{' {
		err := c.Skip()
		r.Fail(at, c.At, strconv.Quote(column.Name())+" should be an object of numbers, not "+Excerpt(c.Text[at:c.At]))
		return err
	}
	keys := in.keyed[column]
	if keys == nil {
		keys = &Keys[*member]{Find: func(key []byte) *member {
			m := &member{name: string(key)}
			if ValidKey(m.name) {
				m.field = in.field(schema.ColumnID(string(column) + "(" + m.name + ")"))
			}
			return m
		}}
		in.keyed[column] = keys
	}
	return keys.Object(c, func(m *member) error {
		if at := c.At; m.field == nil || !m.again(c, r) {
			v, ok, err := JSONValue(c, schema.Double)
			switch {
			case err != nil:
				return err
			case !ok || m.field == nil:
				r.Fail(at, c.At,
					column.Name()+"("+m.name+") should be a name with a number, not "+Excerpt(c.Text[at:c.At]))
				return nil
			}
			m.put(c, r, at, v, 0)
		}
		if each != nil {
			each(m.name)
		}
		return nil
	})
}

// SortedKeys are the keys of a map in their order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ValidKey keeps keys from upsetting the notation of column ids.
func ValidKey(key string) bool { return key != "" && !strings.ContainsAny(key, "()") }

// OfKind reads a value that must open with a certain bracket; null is as good
// as absent, anything else is reported and ignored.
func (in *Input) OfKind(c *Cursor, open byte, what string, read func() error) error {
	at := c.At
	switch c.Peek() {
	case open:
		return read()
	case 'n':
		return c.Word("null")
	}
	err := c.Skip()
	if err == nil {
		in.Bad("snapshot-bad-record", at, c.At, "%s is expected here, not %s", what, Excerpt(c.Text[at:c.At])).
			Note("the value is left out")
	}
	return err
}

// RecordIDs knows jobs by the numbers that only some outputs use.
type RecordIDs struct {
	ByRecord   map[string]string // the record number of a split-off task: 8 → 6_0
	Components map[string]string // the record number of a heterogeneous job's component: 10+1 → 11
	Unsplit    map[string]bool   // arrays with a row for the tasks not split off
}

func NewRecordIDs() *RecordIDs {
	return &RecordIDs{ByRecord: map[string]string{}, Components: map[string]string{}, Unsplit: map[string]bool{}}
}

// Add notes that a record number belongs to a task. squeue --array shows the
// record of the tasks not split off under each of them: two tasks of one number
// mean that it is the array's.
func (ids *RecordIDs) Add(record, id string) {
	if have, ok := ids.ByRecord[record]; ok && have != id {
		id = record
	}
	ids.ByRecord[record] = id
}
