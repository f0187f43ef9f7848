package column

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
)

func TestBuilder(t *testing.T) {
	b := NewBuilder("job")
	b.Row()
	b.String("job.user", "a")
	b.Int("job.procs", 4)
	b.Row()
	b.Double("job.tres(cpu)", 2.5)
	b.List("job.features", []string{"x", "y"})
	b.Bool("job.held", true)
	b.Row()
	b.String("job.user", "a")
	b.Int("job.procs", 1)
	b.Int("job.procs", 2) // the later value counts
	b.Time("job.submit_time", 1700000000)
	table := b.Table()
	if table.Rows != 3 {
		t.Fatalf("%d rows", table.Rows)
	}
	for _, c := range []struct {
		id   schema.ColumnID
		want []schema.Value
	}{
		{"job.user", []schema.Value{schema.StringValue("a"), schema.StringValue(""), schema.StringValue("a")}},
		{"job.procs", []schema.Value{schema.IntValue(4), {}, schema.IntValue(2)}},
		{"job.tres(cpu)", []schema.Value{{}, schema.DoubleValue(2.5), {}}},
		{"job.held", []schema.Value{{}, schema.BoolValue(true), {}}},
		{"job.submit_time", []schema.Value{{}, {}, schema.TimestampValue(1700000000)}},
		{"job.absent", []schema.Value{{}, {}, {}}},
	} {
		for i, want := range c.want {
			if got := table.Value(c.id, i); got.Type != want.Type || got.Int != want.Int || got.Double != want.Double ||
				got.Str != want.Str {
				t.Errorf("%s[%d] is %v, want %v", c.id, i, got, want)
			}
		}
	}
	if got := table.Value("job.features", 1).List; !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("features are %v", got)
	}
	if users := table.Column("job.user"); len(users.Dict) != 2 {
		t.Errorf("the dictionary of users is %q", users.Dict)
	}
}

// Whatever is set in whatever order, columns keep the table's length and each
// cell the last value set in its row.
func TestBuilderProperty(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		b := NewBuilder("job")
		want := map[schema.ColumnID]map[int]int64{}
		ids := []schema.ColumnID{"job.a", "job.b", "job.c"}
		rows := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				b.Row()
				rows++
			default:
				if rows == 0 {
					continue
				}
				id := rapid.SampledFrom(ids).Draw(t, "id")
				v := rapid.Int64().Draw(t, "v")
				b.Int(id, v)
				if want[id] == nil {
					want[id] = map[int]int64{}
				}
				want[id][rows-1] = v
			}
		}
		table := b.Table()
		for _, c := range table.Columns() {
			if c.Len() != rows {
				t.Fatalf("%s has %d rows, the table %d", c.ID, c.Len(), rows)
			}
			for i := range rows {
				v, set := want[c.ID][i]
				if got := c.Value(i); got.Known() != set || set && got.Int != v {
					t.Fatalf("%s[%d] is %v, want %v (set %v)", c.ID, i, got, v, set)
				}
			}
		}
	})
}

func TestBitmap(t *testing.T) {
	var b Bitmap
	if b.Get(0) || b.Get(1000) || b.Any() {
		t.Error("an empty bitmap has marks")
	}
	b.Set(130)
	if !b.Get(130) || b.Get(129) || b.Get(131) || !b.Any() {
		t.Error("the mark is not where it was set")
	}
}

func TestPutReplaces(t *testing.T) {
	table := NewTable("t", 1)
	table.Put(&Column{ID: "job.a", Type: schema.Int, Ints: []int64{1}})
	table.Put(&Column{ID: "job.b", Type: schema.Int, Ints: []int64{2}})
	table.Put(&Column{ID: "job.a", Type: schema.Int, Ints: []int64{3}})
	if len(table.Columns()) != 2 || table.Columns()[0].Ints[0] != 3 {
		t.Errorf("columns are %v", table.Columns())
	}
	defer func() {
		if recover() == nil {
			t.Error("a column of another length is taken")
		}
	}()
	table.Put(&Column{ID: "job.c", Type: schema.Int})
}
