package slurm

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/program"
)

// askedBefore are the answers of the evaluation before to whether jobs may start. That of a job holds while neither the
// job has changed nor what it was asked against. nil: all are asked anew.
type askedBefore struct {
	run  *evaluation.Run
	last *evaluation.Earlier
	was  []int32 // per job: which it was then; -1 for one that is to be asked

	refused, had column.Bitmap // rows that a hold of a phase refuses, now and then: what it says goes by more than the job

	same    bool // only weights differ, and the policy's holds refuse the same rows, so that they say the same
	limited bool // limits are asked, of a job's rows in the order of their priorities
}

// asked finds which answers still hold. Jobs of several partitions are asked in the order of their priorities,
// and limits by what others use, so that these are asked anew as soon as any job has changed.
func (s *stages) asked() *askedBefore {
	last, r := s.run.Before, s.run.Result
	if last == nil || !last.Models || last.Reason == nil || last.Limits != nil || r.Snapshot.Nodes != last.Snapshot.Nodes {
		return nil
	}
	before, ok := last.Stages.(*stages)
	if !ok || before.guard == nil || !samePartitions(s.guard, before.guard) || !last.SameHolds(r) {
		return nil
	}
	stepped := r.Snapshot.Jobs != last.Snapshot.Jobs
	if stepped && (s.guard.limits != nil || r.Jobs.Column("job.array_running_max") != nil) {
		return nil
	}
	if s.guard.hasThresholds() && (last.Usage || r.Program.Slurm.FairshareWeight != last.Program.Slurm.FairshareWeight) {
		return nil
	}
	a := &askedBefore{run: s.run, last: last, limited: s.guard.limits != nil,
		same: last.Queue && sameRefusals(r, last.Result)}
	if !a.all() {
		a.was, a.refused, a.had = last.Was(), admit.Refused(r), admit.Refused(last.Result)
	}
	return a
}

// sameRefusals compares the holds of the phases, and which rows they refuse.
func sameRefusals(now, then *evaluation.Result) bool {
	return slices.EqualFunc(now.Admission, then.Admission, slices.Equal[column.Bitmap]) &&
		slices.EqualFunc(now.Program.Admission, then.Program.Admission, func(a, b program.EntryHold) bool {
			same := a.Word.Same(b.Word) && a.Text.Same(b.Text)
			a.Word, a.Text, b.Word, b.Text = nil, nil, nil, nil
			a.When, b.When = 0, 0 // what it comes to is compared
			return same && reflect.DeepEqual(a, b)
		})
}

// all reports that every answer of before still holds.
func (a *askedBefore) all() bool {
	if a == nil || !a.same || !a.last.AllHeldAlike(a.run) {
		return false
	}
	rows := a.run.RowJob
	for row := 1; row < len(rows) && a.limited && len(rows) > a.run.Jobs.Rows; row++ {
		if rows[row] == rows[row-1] && !a.ranksAlike(int(rows[row]), int(rows[row])) {
			return false
		}
	}
	return true
}

// takeOver gives all jobs the answers of before.
func (a *askedBefore) takeOver() {
	r, last := a.run.Result, a.last
	r.State, r.Reason, r.Why, r.Refused, r.Barred = last.State, last.Reason, last.Why, last.Refused, last.Barred
}

// ranksAlike reports that the rows of a job have the order of priorities that they had.
func (a *askedBefore) ranksAlike(job, was int) bool {
	row, end := a.run.Entries(job)
	old := int(a.last.JobRow[was])
	now, then := a.run.Priority[row:end], a.last.Priority[old:old+end-row]
	for i := range now {
		for k := range i {
			if cmp.Compare(now[i], now[k]) != cmp.Compare(then[i], then[k]) {
				return false
			}
		}
	}
	return true
}

// answer gives a job the answer of before, if it still holds.
func (a *askedBefore) answer(job int) bool {
	if a == nil || a.was[job] < 0 {
		return false
	}
	was, r := int(a.was[job]), a.run.Result
	if a.last.State[was] == evaluation.Rejected {
		return false // it was not accepted then, and is now
	}
	row, end := r.Entries(job)
	old := int(a.last.JobRow[was])
	switch {
	case end-row > 1 && !a.same, end-row > 1 && a.limited && !a.ranksAlike(job, was),
		!a.same && (a.refused.Get(row) || a.had.Get(old)), !a.last.HeldAlike(a.run, job, was):
		return false
	}
	r.State[job], r.Reason[job], r.Why[job] = a.last.State[was], a.last.Reason[was], a.last.Why[was]
	for ; row < end; row, old = row+1, old+1 {
		if a.last.Refused.Get(old) {
			r.Refused.Set(row)
		}
		if b := a.last.Barred[int32(old)]; b != nil {
			r.Bar(row, b)
		}
	}
	return true
}

// samePartitions compares what partitions refuse; their states may follow from the reasons of jobs.
func samePartitions(now, then *guard) bool {
	for i := range now.partitions {
		p := now.partitions[i]
		at := slices.IndexFunc(then.partitions, func(q partition) bool { return q.name == p.name })
		if at < 0 {
			continue // of jobs that are new
		}
		if p.inferred = then.partitions[at].inferred; !reflect.DeepEqual(p, then.partitions[at]) {
			return false
		}
	}
	return true
}

// hasThresholds reports a QOS that refuses jobs by their fairshare.
func (g *guard) hasThresholds() bool {
	for name := range g.values.Names("qos") {
		if slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", name).List), "enforceusagethreshold") {
			return true
		}
	}
	return false
}
