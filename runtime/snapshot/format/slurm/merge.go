package slurm

import (
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// Slurm says the same thing in several outputs. Which one counts, cell by
// cell, is the order of formats.go, because there the more exact comes first:
//
//	what                      first choice                          then
//	jobs: rows and cells      scontrol show job                     JSON, squeue table, sacct (only without the others)
//	site factor               sprio                                 -
//	nice                      any job output                        sprio
//	nodes, partitions         scontrol show node, partition         JSON
//	shares, priority, parent,
//	place in the tree         scontrol show assoc_mgr               sacctmgr, JSON, sshare
//	usage                     scontrol show assoc_mgr (2 decimals)  sshare (whole seconds)
//	fairshare, level          sshare (6 decimals)                   -
//	QOS                       sacctmgr show qos                     JSON, scontrol show assoc_mgr
//	limits of QOS             sacctmgr show qos, JSON               scontrol show assoc_mgr, limit by limit
//	now                       JSON of jobs, then nodes, partitions  date_before.txt, sdiag, scontrol show config
//
// The time of now is the moment the controller answered, in whole seconds.
// The priorities in the same output come from its last priority pass, up to
// PriorityCalcPeriod earlier; no output states that moment.

// Merge prepares two snapshots whose job tables are about to be joined.
// Accounting knows finished jobs and the times of a later moment, so its rows
// give way to any output of the queue. And squeue --array prints a row for each
// task that is not yet split off, where all others have one for the lot.
func Merge(s *format.Snapshot, o *format.Snapshot) {
	if s.Jobs != nil && o.Jobs != nil && s.Accounting != o.Accounting {
		for _, weak := range []*format.Snapshot{s, o} {
			if weak.Accounting {
				weak.Jobs, weak.Accounting, weak.RecordIDs = nil, false, nil
				for _, source := range weak.Sources {
					if isTrace(source) {
						weak.Left = append(weak.Left, source)
					}
				}
			}
		}
	}
	s.Accounting = s.Accounting || o.Accounting
	s.Left = append(s.Left, o.Left...)
	switch {
	case o.RecordIDs == nil:
		return
	case s.RecordIDs == nil:
		s.RecordIDs = format.NewRecordIDs()
	}
	s.Jobs = withoutUnsplitTasks(s, o)
	o.Jobs = withoutUnsplitTasks(o, s)
	for record, id := range o.RecordIDs.ByRecord {
		s.RecordIDs.Add(record, id)
	}
	for array := range o.RecordIDs.Unsplit {
		s.RecordIDs.Unsplit[array] = true
	}
	maps.Copy(s.RecordIDs.Components, o.RecordIDs.Components)
	nameComponents(s.RecordIDs, s.Jobs)
	nameComponents(s.RecordIDs, o.Jobs)
}

// nameComponents gives the components of heterogeneous jobs the numbers of their records, where only another output has
// them: squeue prints 10+1, scontrol and sprio 11.
func nameComponents(ids *format.RecordIDs, jobs *column.Table) {
	c := jobs.Column("job.id")
	if c == nil {
		return
	}
	for i, id := range c.Dict {
		if record, ok := ids.Components[id]; ok {
			c.Dict[i] = record
		}
	}
}

// withoutUnsplitTasks drops the tasks that other has as one row for the lot. A
// snapshot with such a row of its own knows which tasks are split off.
func withoutUnsplitTasks(s *format.Snapshot, other *format.Snapshot) *column.Table {
	t := s.Jobs
	ids := t.Column("job.id")
	if ids == nil || len(other.RecordIDs.Unsplit) == 0 {
		return t
	}
	theirs := map[string]bool{}
	if c := other.Jobs.Column("job.id"); c != nil {
		for _, id := range c.Dict {
			theirs[id] = true
		}
	}
	keep := make([]int, 0, t.Rows)
	for row, code := range ids.Codes {
		id := ids.Dict[code]
		array, _, isTask := strings.Cut(id, "_")
		if !isTask || !other.RecordIDs.Unsplit[array] || s.RecordIDs.Unsplit[array] || theirs[id] {
			keep = append(keep, row)
		}
	}
	if len(keep) == t.Rows {
		return t
	}
	return t.Pick(keep)
}

// Finish derives what needs several inputs, once all are merged.
func Finish(s *format.Snapshot, diags *diag.List) {
	for _, l := range s.Left {
		if l.Records == 0 {
			continue
		}
		diags.Infof("snapshot-accounting-left-out", source.Span{},
			"%s: %s of accounting left out, since the queue itself is there", l.Name, diag.Count(l.Records, "job")).
			Note("accounting keeps finished jobs and times of a later moment; give the file alone to read it")
	}
	if s.Family == "slurm" {
		nameSprioJobs(s)
		fillFromSprio(s.Jobs, s.Sprio)
		markDirect(s.Jobs, s.Sprio, diags)
	}
	finishSlurmRows(s)
}

// nameSprioJobs replaces record numbers by the ids of the job table.
func nameSprioJobs(s *format.Snapshot) {
	ids := s.Sprio.Column(format.SprioColumn("id"))
	if ids == nil || s.RecordIDs == nil {
		return
	}
	for i, id := range ids.Dict {
		if name, ok := s.RecordIDs.ByRecord[id]; ok && !s.RecordIDs.Unsplit[id] {
			ids.Dict[i] = name
		}
	}
}

// fillFromSprio copies site factor and nice, which are the same in all rows of
// a job. A job that sprio does not list (held, not yet eligible, running) counts as
// having no site factor, as it would if there were no sprio output at all.
func fillFromSprio(jobs, sprio *column.Table) {
	ids, jobIDs := sprio.Column(format.SprioColumn("id")), jobs.Column("job.id")
	if ids == nil || jobIDs == nil {
		return
	}
	rowOf := make(map[string]int, len(ids.Dict))
	for row, code := range ids.Codes {
		rowOf[ids.Dict[code]] = row
	}
	for _, filled := range []struct { // the order of columns is that of every output
		from string
		to   schema.ColumnID
	}{{"nice", "job.nice"}, {"site", "job.site_factor"}} {
		from, to := filled.from, filled.to
		values := sprio.Column(format.SprioColumn(from))
		if values == nil {
			continue
		}
		target := jobs.Column(to)
		if target == nil {
			target = &column.Column{ID: to, Type: schema.Int}
			column.Extend(target, jobs.Rows)
			jobs.Put(target)
		}
		for row, code := range jobIDs.Codes {
			if !target.Missing.Get(row) {
				continue
			}
			at, listed := rowOf[jobIDs.Dict[code]]
			switch {
			case listed && !values.Missing.Get(at) && values.Doubles[at] != SprioNoValue:
				target.Ints[row] = int64(values.Doubles[at])
				target.Missing.Clear(row)
			case to == "job.site_factor":
				target.Ints[row] = 0
				target.Missing.Clear(row)
			}
		}
	}
}

// traceFormats tell what became of jobs over a span of time, where a queue shows one moment.
var traceFormats = []string{"slurm-accounting", "slurm-accounting-json", "pbs-accounting", "maui-trace",
	"swf"}

func isTrace(s format.Source) bool { return slices.Contains(traceFormats, s.Format) }
