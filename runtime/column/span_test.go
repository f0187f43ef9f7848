package column

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Rows that are taken out, added and set are those of the same table built anew, and the table before stays as it was.
func TestEditsProperty(t *testing.T) {
	type row struct {
		n    schema.Value
		user string
		list []string
	}
	build := func(rows []row) *Table {
		b := NewBuilder("job")
		b.Declare("job.n", schema.Int)
		b.Declare("job.user", schema.String)
		b.Declare("job.features", schema.StringList)
		for _, r := range rows {
			b.Row()
			b.Value("job.n", r.n)
			b.String("job.user", r.user)
			b.List("job.features", r.list)
		}
		return b.Table()
	}
	same := func(t *rapid.T, have *Table, want []row) {
		for i, w := range want {
			n, user, list := have.Value("job.n", i), have.Value("job.user", i), have.Value("job.features", i)
			if n.Type != w.n.Type || n.Int != w.n.Int || user.Str != w.user || !slices.Equal(list.List, w.list) {
				t.Fatalf("row %d is %v %v %v, not %v", i, n, user, list, w)
			}
		}
		if have.Rows != len(want) {
			t.Fatalf("%d rows, not %d", have.Rows, len(want))
		}
	}
	draws.Check(t, func(t *rapid.T) {
		drawn := rapid.Custom(func(t *rapid.T) row {
			r := row{user: rapid.SampledFrom([]string{"", "amy", "bob"}).Draw(t, "user")}
			if rapid.Bool().Draw(t, "known") {
				r.n = schema.IntValue(int64(rapid.IntRange(0, 9).Draw(t, "n")))
			}
			if rapid.Bool().Draw(t, "listed") {
				r.list = []string{r.user, "x"}
			}
			return r
		})
		rows := rapid.SliceOfN(drawn, 1, 70).Draw(t, "rows")
		first := slices.Clone(rows)
		table, spans := build(rows), Same(len(rows))
		before := table
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			step, n := Same(len(rows)), len(rows)
			if n > 0 && rapid.Bool().Draw(t, "remove") {
				at := rapid.IntRange(0, n-1).Draw(t, "at")
				step, n, rows = Without(n, at), n-1, slices.Delete(slices.Clone(rows), at, at+1)
			} else {
				n, rows = n+1, append(slices.Clone(rows), row{})
			}
			table, spans = table.Rearranged(step, n), Chain(spans, step)
			same(t, table, rows)
			if n == 0 {
				continue
			}
			at, r := rapid.IntRange(0, n-1).Draw(t, "set"), drawn.Draw(t, "row")
			rows[at] = r
			for id, v := range map[schema.ColumnID]schema.Value{"job.n": r.n, "job.user": schema.StringValue(r.user),
				"job.features": schema.ListValue(r.list)} {
				c := table.Column(id).Copy()
				c.Set(at, v)
				table.Put(c)
			}
			same(t, table, rows)
		}
		same(t, before, first)
		for _, s := range spans {
			if s.N < 0 || s.From+s.N > len(first) || s.At+s.N > len(rows) {
				t.Fatalf("span %v of %d rows, now %d", s, len(first), len(rows))
			}
		}
	})
}

// Entries that no row has are taken out once they are many; the rows, and a table that shares the dictionary, stay.
func TestCompactProperty(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		b := NewBuilder("job")
		b.Declare("job.user", schema.String)
		b.Declare("job.features", schema.StringList)
		n := rapid.IntRange(1, 300).Draw(t, "rows")
		for i := range n {
			b.Row()
			b.String("job.user", string(rune('a'+i)))
			b.List("job.features", []string{string(rune('a' + i))})
		}
		whole := b.Table()
		from := rapid.IntRange(0, n).Draw(t, "from")
		few := whole.Rearranged([]Span{{From: from, N: n - from}}, n-from)
		for _, c := range few.Columns() {
			c.Compact()
			if left := c.DictLen(); left > max(2*few.Rows+spare, few.Rows+1) {
				t.Fatalf("%d entries of %d rows", left, few.Rows)
			}
			for row := range few.Rows {
				have, want := c.Value(row), whole.Column(c.ID).Value(from+row)
				if have.Str != want.Str || !slices.Equal(have.List, want.List) {
					t.Fatalf("row %d is %v, not %v", row, have, want)
				}
			}
		}
		if whole.Column("job.user").DictLen() < n {
			t.Fatal("the table before has changed")
		}
	})
}
