package usage

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// ClusterOf adds up nodes, those that are down included. A nil table has nothing.
func ClusterOf(nodes *column.Table) fairshare.Cluster {
	sum := func(id schema.ColumnID) (total float64) {
		if c := nodes.Column(id); c != nil {
			for _, n := range c.Ints {
				total += float64(n)
			}
		}
		return total
	}
	return fairshare.Cluster{Procs: sum("node.procs"), MemMB: sum("node.mem_mb"), SwapMB: sum("node.swap_mb"),
		DiskMB: sum("node.disk_mb")}
}

// runs reads the columns that usage is made of.
type runs struct {
	settings                                     *Settings
	start, end, procs, elapsed, limit            *column.Column
	cpu                                          *column.Column
	mem, swap, disk                              *column.Column
	running, overdue, ahead, counted, unmeasured int
}

func newRuns(jobs *column.Table, s *Settings) *runs {
	return &runs{
		settings: s,
		start:    jobs.Column("job.start_time"), end: jobs.Column("job.end_time"), procs: jobs.Column("job.procs"),
		elapsed: jobs.Column("job.runtime_seconds"), limit: jobs.Column("job.walltime_seconds"),
		cpu: jobs.Column("job.cpu_seconds"),
		mem: jobs.Column("job.mem_mb"), swap: jobs.Column("job.swap_mb"), disk: jobs.Column("job.disk_mb"),
	}
}

// run is a stretch of time with a constant rate of usage.
type run struct {
	start, end int64
	perSecond  float64
}

// at settles when a run took place and what it used each second; false if
// nothing of it lies in the windows, which begin at oldest.
//
// A job without an end runs still, but not longer than its limit: Maui
// cancels what exceeds it, so the record of its end is what is missing.
func (r *runs) at(row int, oldest int64) (run, bool) {
	start, now := r.start.Ints[row], r.settings.Now
	end, running := now, true
	if e, ok := known(r.end, row); ok {
		end, running = e, false
	}
	if start >= now {
		r.ahead++
		return run{}, false
	}
	overdue := false
	if limit, ok := known(r.limit, row); ok && running && limit > 0 && start+limit < now {
		end, overdue = start+limit, true
	}
	if end <= oldest || end <= start {
		return run{}, false
	}
	r.counted++
	if running {
		r.running++
	}
	if overdue {
		r.overdue++
	}
	return run{start: start, end: end, perSecond: r.rate(row, start, end, running)}, true
}

// rate is what a run uses each second. A run that was suspended for a while used
// its processors less long than it took; when that was is not recorded, so it is
// spread evenly.
func (r *runs) rate(row int, start, end int64, running bool) float64 {
	procs, _ := known(r.procs, row)
	dedicated := float64(procs)
	switch r.settings.Usage {
	case fairshare.DedicatedPESeconds:
		whole := fairshare.Task{Procs: dedicated, MemMB: knownDouble(r.mem, row), SwapMB: knownDouble(r.swap, row),
			DiskMB: knownDouble(r.disk, row)}
		dedicated = r.settings.Cluster.ProcessorEquivalents(1, whole)
	case fairshare.UtilizedProcSeconds:
		if r.cpu != nil && !r.cpu.Missing.Get(row) && !running && end > start {
			return r.cpu.Doubles[row] / float64(end-start)
		}
		if !running {
			r.unmeasured++
		}
	}
	if elapsed, ok := known(r.elapsed, row); ok && !running && elapsed < end-start {
		return float64(dedicated*float64(elapsed)) / float64(end-start)
	}
	return dedicated
}

func known(c *column.Column, row int) (int64, bool) {
	if c == nil || c.Missing.Get(row) {
		return 0, false
	}
	return c.Ints[row], true
}

func knownDouble(c *column.Column, row int) float64 {
	n, _ := known(c, row)
	return float64(n)
}
