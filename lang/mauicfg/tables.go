package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/stdlib"
)

// This file is what an editor asks while a maui.cfg is written: which parameters and attributes there are, and what one
// means. It reads the tables that Evaluate reads.

// Known finds the row of a parameter.
func Known(name string) (stdlib.Param, bool) { p, ok := vocab().params[name]; return p, ok }

// KnownAttribute finds the row of an attribute of a family, such as PRIORITY of USERCFG.
func KnownAttribute(family, name string) (stdlib.Param, bool) {
	p, ok := vocab().attrs[family][name]
	return p, ok
}

// Attribute is one ATTRIBUTE=VALUE of a line, with the [sub] that its name may have.
type Attribute struct {
	Name, Sub, Op, Value dialect.Word
}

// Attributes takes the words of a family's line apart. A word without an equals sign is a name.
func (line *Line) Attributes() (list []Attribute) {
	for _, w := range newStatement(line).words {
		name, value, _ := strings.Cut(w.text, "=")
		a := Attribute{Name: dialect.Word{Text: name, Span: w.span.Sub(0, len(name))}}
		if i := strings.IndexByte(name, '['); i >= 0 {
			a.Sub = dialect.Word{Text: strings.Trim(name[i:], "[]"), Span: a.Name.Span.Sub(i, len(name))}
			a.Name = dialect.Word{Text: name[:i], Span: a.Name.Span.Sub(0, i)}
		}
		if len(name) < len(w.text) {
			a.Op = dialect.Word{Text: "=", Span: w.span.Sub(len(name), len(name)+1)}
			a.Value = dialect.Word{Text: value, Span: w.span.Sub(len(name)+1, len(w.text))}
		}
		list = append(list, a)
	}
	return list
}

// Value is what comes after the name of a plain parameter.
func (line *Line) Value() dialect.Word {
	st := newStatement(line)
	if len(st.words) == 0 {
		return dialect.Word{}
	}
	return dialect.Word{Text: st.raw, Span: st.span}
}

// Items are the entries of a list, each with its place; the signs around a name are left out.
func Items(w dialect.Word) (list []dialect.Word) {
	if w.IsZero() || w.Span.Text() != w.Text {
		return nil
	}
	start := 0
	for i := 0; i <= len(w.Text); i++ {
		if i < len(w.Text) && strings.IndexByte(":, \t", w.Text[i]) < 0 {
			continue
		}
		from, to := start, i
		for from < to && strings.IndexByte("'\"", w.Text[from]) >= 0 {
			from++
		}
		for to > from && strings.IndexByte("'\"&^+=-!*", w.Text[to-1]) >= 0 {
			to--
		}
		if from < to {
			list = append(list, dialect.Word{Text: w.Text[from:to], Span: w.Span.Sub(from, to)})
		}
		start = i + 1
	}
	return list
}

// Seconds is what Maui makes of a time; false if it is none, or has no end.
func Seconds(row stdlib.Param, w dialect.Word) (int64, bool) {
	if row.Type != "time" && row.Type != "timelimit" || w.Text == "" {
		return 0, false
	}
	e := newEvaluator(Options{})
	v, ok := e.value(setting{row: row, strict: row.Record == "", quiet: true}, []word{{text: w.Text}})
	return v.Int, ok && v.Kind == KindTime && !v.Absolute && v.Int > 0 && v.Int < Infinity
}
