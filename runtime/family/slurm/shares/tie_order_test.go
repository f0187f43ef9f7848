package shares

import (
	"testing"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// TestInPlace: the database's places count before 23.11 alone, whatever version the snapshot is from.
func TestInPlace(t *testing.T) {
	rows := []program.Association{{Account: "root"}, {Account: "a", Parent: "root"}, {Account: "b", Parent: "root"}}
	b := column.NewBuilder("association")
	u := &recordedUsage{index: map[string]int{}}
	for i, place := range []int64{1, 5, 3} {
		u.index[rows[i].Account] = i
		b.Row()
		b.Int("association.tree_place", place)
	}
	u.table = b.Table()
	for version, want := range map[string]string{"": "b", "22.05": "b", "23.02": "b", "23.11": "a", "25.11": "a"} {
		list, placed := u.inPlace(rows, version)
		if list[1].Account != want || placed != (want == "b") {
			t.Errorf("%q: placed %t, %s comes first, not %s", version, placed, list[1].Account, want)
		}
	}
}
