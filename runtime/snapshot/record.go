package snapshot

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
	id         schema.ColumnID
	value      schema.Value
	start, end int
}

// record collects the cells of one row until it is known to be good, so that a
// bad record leaves no trace in the table.
type record struct {
	cells      []recordCell
	start, end int // place in the text
	fault      string
	faultAt    [2]int
}

// get returns a cell's value, unknown if the record has none.
func (r *record) get(id schema.ColumnID) schema.Value {
	for i := range r.cells {
		if r.cells[i].id == id {
			return r.cells[i].value
		}
	}
	return schema.Value{}
}

// set adds a cell or replaces the one of the same column; an unknown value
// declares the column.
func (r *record) set(id schema.ColumnID, v schema.Value) { r.setAt(id, v, r.start, r.end) }

// setAt is set for a value with a place of its own within the record.
func (r *record) setAt(id schema.ColumnID, v schema.Value, start, end int) {
	cell := recordCell{id, v, start, end}
	for i := range r.cells {
		if r.cells[i].id == id {
			r.cells[i] = cell
			return
		}
	}
	r.cells = append(r.cells, cell)
}

// fail notes the first fault of the record.
func (r *record) fail(start, end int, fault string) {
	if r.fault == "" {
		r.fault, r.faultAt = fault, [2]int{start, end}
	}
}

// write appends the record as a row, or reports it as bad.
func (in *input) write(b *column.Builder, r *record, key schema.ColumnID) {
	submit := place{r.start, r.end}
	if r.fault == "" {
		if id := r.get(key); id.Type != schema.String || id.Str == "" {
			r.fail(r.start, r.end, "the "+key.Object()+" has no "+key.Name())
		}
	}
	r.partitions()
	if in.records && b == in.jobRows && !in.keepRun(r) {
		in.record()
		return
	}
	for i := range r.cells {
		c := &r.cells[i]
		if wrong := outOfBounds(c.id, c.value); wrong != "" {
			r.fail(c.start, c.end, wrong)
		}
		if c.id == "job.submit_time" {
			submit = place{c.start, c.end}
		}
	}
	r.boundColumns(b)
	if r.fault != "" {
		if b == in.jobRows && in.nodeRows != nil {
			in.counts.BadJobs++ // else bad counts it
		}
		in.badRecord(r)
		return
	}
	if in.origin == fromFairway {
		if fault := valueFaultOf(r); fault != nil {
			if b == in.jobRows {
				in.counts.BadJobs++
			}
			in.badValue(fault)
			return
		}
	}
	if b == in.jobRows {
		in.submits = append(in.submits, submit)
	}
	in.record()
	b.Row()
	for _, c := range r.cells {
		if c.value.Known() {
			b.Value(c.id, c.value)
		} else {
			b.Declare(c.id, columnType(c.id))
		}
	}
}

// mostColumns is more names of resources, classes and licences than any site has. Each is a column with a
// cell for every row, so that a name of its own in each record would take memory by the square of the text.
const mostColumns = 2000

// boundColumns refuses a record that names what no earlier one did when there are too many names already.
func (r *record) boundColumns(b *column.Builder) {
	columns := b.Columns()
	for i := range r.cells {
		c := &r.cells[i]
		if !strings.HasSuffix(string(c.id), ")") || b.Has(c.id) {
			continue
		}
		if columns++; columns > mostColumns {
			r.fail(c.start, c.end, fmt.Sprintf("%s is one name more than the %d that are read", c.id, mostColumns))
			return
		}
	}
}

// partitions reads a list of partitions as Slurm does: the job may run in each, and is in the first.
func (r *record) partitions() {
	text := r.get("job.partition").Str
	if !strings.Contains(text, ",") {
		return
	}
	list := r.get("job.partitions").List
	if len(list) == 0 {
		list = strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
		if len(list) == 0 { // only commas and blanks
			return
		}
		r.set("job.partitions", schema.ListValue(list))
	}
	r.set("job.partition", schema.StringValue(list[0]))
}

// badRecord reports the first fault of a record.
func (in *input) badRecord(r *record) {
	in.bad("snapshot-bad-record", r.faultAt[0], r.faultAt[1], "%s", r.fault).
		Note("the whole record is left out; no value is guessed")
}

// recordShape says which member of a JSON record is which column.
type recordShape struct {
	key     schema.ColumnID // the column that names the row
	fields  map[string]schema.ColumnID
	more    func(name string) (schema.ColumnID, bool)   // columns beside those of fields, may be nil
	special map[string]func(*jsonCursor, *record) error // members that are no plain value
	ignored []string                                    // members that are known and have no column
	finish  func(*record)                               // what follows from several members
}

