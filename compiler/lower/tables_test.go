package lower

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
)

// TestTables compares with a list that is searched row by row.
func TestTables(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const id = schema.ColumnID("user.priority")
		tabs := newTables()
		var naive []ir.TableRow
		at := func(name string) int {
			return slices.IndexFunc(naive, func(r ir.TableRow) bool { return r.Name == name })
		}
		for i := range rapid.IntRange(0, 20).Draw(t, "steps") {
			name := fmt.Sprintf("u%d", rapid.IntRange(0, 5).Draw(t, "user"))
			r := ir.TableRow{Name: name, Value: schema.IntValue(int64(i))}
			if old := at(name); old >= 0 {
				naive[old] = r
			} else {
				naive = append(naive, r)
			}
			tabs.set(id, r)
		}
		for i := range 6 {
			name := fmt.Sprintf("u%d", i)
			got, want := tabs.row(id, name), at(name)
			if (got != nil) != (want >= 0) || got != nil && got.Value.Int != naive[want].Value.Int {
				t.Fatalf("%s is %+v", name, got)
			}
		}
		for _, tab := range tabs.finished() {
			if !slices.EqualFunc(tab.Rows, naive,
				func(a, b ir.TableRow) bool { return a.Name == b.Name && a.Value.Int == b.Value.Int }) {
				t.Fatalf("%+v, want %+v", tab.Rows, naive)
			}
		}
	})
}
