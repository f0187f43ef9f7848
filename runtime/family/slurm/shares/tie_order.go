package shares

import (
	"github.com/fairway-sched/fairway/runtime/program"
)

// Equal levels of Fair Tree go by the order in which slurmctld has the associations. Before 23.11 it
// takes them from the database by lft when it starts, and sorts them by name whenever an association is
// added or moved while it runs (assoc_mgr.c: _set_assoc_parent_and_user, assoc_mgr_update_assocs; both seen
// in 22.05.8). Which of the two it has done last nothing prints: by lft is taken where it is known.

// inPlace puts rows into the database's order, for a version that goes by it. Of a snapshot of an older one than the
// policy's nothing is taken.
func (u *recordedUsage) inPlace(rows []program.Association, version string) (_ []program.Association, placed bool) {
	places := u.table.Column("association.tree_place")
	if !AnyKnown(places) || version >= "23.11" {
		return rows, false
	}
	return program.PlaceOrder(rows, func(key string) (int64, bool) {
		row, ok := u.index[key]
		if !ok || places.Missing.Get(row) {
			return 0, false
		}
		return places.Ints[row], true
	}), true
}
