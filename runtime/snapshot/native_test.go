package snapshot

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// TestReadGolden reads each file of testdata/read and compares what came out,
// as native JSON followed by the diagnostics.
func TestReadGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/read/*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no inputs", err)
	}
	for _, path := range inputs {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, diags, err := Read(os.DirFS("testdata/read"), []string{filepath.Base(path)}, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkTables(t, s)
			var out bytes.Buffer
			for _, source := range s.Sources {
				fmt.Fprintf(&out, "%s: %s, %d records, %d bad\n", source.Name, source.Format, source.Records, source.Bad)
			}
			if err := native.WriteJSON(&out, s); err != nil {
				t.Fatal(err)
			}
			if err := diag.WriteText(&out, diags, false); err != nil {
				t.Fatal(err)
			}
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), out.String()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestThreeNativeForms: the same two jobs in each form give the same rows.
func TestThreeNativeForms(t *testing.T) {
	forms := map[string]string{
		"json": `{"format_version": 1, "jobs": [
			{"id": "1", "user": "amy", "procs": 4, "held": true, "submit_time": "2023-11-14T22:13:20Z", "features": ["gpu", "ib"], "tres": {"gres/gpu": 2}, "queue_seconds": 60},
			{"id": "2", "user": "bob"}]}`,
		"jsonl": `{"id": "1", "user": "amy", "procs": 4.0, "held": true, "submit_time": 1700000000, "features": ["gpu", "ib"], "tres(gres/gpu)": 2, "queue_seconds": 60}` +
			"\n" + `{"id": 2, "user": "bob", "procs": null}` + "\n",
		"csv": "# jobs\nid,user,procs,held,submit_time,features,tres(gres/gpu),job.queue_seconds\n1,amy,4,true,2023-11-14T23:13:20+01:00,gpu;ib,2,60\n2,bob,,,,,,\n",
	}
	for form, text := range forms {
		s, diags := readText(t, "queue", text)
		if len(diags) > 0 {
			t.Errorf("%s: %v", form, codesOf(diags))
			continue
		}
		want := []map[schema.ColumnID]schema.Value{
			{"job.id": schema.StringValue("1"), "job.user": schema.StringValue("amy"), "job.procs": schema.IntValue(4),
				"job.held":        schema.BoolValue(true),
				"job.submit_time": schema.TimestampValue(1700000000), "job.features": schema.ListValue([]string{"gpu", "ib"}),
				"job.tres(gres/gpu)": schema.DoubleValue(2), "job.queue_seconds": schema.IntValue(60)},
			{"job.id": schema.StringValue("2"), "job.user": schema.StringValue("bob"), "job.procs": {},
				"job.features": schema.ListValue(nil)},
		}
		for row, cells := range want {
			for id, value := range cells {
				if d := cmp.Diff(value, s.Jobs.Value(id, row)); d != "" {
					t.Errorf("%s: %s of row %d (-want +got)\n%s", form, id, row, d)
				}
			}
		}
	}
}

// TestRoundTrip: reading what WriteJSON writes gives the same snapshot.
func TestRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		want := describe(s)
		var text bytes.Buffer
		if err := native.WriteJSON(&text, s); err != nil {
			t.Fatal(err)
		}
		back, diags := readBack(t, text.Bytes())
		for _, code := range codesOf(diags) {
			switch code {
			case "snapshot-job-without-user", "snapshot-node-without-procs", "snapshot-unknown-node": // so it may be drawn
			default:
				t.Fatalf("%s in\n%s", code, text.String())
			}
		}
		if d := cmp.Diff(want, describe(back)); d != "" {
			t.Fatalf("(-want +got)\n%s\n%s", d, text.String())
		}
	})
}

func readBack(t *rapid.T, text []byte) (*format.Snapshot, diag.List) {
	s, diags, err := Read(fstest.MapFS{"queue.json": {Data: text}}, []string{"queue.json"}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, diags
}

func drawSnapshot(t *rapid.T) *format.Snapshot {
	s := &format.Snapshot{
		Now:    rapid.Int64Range(0, format.LastSecond).Draw(t, "now"),
		Family: rapid.SampledFrom([]string{"", "maui", "pbs"}).Draw(t, "family"),
		Jobs:   drawTable(t, "job"),
		Nodes:  drawTable(t, "node"),
	}
	if rapid.Bool().Draw(t, "credentials") {
		s.Credentials = map[string]*column.Table{"qos": drawTable(t, "qos"), "association": drawTable(t, "association")}
	}
	if rapid.Bool().Draw(t, "usage") {
		s.Usage = []format.UsageWindow{{StartTime: 200, Total: 1.5,
			Usage: map[string]map[string]float64{"user": {"amy": 0.1}}},
			{StartTime: 100, Usage: map[string]map[string]float64{},
				Passed: format.PassedUsage{Total: 7, Usage: map[string]map[string]float64{"qos": {"1": 0.5}}}}}
	}
	if rapid.Bool().Draw(t, "sprio") {
		b := column.NewBuilder("sprio")
		b.Row()
		b.String("sprio.id", "7")
		b.Double("sprio.age", rapid.Float64().Draw(t, "age"))
		s.Sprio = b.Table()
	}
	return s
}

func drawTable(t *rapid.T, object string) *column.Table {
	b := column.NewBuilder(object)
	columns := schema.ObjectByName(object).Columns
	text := rapid.StringMatching(`[a-zäß"\\ 0-9,]{0,5}`)
	for row := range rapid.IntRange(1, 4).Draw(t, "rows") {
		b.Row()
		b.String(native.KeyColumn(object), fmt.Sprint("x", row))
		for range rapid.IntRange(0, 6).Draw(t, "cells") {
			c := rapid.SampledFrom(columns).Draw(t, "column")
			id := c.ID
			if id == native.KeyColumn(object) || id == "job.arrival_time" { // jobs that have not arrived are not read back
				continue
			}
			if schema.Keyed(c.ID.Name()) {
				id = schema.ColumnID(string(id) + "(" + rapid.SampledFrom([]string{"cpu", "gres/gpu", `a"b`}).Draw(t, "key") + ")")
			}
			rule := format.ColumnRuleOf(id)
			whole := rapid.Int64()
			switch {
			case id == "job.submit_time": // in relation to now: TestSubmitTimes
				continue
			case rule.Bounded:
				whole = rapid.Int64Range(int64(rule.Least), int64(min(rule.Most, math.MaxInt64/2)))
			}
			switch c.Type {
			case schema.Bool:
				b.Bool(id, rapid.Bool().Draw(t, "bool"))
			case schema.Int:
				b.Int(id, whole.Draw(t, "int"))
			case schema.Timestamp:
				b.Time(id, whole.Draw(t, "time"))
			case schema.Double:
				x := rapid.Float64().Draw(t, "double")
				if rule.Bounded {
					x = math.Abs(x)
				}
				b.Double(id, x)
			case schema.String:
				switch id {
				case "job.state":
					b.String(id, rapid.SampledFrom(format.JobStates).Draw(t, "state"))
				case "job.licenses":
					b.String(id, rapid.SampledFrom([]string{"", "matlab", "matlab:2,ansys@server:1"}).Draw(t, "licences"))
				case "job.partition": // several would be read as a list
					b.String(id, strings.ReplaceAll(text.Draw(t, "partition"), ",", ""))
				default:
					b.String(id, text.Draw(t, "string"))
				}
			case schema.StringList:
				b.List(id, rapid.SliceOfN(text, 0, 3).Draw(t, "list"))
			}
		}
		if rapid.Bool().Draw(t, "declare") {
			c := rapid.SampledFrom(columns).Draw(t, "declared")
			if !schema.Keyed(c.ID.Name()) {
				b.Declare(c.ID, c.Type)
			}
		}
	}
	return b.Table()
}

// describe renders a snapshot cell by cell, columns in order of their names.
func describe(s *format.Snapshot) map[string]string {
	out := map[string]string{"now": fmt.Sprint(s.Now, s.Family, s.Version), "usage": fmt.Sprint(s.Usage)}
	tables := map[string]*column.Table{"jobs": s.Jobs, "nodes": s.Nodes, "sprio": s.Sprio}
	maps.Copy(tables, s.Credentials)
	for name, table := range tables {
		if table == nil {
			continue
		}
		out[name] = fmt.Sprint(table.Rows)
		for _, c := range table.Columns() {
			for row := range table.Rows {
				v := c.Value(row)
				out[fmt.Sprintf("%s %s %d", name, c.ID, row)] = fmt.Sprintf("%v %d %b %q %q", v.Type, v.Int, v.Double, v.Str,
					v.List)
			}
		}
	}
	return out
}
