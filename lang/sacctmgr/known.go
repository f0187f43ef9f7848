package sacctmgr

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// This file is what an editor asks while a dump is written: which options there are, and what one means.

// Objects are the words that begin a line.
func Objects() []string { return slices.Clone(objects) }

// Known is an option of a line.
type Known struct {
	Name string // as dumps have it today
	Type string
	Doc  string
}

// kindNames say how values are read.
var kindNames = map[kind]string{
	text: "text", name: "name", names: "comma list of names", number: "whole number, -1 for none",
	decimal: "number", minutes: "time or minutes, -1 for none", seconds: "time or seconds",
	shares: "number, or parent", tres: "list of TRES such as cpu=64,mem=100G", oldTRES: "whole number, -1 for none",
	qosFlagNames: "comma list of flags",
}

// Find looks an option up as sacctmgr does, which takes the beginning of a name too.
func Find(object, key string) (Known, bool) {
	o, _, ok := findOption(optionsOf(object), key)
	if !ok {
		return Known{}, false
	}
	return o.known(), true
}

func (o option) known() Known {
	return Known{o.canonical(), kindNames[o.kind], options().docs[o.canonical()]}
}

// OptionsOf are those that a line of an object may have, each by its name of today.
func OptionsOf(object string) (list []Known) {
	for _, o := range optionsOf(object) {
		if o.alias == "" {
			list = append(list, o.known())
		}
	}
	return list
}

// Seconds reads the value of an option that is a time; false for all others, and for a
// value that has no end.
func Seconds(object, key, value string) (length uint64, ok bool) {
	o, _, found := findOption(optionsOf(object), key)
	var n int64
	err := errNumber
	switch {
	case found && o.kind == minutes:
		if n, err = slurmtext.ParseTimeMinutes(value); err == nil && n != slurmtext.Infinite {
			n *= 60
		}
	case found && o.kind == seconds:
		n, err = parseSeconds(value)
	}
	return uint64(max(n, 0)), err == nil && n > 0 && n != slurmtext.Infinite
}

// Items are the entries of a list, each with its place; a sign before one is left out.
func Items(w Word) (list []Word) {
	if w.IsZero() {
		return nil
	}
	quote := (len(w.Span.Text()) - len(w.Text)) / 2
	at := 0
	for _, part := range strings.Split(w.Text, ",") {
		entry := strings.TrimLeft(strings.TrimSpace(part), "+-")
		if i := strings.Index(part, entry); entry != "" {
			list = append(list, Word{Text: entry, Span: w.Span.Sub(quote+at+i, quote+at+i+len(entry))})
		}
		at += len(part) + 1
	}
	return list
}
