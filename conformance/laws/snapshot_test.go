package laws

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

var words = []string{"", "amy", "bob", "gpu", "normal", "ämy", "7"}

// now of all generated snapshots.
const now = 1_700_000_000

// randomColumns are filled at random; each may be missing as a whole.
var randomColumns = []struct {
	id  schema.ColumnID
	typ schema.Type
}{
	{"job.name", schema.String}, {"job.user", schema.String}, {"job.group", schema.String}, {"job.account", schema.String},
	{"job.qos", schema.String}, {"job.partition", schema.String},
	{"job.partitions", schema.StringList}, {"job.node_partitions", schema.StringList}, {"job.features", schema.StringList},
	{"job.state", schema.String}, {"job.reservation", schema.String}, {"job.dependency", schema.String},
	{"job.procs", schema.Int}, {"job.nodes", schema.Int}, {"job.walltime_seconds", schema.Int}, {"job.nice", schema.Int},
	{"job.gpus", schema.Int}, {"job.tasks", schema.Int},
	{"job.mem_mb", schema.Int}, {"job.swap_mb", schema.Int}, {"job.disk_mb", schema.Int},
	{"job.procs_per_task", schema.Int}, {"job.mem_per_task_mb", schema.Int}, {"job.queue_seconds", schema.Int},
	{"job.recorded_priority", schema.Int},
	{"job.system_priority", schema.Int}, {"job.site_factor", schema.Int}, {"job.bypass_count", schema.Int},
	{"job.queue_minutes", schema.Double}, {"job.tres(gres/gpu)", schema.Double}, {"job.tres(cpu)", schema.Double},
	{"job.held", schema.Bool}, {"job.exclusive", schema.Bool}, {"job.direct_priority", schema.Bool},
	{"job.system_priority_relative", schema.Bool}, {"job.walltime_unlimited", schema.Bool},
	{"job.submit_time", schema.Timestamp}, {"job.queue_start_time", schema.Timestamp},
	{"job.accrue_time", schema.Timestamp}, {"job.eligible_time", schema.Timestamp}, {"job.begin_time", schema.Timestamp},
}

// always are the columns without which no policy runs.
var always = map[schema.ColumnID]bool{"job.user": true, "job.state": true}

// wild says whether cells may be what no queue holds: NaN, the ends of the int range.
type wild bool

func drawSnapshot(t *rapid.T, w wild, rows int) *snapshot.Snapshot {
	s := &snapshot.Snapshot{Now: now, Credentials: map[string]*column.Table{}}
	b := column.NewBuilder("jobs")
	b.Declare("job.id", schema.String)
	for _, c := range randomColumns {
		if always[c.id] || rapid.IntRange(0, 9).Draw(t, "has "+string(c.id)) > 1 {
			b.Declare(c.id, c.typ)
		}
	}
	declared := b.Table()
	b = column.NewBuilder("jobs")
	for i := range rows {
		b.Row()
		b.String("job.id", fmt.Sprint(100+i))
		for _, c := range declared.Columns()[1:] {
			b.Declare(c.ID, c.Type)
			b.Value(c.ID, w.cell(t, c.ID, c.Type))
		}
	}
	s.Jobs = b.Table()
	for _, c := range declared.Columns() { // with no rows no cell has made them
		if s.Jobs.Column(c.ID) == nil {
			s.Jobs.Put(c)
		}
	}
	if rapid.IntRange(0, 7).Draw(t, "nodes known") > 0 {
		s.Nodes = drawNodes(t)
	}
	for _, table := range [][]schema.ColumnID{
		{"user.priority"},
		{"qos.priority", "qos.usage_factor", "qos.flags", "qos.xfactor_target", "qos.queue_time_weight"},
		{"partition.priority_job_factor", "partition.priority_tier", "partition.tres(cpu)", "partition.tres(gres/gpu)",
			"partition.state", "partition.walltime_max_seconds"},
		{"association.priority", "association.fairshare_factor"},
	} {
		object := table[0].Object()
		whole := object == "qos" && rapid.IntRange(0, 7).Draw(t, "whole") > 0
		if whole || rapid.IntRange(0, 3).Draw(t, "credentials "+object) > 0 {
			s.Credentials[object] = w.credentials(t, object, table, whole)
		}
	}
	return s
}

// credentials draws a table. A whole one has a row for each name, and the first column is known in it.
func (w wild) credentials(t *rapid.T, object string, ids []schema.ColumnID, whole bool) *column.Table {
	b := column.NewBuilder(object)
	names := words[1:5]
	if whole {
		names = words[1:]
	}
	if object == "association" {
		names = []string{"bob/amy", "gpu/amy/gpu", "/amy", "normal/bob"}
	}
	for _, id := range ids {
		b.Declare(id, schema.Lookup(id).Type)
	}
	for _, name := range names {
		if !whole && rapid.IntRange(0, 3).Draw(t, "known") == 0 {
			continue
		}
		b.Row()
		b.String(schema.ColumnID(object+".name"), name)
		for i, id := range ids {
			v := w.cell(t, id, schema.Lookup(id).Type)
			if whole && i == 0 && !v.Known() {
				v = schema.IntValue(0)
			}
			b.Value(id, v)
		}
	}
	return b.Table()
}

func drawNodes(t *rapid.T) *column.Table {
	b := column.NewBuilder("nodes")
	b.Declare("node.procs", schema.Int)
	b.Declare("node.mem_mb", schema.Int)
	for range rapid.IntRange(0, 3).Draw(t, "nodes") {
		b.Row()
		b.Int("node.procs", int64(rapid.IntRange(0, 64).Draw(t, "procs")))
		if rapid.Bool().Draw(t, "mem") {
			b.Int("node.mem_mb", 4096)
		}
	}
	return b.Table()
}

func (w wild) cell(t *rapid.T, id schema.ColumnID, typ schema.Type) schema.Value {
	if rapid.IntRange(0, 7).Draw(t, "unknown") == 0 && id != "job.state" {
		return schema.Value{}
	}
	switch typ {
	case schema.Bool:
		return schema.BoolValue(rapid.IntRange(0, 3).Draw(t, "bool") == 0)
	case schema.Int:
		odd := []int64{0, 1, -1, 4, 3600}
		if w {
			odd = append(odd, math.MaxInt64, math.MinInt64, 1<<53+1)
		}
		return schema.IntValue(rapid.OneOf(rapid.SampledFrom(odd), rapid.Int64Range(0, 5000)).Draw(t, "int"))
	case schema.Double:
		odd := []float64{0, 1, 0.1, 1.5}
		if w {
			odd = append(odd, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300, -7)
		}
		return schema.DoubleValue(rapid.OneOf(rapid.SampledFrom(odd), rapid.Float64Range(0, 1000)).Draw(t, "double"))
	case schema.Timestamp:
		return schema.TimestampValue(now - int64(rapid.IntRange(-1000, 1_000_000).Draw(t, "ago")))
	case schema.StringList:
		return schema.ListValue(rapid.SliceOfNDistinct(rapid.SampledFrom(words[1:]), 0, 3, rapid.ID).Draw(t, "list"))
	}
	switch id {
	case "job.state":
		return schema.StringValue(rapid.SampledFrom([]string{"pending", "pending", "pending", "running", "done"}).
			Draw(t, "state"))
	case "job.reservation", "job.dependency":
		return schema.StringValue(rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "seldom"))
	}
	return schema.StringValue(rapid.SampledFrom(words).Draw(t, "word"))
}
