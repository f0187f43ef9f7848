package snapshot

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// wordsOfUsers are columns with text in the words of users and administrators. Snapshots that were not captured
// here hold what they wrote, and views, pages and other snapshots show it.
var wordsOfUsers = []struct {
	id   schema.ColumnID
	mask func(text string) string
}{
	{"job.name", source.MaskLines},
	{"job.comment", source.MaskLines},
	{"job.state_reason", source.MaskLines},
	{"job.dependency", maskDependency},
}

// dependency is one of a job, as in afterok:12_3:14+10(unfulfilled) or afterany:12.head@other; an id that has an @ is
// no login.
var dependency = source.Pattern(`^[a-z]+(:\d[\w.+[\]*-]*(@[\w.-]+)?(\(\w+\))?)*$`)

// maskDependency takes passwords out of what is no dependency, so that none that holds a job is lost.
func maskDependency(text string) string {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '?' }) {
		if !dependency().MatchString(part) {
			return source.MaskLines(text)
		}
	}
	return text
}

// withoutPasswords takes the passwords out of the words of users.
func withoutPasswords(jobs *column.Table) {
	for _, of := range wordsOfUsers {
		c := jobs.Column(of.id)
		if c == nil || !slices.ContainsFunc(c.Dict, func(text string) bool { return of.mask(text) != text }) {
			continue
		}
		out, known, codes := *c, map[string]uint32{}, make([]uint32, len(c.Dict))
		out.Dict, out.Codes = nil, make([]uint32, len(c.Codes))
		for i, text := range c.Dict {
			text = of.mask(text)
			code, ok := known[text]
			if !ok {
				code = uint32(len(out.Dict))
				known[text], out.Dict = code, append(out.Dict, text)
			}
			codes[i] = code
		}
		for row, code := range c.Codes {
			out.Codes[row] = codes[code]
		}
		jobs.Put(&out)
	}
}