// jsonRecord reads one object into the row builder.
func (in *input) jsonRecord(c *jsonCursor, shape *recordShape, b *column.Builder) error {
	c.peek()
	r := &in.scratch
	*r = record{cells: r.cells[:0], start: c.at, end: c.at + 1}
	if c.peek() != '{' {
		if err := c.skip(); err != nil {
			return err
		}
		r.fail(r.start, c.at, "an object should stand here")
		in.write(b, r, shape.key)
		return nil
	}
	err := c.object(func(name []byte) error { return in.member(c, shape, r, name) })
	if err != nil {
		return err
	}
	if shape.finish != nil && r.fault == "" {
		shape.finish(r)
	}
	in.write(b, r, shape.key)
	return nil
}

func (in *input) member(c *jsonCursor, shape *recordShape, r *record, name []byte) error {
	if special := shape.special[string(name)]; special != nil {
		return special(c, r)
	}
	id, ok := shape.fields[string(name)]
	if !ok && shape.more != nil {
		id, ok = shape.more(string(name))
	}
	if !ok {
		in.unknownField(string(name), c.keyAt+1, shape.names())
		return nil
	}
	t := columnType(id)
	at := c.at
	v, ok, err := jsonValue(c, t)
	if err != nil {
		return err
	}
	if !ok {
		r.fail(at, c.at, `"`+string(name)+`" should be `+wanted(t)+", not "+excerpt(c.text[at:c.at]))
		return nil
	}
	r.setAt(id, v, at, c.at)
	return nil
}

func (shape *recordShape) names() []string {
	names := append(sortedKeys(shape.fields), sortedKeys(shape.special)...)
	return append(names, shape.ignored...)
}

// unknownField warns of a member or column that means nothing here, once: a
// misspelt one would be missed silently.
func (in *input) unknownField(name string, at int, known []string) {
	if slices.Contains(known, name) || in.said["field "+name] {
		return
	}
	in.said["field "+name] = true
	span := in.file.Span(at, at+len(name))
	d := in.warn("snapshot-unknown-field", at, at+len(name), "the field %q is not known and is left out", name)
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

// columnType is the type of a column.
func columnType(id schema.ColumnID) schema.Type { return columnRuleOf(id).kind }

// sprioType follows SprioColumn: the names of a row are strings, all else numbers.
func sprioType(name string) schema.Type {
	switch {
	case name == "id", name == "user", name == "account", name == "cluster", strings.HasSuffix(name, "_name"):
		return schema.String
	}
	return schema.Double
}

// excerpt shortens text for a message, without the passwords that a user put into it.
func excerpt(text []byte) string {
	const most, looked = 40, 1 << 10
	shown := source.Mask(string(text[:min(len(text), looked)]))
	if len(shown) <= most {
		return shown
	}
	return shown[:most] + "…"
}

// jsonArray reads a text that is one array of records.
func (in *input) jsonArray(shape *recordShape, b *column.Builder) error {
	c := &jsonCursor{text: in.text}
	if err := c.array(func() error { return in.jsonRecord(c, shape, b) }); err != nil {
		return err
	}
	return c.end()
}

// keyedNumbers reads {"gres/gpu": 2} into one column per key, as
// job.tres(gres/gpu). each may be nil.
func keyedNumbers(c *jsonCursor, r *record, object, name string, each func(key string)) error {
	at := c.at
	if c.peek() == 'n' {
		return c.word("null")
	}
	if c.peek() != '{' {
		err := c.skip()
		r.fail(at, c.at, strconv.Quote(name)+" should be an object of numbers, not "+excerpt(c.text[at:c.at]))
		return err
	}
	return c.object(func(key []byte) error {
		k, at := string(key), c.at
		v, ok, err := jsonValue(c, schema.Double)
		switch {
		case err != nil:
			return err
		case !ok || !validKey(k):
			r.fail(at, c.at, name+"("+k+") should be a name with a number, not "+excerpt(c.text[at:c.at]))
			return nil
		}
		r.setAt(schema.ColumnID(object+"."+name+"("+k+")"), v, at, c.at)
		if each != nil {
			each(k)
		}
		return nil
	})
}

// sortedKeys are the keys of a map in their order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// validKey keeps keys from upsetting the notation of column ids.
func validKey(key string) bool { return key != "" && !strings.ContainsAny(key, "()") }

// ofKind reads a value that must open with a certain bracket; null is as good
// as absent, anything else is reported and passed over.
func (in *input) ofKind(c *jsonCursor, open byte, what string, read func() error) error {
	at := c.at
	switch c.peek() {
	case open:
		return read()
	case 'n':
		return c.word("null")
	}
	err := c.skip()
	if err == nil {
		in.bad("snapshot-bad-record", at, c.at, "%s should stand here, not %s", what, excerpt(c.text[at:c.at])).
			Note("the value is left out")
	}
	return err
}
