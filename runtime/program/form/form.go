// Package form prints a value whole: every field of every depth that is not empty, a struct a line with what it has
// of its own, and what it consists of indented below. A field that is added is printed without further words.
package form

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Whole prints a struct, or a pointer to one. Passwords are hidden.
func Whole(name string, v any) string {
	var p printer
	p.lines(name, "", reflect.Indirect(reflect.ValueOf(v)))
	return source.MaskQuoted(p.String())
}

type printer struct{ strings.Builder }

// lines prints a struct: its name, what fits on a line, and its parts.
func (p *printer) lines(name, indent string, v reflect.Value) {
	p.WriteString(indent + name)
	hidden := secret(v)
	type part struct {
		name string
		v    reflect.Value
	}
	var parts []part
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		switch text, ok := word(field); {
		case field.IsZero() || f.Type.Kind() == reflect.Func:
		case !ok:
			parts = append(parts, part{snake(f.Name), field})
		case hidden && f.Name != "Name" && f.Type != reflect.TypeFor[source.Span]():
			p.WriteString(" " + snake(f.Name) + "=" + strconv.Quote(source.Hidden))
		default:
			p.WriteString(" " + snake(f.Name) + "=" + text)
		}
	}
	p.WriteByte('\n')
	for _, part := range parts {
		p.part(part.name, indent+"  ", part.v)
	}
}

// part prints what a line has no room for: structs, and lists and maps of them.
func (p *printer) part(name, indent string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		p.part(name, indent, v.Elem())
	case reflect.Struct:
		p.lines(name, indent, v)
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			p.part(name+"["+k.String()+"]", indent, v.MapIndex(k))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			p.part(name, indent, v.Index(i))
		}
	default:
		text, _ := word(v)
		p.WriteString(indent + name + "=" + text + "\n")
	}
}

// word is a value that fits on a line: a basic one, a list of them, and what lang has its own text for.
func word(v reflect.Value) (string, bool) {
	if s, ok := v.Interface().(fmt.Stringer); ok && isLang(v.Type()) && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		return s.String(), true
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return fmt.Sprint(v), true
	case reflect.String:
		return strconv.Quote(v.String()), true
	case reflect.Pointer:
		if v.IsNil() {
			return "nil", true
		}
		return word(v.Elem())
	case reflect.Slice, reflect.Array:
		var words []string
		for i := range v.Len() {
			text, ok := word(v.Index(i))
			if !ok {
				return "", false
			}
			words = append(words, text)
		}
		return "[" + strings.Join(words, " ") + "]", true
	}
	return "", false
}

// isLang reports a type of lang, or a pointer to one: those print themselves.
func isLang(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.Contains(t.PkgPath(), "/lang/")
}

// secret reports a struct that has a name whose value is a password.
func secret(v reflect.Value) bool {
	name := v.FieldByName("Name")
	return name.IsValid() && name.Kind() == reflect.String && source.Secret(name.String())
}

// snake is a field's name as it is printed: IntervalSeconds is interval_seconds.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}
