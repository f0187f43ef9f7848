package snapshot

import (
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
