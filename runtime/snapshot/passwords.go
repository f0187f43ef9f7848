package snapshot

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
)

// wordsOfUsers are columns with text in the words of users and administrators. Snapshots that were not captured
// here hold what they wrote, and views, pages and other snapshots show it.
var wordsOfUsers = []schema.ColumnID{"job.name", "job.comment", "job.state_reason"}

// withoutPasswords takes the passwords out of the words of users.
func withoutPasswords(jobs *column.Table) {
	for _, id := range wordsOfUsers {
		c := jobs.Column(id)
		if c == nil || !slices.ContainsFunc(c.Dict, func(text string) bool { return source.MaskLines(text) != text }) {
			continue
		}
		out, of, codes := *c, map[string]uint32{}, make([]uint32, len(c.Dict))
		out.Dict, out.Codes = nil, make([]uint32, len(c.Codes))
		for i, text := range c.Dict {
			text = source.MaskLines(text)
			code, ok := of[text]
			if !ok {
				code = uint32(len(out.Dict))
				of[text], out.Dict = code, append(out.Dict, text)
			}
			codes[i] = code
		}
		for row, code := range c.Codes {
			out.Codes[row] = codes[code]
		}
		jobs.Put(&out)
	}
}
