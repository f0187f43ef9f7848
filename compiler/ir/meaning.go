package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// place is what String writes after a value for where it was set.
var place = source.Pattern(`(?m)   ; .*$`)

// Meaning prints what a policy means, without places and notation: two texts with the same
// meaning are the same policy, and the same facts. A define means what the expressions mean that read it.
func (p *Policy) Meaning() string {
	var b strings.Builder
	read := *p
	read.Defines = nil
	b.WriteString(place().ReplaceAllString(read.String(), ""))
	if p.Enforced != nil {
		fmt.Fprintf(&b, "enforced %+v\n", *p.Enforced)
	}
	records := slices.Clone(p.Facts.Records) // those of one kind are in an order
	slices.SortStableFunc(records, func(a, b Record) int { return strings.Compare(a.Kind, b.Kind) })
	for i := range records {
		r := &records[i]
		if r.Kind == "" && len(r.Attrs) == 0 {
			continue // a file without settings outside records says as much as no file
		}
		fmt.Fprintf(&b, "record %s %s nodes=%v count=%d\n", r.Kind, r.Name, r.Nodes, r.Count)
		attrs := slices.Clone(r.Attrs) // whose order means nothing
		for i := range attrs {
			if attrs[i].Name == "Feature" && r.Attr("Features") == nil { // two names of one setting
				attrs[i].Name = "Features"
			}
		}
		slices.SortStableFunc(attrs, func(a, b Attr) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Index, b.Index))
		})
		for _, a := range attrs {
			fmt.Fprintf(&b, "  %s[%s] %s %d,%d %s %v %v\n", a.Name, a.Index, a.Value.String(), a.Soft, a.Hard, a.Kind,
				a.Infinite, a.Inherited)
		}
	}
	return b.String()
}
