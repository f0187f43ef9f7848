package derive

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// ProcessorEquivalents fills job.processor_equivalents where the snapshot does not state it.
// Without nodes there is nothing to fill in.
func ProcessorEquivalents(t *column.Table, p *program.Program, s *snapshot.Snapshot) {
	const id = "job.processor_equivalents"
	set := evaluation.SettingsOf(p)
	procs, known := evaluation.ClusterTotal(set["cluster.procs"], s.Nodes, "cluster.procs")
	if !known {
		return
	}
	total := func(id schema.ColumnID) float64 {
		n, _ := evaluation.ClusterTotal(set[id], s.Nodes, id)
		return float64(n)
	}
	cluster := fairshare.Cluster{Procs: float64(procs), MemMB: total("cluster.mem_mb"), SwapMB: total("cluster.swap_mb"),
		DiskMB: total("cluster.disk_mb")}
	given := t.Column(id)
	asked := newTaskReader(t, cluster)
	out := &column.Column{ID: id, Type: schema.Double, Doubles: make([]float64, t.Rows)}
	for i := range out.Doubles {
		if column.Known(given, i) {
			out.Doubles[i] = given.Doubles[i]
			continue
		}
		if procs <= 0 {
			continue
		}
		if tasks, task, ok := asked.at(i); ok {
			out.Doubles[i] = cluster.ProcessorEquivalents(tasks, task)
		} else {
			out.Missing.Set(i)
		}
	}
	t.Put(out)
}

// taskReader reads how many tasks a job has and what each asks for.
type taskReader struct {
	tasks, procs, perTask *column.Column
	mem, swap, disk       resource
}

// resource is what each task, or the whole job, asks for of one.
type resource struct {
	each, whole *column.Column
	required    bool // the cluster has some, and a job that does not state it may ask for any amount
}

func newTaskReader(t *column.Table, c fairshare.Cluster) *taskReader {
	of := func(each, whole schema.ColumnID, total float64) resource {
		return resource{t.Column(each), t.Column(whole), total > 0 && schema.Lookup(each).Absent != schema.AbsentZero}
	}
	return &taskReader{tasks: t.Column("job.tasks"), procs: t.Column("job.procs"), perTask: t.Column("job.procs_per_task"),
		mem:  of("job.mem_per_task_mb", "job.mem_mb", c.MemMB),
		swap: of("job.swap_per_task_mb", "job.swap_mb", c.SwapMB), disk: of("job.disk_per_task_mb", "job.disk_mb", c.DiskMB)}
}

// at is a job's request; ok is false where the job does not state enough.
func (r *taskReader) at(i int) (tasks float64, t fairshare.Task, ok bool) {
	if !column.Known(r.tasks, i) {
		return r.ofProcs(i)
	}
	t.Procs, ok = doubleOf(r.perTask, i)
	for _, of := range []struct {
		resource
		into *float64
	}{{r.mem, &t.MemMB}, {r.swap, &t.SwapMB}, {r.disk, &t.DiskMB}} {
		var known bool
		*of.into, known = doubleOf(of.each, i)
		ok = ok && (known || !of.required)
	}
	return float64(r.tasks.Ints[i]), t, ok
}

// ofProcs: a job that states its processors and no tasks has a task for each, as Maui reads PBS's jobs,
// unless it says that tasks have more. What it asks for in all is spread over them.
func (r *taskReader) ofProcs(i int) (tasks float64, t fairshare.Task, ok bool) {
	tasks, ok = doubleOf(r.procs, i)
	if each, stated := doubleOf(r.perTask, i); !ok || tasks <= 0 || stated && each != 1 {
		return 0, t, false
	}
	t.Procs = 1
	spread := func(of resource) float64 {
		if each, known := doubleOf(of.each, i); known {
			return each
		}
		whole, _ := doubleOf(of.whole, i)
		return whole / tasks
	}
	t.MemMB, t.SwapMB, t.DiskMB = spread(r.mem), spread(r.swap), spread(r.disk)
	return tasks, t, true
}

// doubleOf is a whole number of a job, 0 if it is not known.
func doubleOf(c *column.Column, i int) (x float64, known bool) {
	if !column.Known(c, i) {
		return 0, false
	}
	return float64(c.Ints[i]), true
}
