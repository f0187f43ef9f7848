package native

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// nativeColumn finds the column that a field of the native form names: the
// column's name with or without its object in front, with a key in parentheses
// where the column has keys.
func nativeColumn(object *schema.Object, field string) (schema.ColumnID, bool) {
	name := strings.TrimPrefix(field, object.Name+".")
	base, rest, hasKey := strings.Cut(name, "(")
	column := object.Column(base)
	if column == nil || hasKey != schema.Keyed(base) {
		return "", false
	}
	if !hasKey {
		return column.ID, true
	}
	key, closed := strings.CutSuffix(rest, ")")
	if !closed || !format.ValidKey(key) {
		return "", false
	}
	return schema.ColumnID(string(column.ID) + "(" + key + ")"), true
}

// nativeShape reads records whose members are columns of an object.
func nativeShape(object *schema.Object, key schema.ColumnID) *format.RecordShape {
	shape := &format.RecordShape{
		Key: key, Fields: map[string]schema.ColumnID{},
		More:    func(name string) (schema.ColumnID, bool) { return nativeColumn(object, name) },
		Special: map[string]func(*format.Cursor, *format.Record) error{},
	}
	for _, c := range object.Columns {
		name := c.ID.Name()
		if schema.Keyed(name) {
			shape.Special[name] = keyedNumbers(c.ID)
			continue
		}
		shape.Fields[name] = c.ID
	}
	return shape
}

// KeyColumn is the column that names the rows of an object.
func KeyColumn(object string) schema.ColumnID {
	switch object {
	case "job", "node":
		return schema.ColumnID(object + ".id")
	}
	return schema.ColumnID(object + ".name")
}

// shapeOfObject is nativeShape for an object of the vocabulary.
func shapeOfObject(name string) *format.RecordShape {
	return nativeShape(schema.ObjectByName(name), KeyColumn(name))
}

// sprioShape reads recorded factors, whose columns are named by sprio itself.
var sprioShape = &format.RecordShape{
	Key: "sprio.id",
	More: func(name string) (schema.ColumnID, bool) {
		return format.SprioColumn(name), name != "" && !strings.ContainsAny(name, "(.")
	},
	Special: map[string]func(*format.Cursor, *format.Record) error{"tres": keyedNumbers("sprio.tres"),
		"tres_norm": keyedNumbers("sprio.tres_norm")},
}

func keyedNumbers(column schema.ColumnID) func(*format.Cursor, *format.Record) error {
	return func(c *format.Cursor, r *format.Record) error { return format.KeyedNumbers(c, r, column, nil) }
}
