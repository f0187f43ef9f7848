// Package slurm reads the outputs of Slurm's commands, as text and as JSON of every version, and fills in what follows
// from several of them. What each output calls a field is in the tables of fields; Go code says what several fields
// together mean.
package slurm

import (
	"embed"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// What each output of Slurm calls a field is text: fields/job.txt and its neighbours. The drivers of scontrol's pairs,
// of tables and of JSON walk these tables, and fill records.

//go:embed fields/*.txt
var fieldTexts embed.FS

// slot is the place of a field in its table.
type slot int

// fieldTable is one of these tables.
type fieldTable struct {
	head    []string
	lines   [][]string
	slots   map[string]slot
	columns []schema.ColumnID // of the lines; "" for a step towards one
}

func fieldsOf(object string) *fieldTable {
	text, err := fieldTexts.ReadFile("fields/" + object + ".txt")
	if err != nil {
		panic("INVARIANT: " + err.Error())
	}
	t := &fieldTable{slots: map[string]slot{}}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := columnsOf(line)
		if t.head == nil {
			t.head = columns
			continue
		}
		id := schema.ColumnID(columns[0])
		if id.Name() == "" {
			id = ""
		}
		t.slots[columns[0]] = slot(len(t.lines))
		t.lines, t.columns = append(t.lines, columns), append(t.columns, id)
	}
	return t
}

// columnsOf splits a line where two blanks or more are.
func columnsOf(line string) (columns []string) {
	for line = strings.TrimSpace(line); line != ""; {
		column, rest, _ := strings.Cut(line, "  ")
		columns, line = append(columns, column), strings.TrimLeft(rest, " ")
	}
	return columns
}

// slot finds a field that code uses.
func (t *fieldTable) slot(name string) slot {
	s, ok := t.slots[name]
	if !ok {
		panic("INVARIANT: no field " + name)
	}
	return s
}

// each calls visit for every name that an output has for a field, with the kind of its values there.
func (t *fieldTable) each(output string, visit func(s slot, name, kind string)) {
	at := 0
	for at < len(t.head) && t.head[at] != output {
		at++
	}
	for s, line := range t.lines {
		if at >= len(line) || line[at] == "-" {
			continue
		}
		for name := range strings.SplitSeq(line[at], ",") {
			name, kind, otherwise := strings.Cut(name, "=")
			if !otherwise {
				kind = line[1]
			}
			visit(slot(s), name, kind)
		}
	}
}

// textField reads a field from the text that an output has for it.
type textField struct {
	slot slot
	read textKind
}

// texts are the fields of an output by its names for them.
func (t *fieldTable) texts(output string) map[string]textField {
	fields := map[string]textField{}
	t.each(output, func(s slot, name, kind string) { fields[name] = textField{s, kinds[kind].text} })
	return fields
}

// slurmCell is what a record states of a field. A value that is not known was left open by the scheduler itself
// ("Unknown", null) and declares its column.
type slurmCell struct {
	value schema.Value
	tres  slurmtext.TRESList // instead of a value
	at    format.Place
}

// slurmRecord is one record of an output of Slurm: the fields that it states.
type slurmRecord struct {
	in      *format.Input
	places  [maxFields]uint8 // of each field's cell, from 1; 0 for none
	cells   []slurmCell
	at      format.Place // of the record, and then of the value being read
	granted allocation
	limits  limitList
}

// maxFields is more than any table has.
const maxFields = 100

func (r *slurmRecord) reset() {
	r.places, r.cells, r.granted, r.limits = [maxFields]uint8{}, r.cells[:0], allocation{}, limitList{}
}

// cell is the cell of a field, nil if the record does not state it.
func (r *slurmRecord) cell(s slot) *slurmCell {
	if i := r.places[s]; i > 0 {
		return &r.cells[i-1]
	}
	return nil
}

// get is the value of a field, unknown if there is none.
func (r *slurmRecord) get(s slot) schema.Value {
	if c := r.cell(s); c != nil {
		return c.value
	}
	return schema.Value{}
}

func (r *slurmRecord) stated(s slot) bool { return r.places[s] > 0 }
func (r *slurmRecord) known(s slot) bool {
	c := r.cell(s)
	return c != nil && (c.value.Known() || c.tres != nil)
}
func (r *slurmRecord) int(s slot) int64   { return r.get(s).Int }
func (r *slurmRecord) text(s slot) string { return r.get(s).Str }

func (r *slurmRecord) list(s slot) []string { return r.get(s).List }

func (r *slurmRecord) tres(s slot) slurmtext.TRESList {
	if c := r.cell(s); c != nil {
		return c.tres
	}
	return nil
}

