package encode

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Members is a value that is several members of the object that it is in, such as soft and hard of a limit.
type Members interface {
	WriteMembers(j *JSON, name string)
}

// Raw is JSON already.
type Raw []byte

// Object is an object whose members are known only as it is written.
type Object []Member

// Member is one of an Object's.
type Member struct {
	Name  string
	Value any
}

// Position is a place that is written as the members file, line and column, null where nothing was written.
type Position source.Span

// WriteMembers writes the three.
func (p Position) WriteMembers(j *JSON, _ string) {
	s := source.Span(p)
	if s.IsZero() {
		for _, name := range []string{"file", "line", "column"} {
			j.Key(name).Value(nil)
		}
		return
	}
	at := s.Position()
	j.Key("file").Value(s.File.Name).Key("line").Value(at.Line).Key("column").Value(at.Column)
}

// Value writes what a report is made of: structs, slices and sequences, pointers, texts, numbers, columns'
// values and places.
//
// A tag json:"name" may go on with omitempty, which leaves out a zero. A tag of our own beside it says more:
// form:"ornull" makes null of a zero; form:"lines" puts each element on a line of its own (a sequence ends in a new
// line even if it is empty); form:"inline" makes the fields of a struct those of the outer one, as embedding does. A
// field without a tag is left out.
func (j *JSON) Value(v any) *JSON {
	if v == nil {
		j.raw("null")
		return j
	}
	j.value(reflect.ValueOf(v), false)
	return j
}

var (
	spanType   = reflect.TypeFor[source.Span]()
	columnType = reflect.TypeFor[schema.Value]()
	memberType = reflect.TypeFor[Members]()
	rawType    = reflect.TypeFor[Raw]()
	objectType = reflect.TypeFor[Object]()
)

func (j *JSON) value(v reflect.Value, lines bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			j.raw("null")
			return
		}
		j.value(v.Elem(), lines)
	case reflect.String:
		j.str(v.String())
	case reflect.Bool:
		if v.Bool() {
			j.raw("true")
			return
		}
		j.raw("false")
	case reflect.Int, reflect.Int64, reflect.Int32:
		j.int(v.Int())
	case reflect.Float64:
		j.num(v.Float())
	case reflect.Slice:
		if v.Type() == rawType {
			j.raw(string(v.Bytes()))
			return
		}
		if v.Type() == objectType {
			j.open('{')
			for _, m := range v.Interface().(Object) {
				j.Key(m.Name).Value(m.Value)
			}
			j.shut('}')
			return
		}
		j.open('[')
		kept := reflect.PointerTo(v.Type().Elem()).Implements(keeperType)
		for i := range v.Len() {
			if kept {
				v.Index(i).Addr().Interface().(keeper).write(j)
			} else {
				j.element(v.Index(i), lines)
			}
		}
		j.endList(lines && v.Len() > 0)
	case reflect.Func: // an iter.Seq
		j.open('[')
		for x := range v.Seq() {
			j.element(x, lines)
		}
		j.endList(lines)
	case reflect.Struct:
		switch v.Type() {
		case spanType:
			j.place(v.Interface().(source.Span))
		case columnType:
			j.column(v.Interface().(schema.Value))
		default:
			j.open('{')
			j.fields(v)
			j.shut('}')
		}
	default:
		panic(fmt.Sprintf("no report has a %s", v.Type()))
	}
}

func (j *JSON) element(v reflect.Value, line bool) {
	if line {
		if j.comma {
			j.buf = append(j.buf, ',')
		}
		j.buf, j.comma = append(j.buf, '\n'), false
	}
	j.value(v, false)
}

func (j *JSON) endList(line bool) {
	if line {
		j.buf = append(j.buf, '\n')
	}
	j.shut(']')
}

// field is how a field of a struct is written.
type field struct {
	index                            int
	key                              string // quoted, with its colon
	name                             string
	omit, null, lines, embed, member bool
}

var plans sync.Map // of []field by reflect.Type

func planOf(t reflect.Type) []field {
	if plan, ok := plans.Load(t); ok {
		return plan.([]field)
	}
	var plan []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		form := f.Tag.Get("form") // of our own: encoding/json knows none of these
		if !tagged && !f.Anonymous {
			continue
		}
		plan = append(plan, field{index: i, key: string(appendString(nil, name)) + ":", name: name,
			embed: f.Anonymous && !tagged || form == "inline",
			omit:  options == "omitempty", null: form == "ornull", lines: form == "lines",
			member: f.Type.Implements(memberType)})
	}
	plans.Store(t, plan)
	return plan
}

func (j *JSON) fields(v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if t := v.Type(); t != j.typ {
		j.typ, j.plan = t, planOf(t)
	}
	plan := j.plan
	for i := range plan {
		f := &plan[i]
		x := v.Field(f.index)
		switch {
		case f.embed:
			j.fields(x)
			continue
		case f.member:
			x.Interface().(Members).WriteMembers(j, f.name)
			continue
		case f.omit && x.IsZero():
			continue
		}
		j.separate()
		j.buf, j.comma = append(j.buf, f.key...), false
		if f.null && x.IsZero() {
			j.raw("null")
			continue
		}
		j.value(x, f.lines)
	}
}

// column writes a column's value: times in epoch seconds, durations in seconds.
func (j *JSON) column(v schema.Value) {
	switch v.Type {
	case schema.Invalid:
		j.raw("null")
	case schema.Bool:
		j.Value(v.Int != 0)
	case schema.Double:
		j.num(v.Double)
	case schema.String:
		j.str(v.Str)
	case schema.StringList:
		j.Value(v.List)
	case schema.Duration:
		j.num(float64(v.Int) / 1e9)
	default:
		j.int(v.Int)
	}
}

// Kept is a part of a report that often is what it was in the one before: while it stays the same, its text does.
type Kept[T comparable] struct {
	Value T
	last  T
	text  []byte // of last
}

type keeper interface{ write(j *JSON) }

var keeperType = reflect.TypeFor[keeper]()

func (k *Kept[T]) write(j *JSON) {
	j.separate()
	if len(k.text) > 0 && k.Value == k.last { // no NaN is
		j.buf = append(j.buf, k.text...)
		return
	}
	start := len(j.buf)
	j.comma = false
	j.value(reflect.ValueOf(&k.Value).Elem(), false)
	k.text, k.last = k.text[:0], k.Value
	if len(j.buf) > start { // else it has gone out already
		k.text = append(k.text, j.buf[start:]...)
	}
}

// Known is a number, NaN if it is not known.
func Known(f float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return f
}

// Some is a number, nil if there is none.
func Some(n int64, ok bool) *int64 {
	if !ok {
		return nil
	}
	return &n
}

// OrNull is a text, nil if it is empty.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
