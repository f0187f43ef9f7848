package sacctmgr

import (
	"bytes"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/dialect"
)

// sacctmgr dump writes typed resources without quotes, as in
// GrpTRES=cpu=100,gres/gpu:a100=2, and the colon that parts name and type is the
// one that ends an option. sacctmgr load before 26.05.1 ends it there and refuses
// the file (seen in 22.05.8; the correction is in the change log of 26.05.1). Here
// such a colon belongs to the value where nothing else can be meant.

// isTyped reports whether the colon at i is within the name of a resource: after
// the slash of the entry's name, and before a type that has a count and is no option.
// The value of a list of TRES begins at start.
func (s *scanner) isTyped(start, i, stop int) bool {
	before := s.file[start:i]
	before = before[bytes.LastIndexByte(before, ',')+1:]
	if !bytes.ContainsRune(before, '/') || bytes.ContainsAny(before, "=:'\"") ||
		dialect.IsSpace(before[len(before)-1]) {
		return false
	}
	after := s.file[i+1 : stop]
	equals := bytes.IndexByte(after, '=')
	if equals <= 0 || bytes.ContainsAny(after[:equals], ",:'\"# \t\v\f\r") || equals+1 == len(after) {
		return false
	}
	for _, table := range [][]option{options().association, options().qos} {
		if _, abbreviated, ok := findOption(table, string(after[:equals])); ok && !abbreviated {
			return false
		}
	}
	count := after[equals+1]
	return count == '-' || count >= '0' && count <= '9'
}

// holdsTRES reports whether an option of an object is a list of TRES.
func holdsTRES(object, key string) bool {
	known, _, ok := findOption(optionsOf(objectNamed(object)), key)
	return ok && known.kind == tres
}

// checkTyped says once what becomes of typed resources without quotes.
func checkTyped(f *File, ds *diag.Bounded) {
	var first Word
	n := 0
	for _, l := range f.Lines {
		for _, o := range l.Options {
			if isUnquotedTyped(o.Value) {
				if n++; n == 1 {
					first = o.Value
				}
			}
		}
	}
	if n == 0 {
		return
	}
	d := ds.Warnf("sacctmgr-typed-tres", first.Span,
		"sacctmgr load before 26.05.1 refuses the file: it takes the colon in %s for the end of the option",
		first.Text).
		Note("it is read here as sacctmgr dump means it; a value in quotes is read by all versions, and `fairway " +
			"fmt` writes it so")
	if n > 1 {
		d.Note("%d values are written so", n)
	}
	d.Suggest(first.Span, "'"+first.Text+"'")
}

// isUnquotedTyped: only a list of TRES has a colon without quotes.
func isUnquotedTyped(w Word) bool {
	return !w.IsZero() && w.Span.Text() == w.Text && strings.Contains(w.Text, ":") && !strings.ContainsAny(w.Text, `'"`)
}