func (r *slurmRecord) set(s slot, v schema.Value) {
	c := r.cell(s)
	if c == nil {
		r.cells = append(r.cells, slurmCell{})
		r.places[s] = uint8(len(r.cells))
		c = &r.cells[len(r.cells)-1]
	}
	c.value, c.tres, c.at = v, nil, r.at
}

// setTRES sets a field to resources, nil if they are not known.
func (r *slurmRecord) setTRES(s slot, list slurmtext.TRESList) {
	r.set(s, schema.Value{})
	r.cell(s).tres = list
}

// setIf sets a field to a value that was stated, if it was.
func (r *slurmRecord) setIf(stated bool, s slot, v schema.Value) {
	if stated {
		r.set(s, v)
	}
}

// forget takes fields away, so that they set no column.
func (r *slurmRecord) forget(slots ...slot) {
	for _, s := range slots {
		r.places[s] = 0
	}
}

func (r *slurmRecord) setInt(s slot, n int64)     { r.set(s, schema.IntValue(n)) }
func (r *slurmRecord) setText(s slot, t string)   { r.set(s, schema.StringValue(t)) }
func (r *slurmRecord) setList(s slot, l []string) { r.set(s, schema.ListValue(l)) }
func (r *slurmRecord) setBool(s slot, b bool)     { r.set(s, schema.BoolValue(b)) }

// slurmObject is a kind of record: its fields, the table that it goes into, and what makes the rest of its columns from
// what was read, or says why the record cannot be one.
type slurmObject struct {
	fields *fieldTable
	rows   func(*format.Input) *column.Builder
	settle func(*slurmRows, *slurmRecord) error // may be nil

	key, noun string // the first field has the name of such a record: as scontrol calls it, and the record in words
	None      string // what scontrol says of a cluster without any
	empty     bool   // the table is there even without a record
}

// slurmRows writes the records of one source into its table.
type slurmRows struct {
	*slurmObject
	in      *format.Input
	columns []*column.Building            // of the fields, once they are there
	tres    []map[string]*column.Building // of each resource
	seen    map[string]bool               // what may be there once
	lists   map[string][]string           // each different list is split once
}

func newSlurmRows(in *format.Input, o *slurmObject) *slurmRows {
	if o.empty {
		o.rows(in)
	}
	n := len(o.fields.lines)
	return &slurmRows{
		slurmObject: o, in: in, columns: make([]*column.Building, n), tres: make([]map[string]*column.Building, n),
		seen: map[string]bool{}, lists: map[string][]string{},
	}
}

// record is a new record of the source.
func (w *slurmRows) record(start, end int) *slurmRecord {
	return &slurmRecord{in: w.in, at: format.Place{Start: start, End: end}}
}

// add writes a record or says why it cannot be one.
func (w *slurmRows) add(r *slurmRecord) error {
	if w.key != "" && r.text(0) == "" {
		return fieldError(w.key, "the record names no %s", w.noun)
	}
	if w.settle != nil {
		if err := w.settle(w, r); err != nil {
			return err
		}
	}
	w.in.Snapshot.Family = "slurm"
	w.in.Record()
	b := w.rows(w.in)
	row := w.in.Row(b, r.at.Start)
	for i, id := range w.fields.columns {
		c := r.cell(slot(i))
		switch {
		case c == nil || id == "":
			continue
		case c.tres != nil:
			w.addTRES(b, row, i, c.tres)
			continue
		case w.columns[i] == nil && c.value.Known():
			w.columns[i] = b.At(id, c.value.Type)
		case w.columns[i] == nil && !schema.Keyed(id.Name()):
			w.columns[i] = b.At(id, format.ColumnType(id))
		}
		if c.value.Known() {
			w.columns[i].Set(row, c.value)
		}
	}
	return nil
}

// addTRES writes a list of resources; each has a column.
func (w *slurmRows) addTRES(b *column.Builder, row, i int, list slurmtext.TRESList) {
	if w.tres[i] == nil {
		w.tres[i] = map[string]*column.Building{}
	}
	for _, t := range list {
		c := w.tres[i][t.Name]
		if c == nil {
			c = b.At(schema.ColumnID(string(w.fields.columns[i])+"("+t.Name+")"), schema.Double)
			w.tres[i][t.Name] = c
		}
		c.Set(row, schema.DoubleValue(float64(t.Count)))
	}
}

// list splits text, once for each different text.
func (w *slurmRows) list(text, separator string) []string {
	if text == "" {
		return nil
	}
	l, ok := w.lists[text]
	if !ok {
		l = strings.Split(text, separator)
		w.lists[text] = l
	}
	return l
}
