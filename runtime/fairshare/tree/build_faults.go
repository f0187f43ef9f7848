package tree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// maxShares is the largest number that is not one of Slurm's marks: it keeps shares
// in 32 bits, where 0xfffffffe and 0xffffffff mean "not set" and "infinite".
const maxShares = 0xfffffffd

// Bounds on what is reported: a table that is no account tree must not fill the screen,
// nor take minutes.
const (
	maxFindings  = 100
	maxDepth     = 1000
	maxNames     = 1000 // candidates for a name that was meant
	maxNamesTold = 10   // accounts of a circle
)

// refuse reports a row and leaves it out.
func (b *builder) refuse(row int32, code, format string, args ...any) *diag.Diagnostic {
	b.bad[row] = true
	return b.diags.Errorf(code, b.rows[row].Span, format, args...)
}

func (b *builder) repeated(row, first int32) {
	b.refuse(row, "tree-repeated-association", "%s is stated twice", label(&b.rows[row])).
		NoteAt(b.rows[first].Span, "the first row counts")
}

// leftOut reports accounts that are above themselves, each circle once, at the row
// that comes first. No way from the root leads to them or to what is below them; what
// is below a refused row was lost with it and is not reported again.
func (b *builder) leftOut() {
	seen := make([]int32, len(b.rows)) // the search that came by, from 1
	for i := range b.rows {
		row := int32(i)
		for at := row; b.rows[at].User == "" && b.tree.node[at] < 0 && !b.bad[at]; {
			if seen[at] > 0 {
				if seen[at] == row+1 {
					b.circle(at)
				}
				break
			}
			seen[at] = row + 1
			at = b.accounts[b.rows[at].Parent] // there, or link had refused the row
		}
	}
}

// circle reports the accounts from a row upwards until it comes again.
func (b *builder) circle(row int32) {
	first, above := row, row
	var names []string
	for {
		above = b.accounts[b.rows[above].Parent]
		first = min(first, above)
		if len(names) < maxNamesTold {
			names = append(names, b.rows[above].Account)
		}
		if above == row {
			break
		}
	}
	b.refuse(first, "tree-cycle", "%s is above itself", label(&b.rows[first])).
		Note("%s are above one another; give one of them a place below the root", strings.Join(names, ", "))
}

// names are accounts that may have been meant by a name, in order.
func (b *builder) names(above string) []string {
	var names []string
	for name := range b.accounts {
		if d := len(name) - len(above); -3 <= d && d <= 3 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxNames)]
}

// label names an association in a message.
func label(a *Association) string {
	switch {
	case a.User == "":
		return fmt.Sprintf("account %q", a.Account)
	case a.Partition == "":
		return fmt.Sprintf("user %q of account %q", a.User, a.Account)
	}
	return fmt.Sprintf("user %q of account %q in partition %q", a.User, a.Account, a.Partition)
}

func rowSpan(rows []Association) source.Span {
	if len(rows) == 0 {
		return source.Span{}
	}
	return rows[0].Span
}
