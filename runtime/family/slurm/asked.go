package slurm

import (
	"reflect"
	"slices"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
)

// askedBefore are the answers of the evaluation before to whether jobs may start. That of a job holds while neither the
// job has changed nor what it was asked against. nil: all are asked anew.
type askedBefore struct {
	run  *evaluation.Run
	last *evaluation.Earlier
	was  []int32 // per job: which it was then; -1 for one that is to be asked

	refused, had column.Bitmap // rows that a hold of a phase refuses, now and then: what it says goes by more than the job
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
	return &askedBefore{run: s.run, last: last, was: last.Was(), refused: admit.Refused(r),
		had: admit.Refused(last.Result)}
}

// answer gives a job the answer of before, if it still holds.
func (a *askedBefore) answer(job int) bool {
	if a == nil || a.was[job] < 0 {
		return false
	}
	was, row, r := int(a.was[job]), int(a.run.JobRow[job]), a.run.Result
	if a.last.State[was] == evaluation.Rejected {
		return false // it was not accepted then, and is now
	}
	old := int(a.last.JobRow[was])
	if _, end := r.Entries(job); end-row != 1 || a.refused.Get(row) || a.had.Get(old) ||
		!a.last.HeldAlike(a.run, job, was) {
		return false
	}
	r.State[job], r.Reason[job], r.Why[job] = a.last.State[was], a.last.Reason[was], a.last.Why[was]
	if a.last.Refused.Get(old) {
		r.Refused.Set(row)
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
