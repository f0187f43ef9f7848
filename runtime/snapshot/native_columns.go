package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
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
	if !closed || !validKey(key) {
		return "", false
	}
	return schema.ColumnID(string(column.ID) + "(" + key + ")"), true
}

// nativeShape reads records whose members are columns of an object.
func nativeShape(object *schema.Object, key schema.ColumnID) *recordShape {
	shape := &recordShape{
		key: key, fields: map[string]schema.ColumnID{},
		more:    func(name string) (schema.ColumnID, bool) { return nativeColumn(object, name) },
		special: map[string]func(*jsonCursor, *record) error{},
	}
	for _, c := range object.Columns {
		name := c.ID.Name()
		if schema.Keyed(name) {
			shape.special[name] = func(c *jsonCursor, r *record) error {
				return keyedNumbers(c, r, object.Name, name, nil)
			}
			continue
		}
		shape.fields[name] = c.ID
	}
	return shape
}

// keyColumn is the column that names the rows of an object.
func keyColumn(object string) schema.ColumnID {
	switch object {
	case "job", "node":
		return schema.ColumnID(object + ".id")
	}
	return schema.ColumnID(object + ".name")
}

// shapeOfObject is nativeShape for an object of the vocabulary.
func shapeOfObject(name string) *recordShape {
	return nativeShape(schema.ObjectByName(name), keyColumn(name))
}

// sprioShape reads recorded factors, whose columns are named by sprio itself.
var sprioShape = &recordShape{
	key: "sprio.id",
	more: func(name string) (schema.ColumnID, bool) {
		return SprioColumn(name), name != "" && !strings.ContainsAny(name, "(.")
	},
	special: map[string]func(*jsonCursor, *record) error{"tres": sprioTRES("tres"), "tres_norm": sprioTRES("tres_norm")},
}

func sprioTRES(name string) func(*jsonCursor, *record) error {
	return func(c *jsonCursor, r *record) error { return keyedNumbers(c, r, "sprio", name, nil) }
}
