package snapshot

import (
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// mentionUnknownNodes reports running jobs and reservations on nodes that no input lists, where one lists nodes: a
// reservation on node41 for node4 would keep nothing, and no one would see it.
func (r *reading) mentionUnknownNodes(s *format.Snapshot) {
	if s.Nodes == nil || s.Nodes.Rows == 0 {
		return
	}
	c := s.Nodes.Column("node.id")
	if c == nil {
		return
	}
	known := make(map[string]bool, len(c.Dict))
	for _, name := range c.Dict {
		known[name] = true
	}
	r.strangers(s.Jobs, "job.id", "job.allocated_hosts", "runs on", known, c.Dict)
	r.strangers(s.Reservations, "reservation.name", "reservation.hosts", "holds", known, c.Dict)
}

// strangers reports the rows of a table that name such nodes, the first ones each with its node.
func (r *reading) strangers(t *column.Table, key, hosts schema.ColumnID, verb string, known map[string]bool,
	names []string) {
	if t == nil || t.Column(hosts) == nil {
		return
	}
	c, object, n := t.Column(hosts), key.Object(), 0
	for row := range t.Rows {
		at := slices.IndexFunc(c.Lists[c.Codes[row]], func(name string) bool { return !known[name] })
		if at < 0 || object == "job" && !runs(t, row) {
			continue
		}
		if n++; n > format.MaxOfAKind {
			continue
		}
		name := c.Lists[c.Codes[row]][at]
		r.diags.Warnf("snapshot-unknown-node", format.Nowhere, "%s %q %s node %q, which no input lists", object,
			t.Value(key, row).Str, verb, name).
			DidYouMean(format.Nowhere, name, names).
			Note("%s of a %s name nodes by the column id of nodes; add the input that has the node, or mend the "+
				"name", hosts.Name(), object).Fix = nil
	}
	if n > format.MaxOfAKind {
		r.diags.Warnf("snapshot-more-of-a-kind", format.Nowhere, "%s more on nodes that no input lists",
			fmt.Sprint(format.HowMany(n-format.MaxOfAKind, object))).
			Note("they are counted but not listed one by one")
	}
}

// runs reports a job that has its nodes. What is done names those that it had.
func runs(t *column.Table, row int) bool {
	switch t.Text("job.state", row) {
	case "running", "suspended", "completing":
		return true
	}
	return false
}
