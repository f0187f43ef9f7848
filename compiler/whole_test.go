package compiler

import (
	"reflect"
	"testing"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/program/form"
)

// What a policy or a program holds, its printed form shows: a field of any depth that changes changes it.
func TestPrintedFormIsWhole(t *testing.T) {
	for name, v := range map[string]any{"policy": &ir.Policy{}, "program": &program.Program{}} {
		at := reflect.ValueOf(v).Elem()
		fill(t, at, 0)
		print := func() string { return form.Whole(name, v) }
		if n := change(t, name, at, print, 0); n < 150 {
			t.Errorf("of a %s only %d fields were changed", name, n)
		}
	}
}

var file = source.NewFile("site.hcl", []byte("one two three four five six"))

// leaves are the types of lang that print themselves, with two values each.
var leaves = map[reflect.Type][2]any{
	reflect.TypeFor[source.Span]():  {file.Span(4, 7), file.Span(8, 13)},
	reflect.TypeFor[schema.Value](): {schema.IntValue(3), schema.IntValue(4)},
	reflect.TypeFor[*expr.Expr](): {expr.NewConst(schema.IntValue(3), source.Span{}),
		expr.NewConst(schema.IntValue(4), source.Span{})},
}

// fill gives every list one element, every pointer something, and every leaf a value.
func fill(t *testing.T, v reflect.Value, depth int) {
	if two, ok := leaves[v.Type()]; ok {
		v.Set(reflect.ValueOf(two[0]))
		return
	}
	if depth > 12 {
		t.Fatalf("%s is too deep", v.Type())
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), depth+1)
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		element := reflect.New(v.Type().Elem()).Elem()
		fill(t, element, depth+1)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), element)
	case reflect.String:
		v.SetString("word")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Int8, reflect.Int16:
		v.SetInt(3)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(3)
	case reflect.Float64:
		v.SetFloat(3)
	case reflect.Func: // a boxed function: its text is a field beside it
	default:
		t.Fatalf("%s is of a kind that this test does not fill", v.Type())
	}
}

// change alters each leaf in turn, looks whether the form shows it, and counts them.
func change(t *testing.T, path string, v reflect.Value, print func() string, depth int) (n int) {
	alter := func(set func()) {
		n++
		before, was := print(), reflect.New(v.Type()).Elem()
		was.Set(v)
		set()
		if print() == before {
			t.Errorf("%s changed and the printed form did not", path)
		}
		v.Set(was)
	}
	if two, ok := leaves[v.Type()]; ok {
		alter(func() { v.Set(reflect.ValueOf(two[1])) })
		return n
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n += change(t, path+"."+v.Type().Field(i).Name, v.Field(i), print, depth+1)
		}
	case reflect.Pointer:
		n += change(t, path, v.Elem(), print, depth+1)
		alter(func() { v.SetZero() })
	case reflect.Slice:
		n += change(t, path+"[]", v.Index(0), print, depth+1)
		alter(func() { v.SetZero() })
	case reflect.Array:
		for i := range v.Len() {
			n += change(t, path+"[]", v.Index(i), print, depth+1)
		}
	case reflect.Map:
		key, element := v.MapKeys()[0], reflect.New(v.Type().Elem()).Elem()
		element.Set(v.MapIndex(key))
		n += change(t, path+"[key]", element, func() string {
			v.SetMapIndex(key, element)
			return print()
		}, depth+1)
		v.SetMapIndex(key, element)
		alter(func() { v.SetZero() })
	case reflect.Func:
	default:
		alter(func() { v.SetZero() })
	}
	return n
}
