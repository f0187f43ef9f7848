package slurmconf

import (
	"github.com/fairway-sched/fairway/lang/source"
)

// DefaultValue is Default read as the table types it. A name without a default
// gives the empty value of its type; false means that no such key exists in the version.
func DefaultValue(name, version string) (Value, bool) {
	branch, ok := Branch(version)
	p := find("global", name)
	if !ok || p == nil || !exists(p, branch) {
		return Value{}, false
	}
	text, _ := Default(name, version)
	if text == "" {
		return Value{}, true
	}
	f := source.NewFile(name, []byte(text))
	v, ok := typed(p, Word{Text: text, Span: f.Span(0, len(text))}, branch, bounds.Findings())
	v.Span = source.Span{}
	if !ok { // a default in words, such as "unset"
		return Value{Text: text}, true
	}
	return v, true
}
