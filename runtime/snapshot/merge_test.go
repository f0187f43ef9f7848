package snapshot

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// slowJoin is join said plainly: row by row, every cell boxed.
func slowJoin(into, from *column.Table, key schema.ColumnID, p column.Precedence) *column.Table {
	type cells map[schema.ColumnID]schema.Value
	var order []string
	rows, old := map[string]cells{}, map[string]bool{}
	types := map[schema.ColumnID]schema.Type{}
	for _, t := range []*column.Table{into, from} {
		for i := range t.Rows {
			id := t.Value(key, i).Str
			if rows[id] == nil {
				rows[id], order = cells{}, append(order, id)
			}
			if t == into {
				old[id] = true
			}
			for _, c := range t.Columns() {
				types[c.ID] = c.Type
				v := c.Value(i)
				empty := !v.Known() || (v.Type == schema.String && v.Str == "") || (v.Type == schema.StringList && len(v.List) == 0)
				keeps := t == from && p == column.EarlierWins && old[id] && into.Column(c.ID) != nil
				if !empty && !keeps {
					rows[id][c.ID] = v
				}
			}
		}
	}
	b := column.NewBuilder(into.Name)
	for id, t := range types {
		b.Declare(id, t)
	}
	for _, id := range order {
		b.Row()
		for column, v := range rows[id] {
			b.Value(column, v)
		}
	}
	return b.Table()
}

// TestJoinIsSlowJoin: the columnar join gives what the plain one gives.
func TestJoinIsSlowJoin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := column.Precedence(rapid.Bool().Draw(t, "later wins"))
		draw := func() *column.Table {
			b := column.NewBuilder("job")
			for range rapid.IntRange(1, 5).Draw(t, "rows") {
				b.Row()
				b.String("job.id", fmt.Sprint(rapid.IntRange(0, 6).Draw(t, "id")))
				for range rapid.IntRange(0, 3).Draw(t, "cells") {
					n := rapid.IntRange(0, 3).Draw(t, "value")
					switch rapid.IntRange(0, 3).Draw(t, "column") {
					case 0:
						b.Int("job.procs", int64(n))
					case 1:
						b.Double("job.tres(cpu)", float64(n))
					case 2:
						b.String("job.user", []string{"", "amy", "bob", "eve"}[n])
					case 3:
						b.List("job.features", []string{"a", "b", "c"}[:n])
					}
				}
			}
			return column.Join(nil, b.Table(), "job.id", column.LaterWins)
		}
		into, from := draw(), draw()
		want := describe(&format.Snapshot{Jobs: slowJoin(into, from, "job.id", p)})
		if d := cmp.Diff(want, describe(&format.Snapshot{Jobs: column.Join(into, from, "job.id", p)})); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
	})
}

func TestPathsAndDirectories(t *testing.T) {
	fsys := fstest.MapFS{
		"queue/a.json":        {Data: []byte(`{"format_version": 1, "now": 100, "family": "pbs", "jobs": [{"id": "1", "user": "amy", "procs": 4, "nodes": null}, {"id": "2", "user": "bob"}]}`)},
		"queue/b.csv":         {Data: []byte("id,procs,nodes,qos\n2,8,1,low\n1,5,1,high\n3,1,1,low\n")},
		"queue/fs/FS.0":       {Data: []byte("user amy 1\nTOTAL NONE 1\n")},
		"queue/fs/FS.43200":   {Data: []byte("user amy 2\nTOTAL NONE 2\n")},
		"queue/notes":         {Data: []byte("remember the milk")},
		"queue/deeper/c.json": {Data: []byte("{")},
		"overlay.jsonl": {Data: []byte(`{"id": "1", "procs": 64, "user": ""}` + "\n" + `{"now": 200}` + "\n" +
			`{"id": "4", "user": "eve"}` + "\n")},
	}
	s, diags, err := Read(fsys, []string{"queue", "overlay.jsonl"}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkTables(t, s)
	if d := cmp.Diff([]string{"snapshot-file-skipped", "snapshot-job-without-user"}, codesOf(diags)); d != "" {
		t.Error(d)
	}
	if s.Now != 200 || s.Family != "pbs" {
		t.Errorf("now %d, family %q", s.Now, s.Family)
	}
	if len(s.Usage) != 2 || s.Usage[0].StartTime != 43200 {
		t.Errorf("usage %v", s.Usage)
	}
	want := []string{
		// the overlay's procs; its empty user says nothing; the JSON's null stays before the table's 1
		"1 amy 64 {invalid} high",
		"2 bob {invalid} {invalid} low",
		"3  1 1 low",
		"4 eve {invalid} {invalid} ",
	}
	for row, w := range want {
		got := s.Jobs.Value("job.id", row).Str + " " + s.Jobs.Value("job.user", row).Str
		for _, id := range []schema.ColumnID{"job.procs", "job.nodes"} {
			if v := s.Jobs.Value(id, row); v.Known() {
				got += fmt.Sprint(" ", v.Int)
			} else {
				got += " {invalid}"
			}
		}
		if got += " " + s.Jobs.Value("job.qos", row).Str; got != w {
			t.Errorf("row %d: got %q, want %q", row, got, w)
		}
	}
}

func TestNowOption(t *testing.T) {
	s, _, err := Read(fstest.MapFS{"q": {Data: []byte(`{"format_version": 1, "now": 100}`)}}, []string{"q"},
		format.Options{Now: 7})
	if err != nil || s.Now != 7 {
		t.Error(s, err)
	}
}
