package policy

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
)

// Record is a record of the scheduler's own file, in its words.
type Record struct {
	Kind, Name Text
	Settings   []Entry
	Value      Scalar // of a parameter with an index
	Span       source.Span
}

// Entry is one setting of a record.
type Entry struct {
	Name Text
	Scalar
}

// takeRecords moves the records out of a policy's header: what follows merges blocks by their
// names, but records are in an order and may repeat.
func takeRecords(header *node) (list []Record) {
	for _, n := range header.blocks {
		if n.doc.ID != recordID {
			continue
		}
		r := Record{Kind: n.kind, Name: n.name, Value: n.scalar("value"), Span: n.span}
		if r.Kind.Value == "" {
			r.Kind, r.Name = n.name, Text{}
		}
		if a := n.attr("settings"); a != nil {
			for _, x := range a.entries {
				r.Settings = append(r.Settings, Entry{x.name, x.Scalar})
			}
		}
		list = append(list, r)
	}
	header.blocks = slices.DeleteFunc(header.blocks, func(n *node) bool { return n.doc.ID == recordID })
	return list
}
