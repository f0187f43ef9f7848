package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// sameWindow reports windows of usage that two files state otherwise: one of the two counts.
func (r *reading) sameWindow(have, other *format.Snapshot, p column.Precedence) {
	for i := range other.Usage {
		w := &other.Usage[i]
		k := slices.IndexFunc(have.Usage, func(h format.UsageWindow) bool { return h.StartTime == w.StartTime })
		if k < 0 {
			continue
		}
		first, a, b := &have.Usage[k], have.UsageFiles[w.StartTime], other.UsageFiles[w.StartTime]
		if a == b || first.Total == w.Total && reflect.DeepEqual(first.Usage, w.Usage) {
			continue
		}
		counts, lost := a, b
		if p == column.LaterWins {
			counts, lost = lost, counts
		}
		r.diags.Warnf("snapshot-window-twice", format.Nowhere,
			"%s and %s both state the usage of the window from %s, and differ", a, b,
			time.Unix(w.StartTime, 0).UTC().Format(time.RFC3339)).
			Note("%s counts and %s does not: within a folder the first does, of two --snapshot the later one",
				counts, lost).
			Note("remove one of the two")
	}
}

// mentionNoProcs: what the cluster has is what its nodes have, and processor equivalents are shares of that.
func (r *reading) mentionNoProcs(s *format.Snapshot) {
	if s.Nodes == nil || s.Nodes.Rows == 0 {
		return
	}
	without, first := 0, ""
	for row := range s.Nodes.Rows {
		if !s.Nodes.Value("node.procs", row).Known() {
			if without++; without == 1 {
				first = s.Nodes.Value(schema.ColumnID("node.id"), row).Str
			}
		}
	}
	if without == 0 {
		return
	}
	r.diags.Warnf("snapshot-node-without-procs", format.Nowhere,
		"%s of %d without a number of processors, for instance %q", format.HowMany(without,
			"node"), s.Nodes.Rows, first).
		Note("the cluster's total is without them, so processor equivalents and what counts as the whole machine " +
			"are too small").
		Note("add an input that states the column procs of nodes")
}

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
