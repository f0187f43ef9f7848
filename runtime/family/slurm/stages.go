package slurm

import (
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
)

// stages evaluate as slurmctld does.
type stages struct {
	run   *evaluation.Run
	guard *guard // nil where no job is asked whether it may start
}

// Begin evaluates a queue of Slurm's.
func Begin(run *evaluation.Run) stage.Scheduler { return &stages{run: run} }

func (s *stages) Derive() {
	r := s.run.Result
	r.Jobs.Put(shares.AssociationKeys(r.Jobs, r.Program, r.Snapshot))
	defaultQOS(r)
	r.Jobs.Put(sizeProcs(r.Program, r.Jobs, evaluation.NewValues(r.Program, r.Snapshot), r.Now))
	keepPriorities(r.Jobs, r.Program, r.Options.Previous)
}

func (s *stages) Divide() error {
	if err := oneQOS(s.run.Result, s.run.Machine); err != nil {
		return err
	}
	s.run.Result.RecordPartitions()
	return nil
}

// Share also says from when ages grow, which limits on accrual decide.
func (s *stages) Share() []score.Model {
	r := s.run.Result
	if before := s.run.Before; before != nil && before.Tree != nil && samePass(before.Result, r) {
		r.Tree = before.Tree // what happens between two passes of priorities is in none of them
	} else {
		shares.Share(r)
	}
	if r.Program.Slurm != nil && (!r.Options.ScoresOnly || !knowsAccrual(r)) {
		s.guard = newGuard(r, r.Options.Previous)
		s.guard.accrue()
	}
	return s.models()
}

func (s *stages) models() []score.Model {
	if s.guard == nil {
		return []score.Model{shares.Columns(s.run.Tree)}
	}
	return []score.Model{shares.Columns(s.run.Tree), s.guard.stateColumn()}
}

// Reshare declines where jobs are asked about as if they were submitted, as those that would be accepted then count,
// and where some ask for several QOS, among which holds decide.
func (s *stages) Reshare(then any) ([]score.Model, bool) {
	before, ok := then.(*stages)
	if !ok || anySubmitting(s.run.Jobs) || anyList(s.run.Snapshot.Jobs.Column("job.qos")) {
		return nil, false
	}
	if before.guard != nil {
		s.guard = before.guard.of(s.run.Result)
	}
	return s.models(), true
}

// samePass reports two evaluations as of one pass of priorities that begin with one state.
func samePass(a, b *evaluation.Result) bool {
	return a.Pass != 0 && a.Pass == b.Pass && a.Program == b.Program && a.Options.Previous == b.Options.Previous &&
		a.Options.Previous != nil
}

// Bind takes the tiers of partitions, by which the queue is ordered, and reports what inputs lack.
func (s *stages) Bind(b *score.Binder) {
	b.Extra("partition.priority_tier")
	strangers(b)
	partitionQOS(b)
	qosPriorities(b)
	associationPriorities(b)
}

func (s *stages) Select() error {
	r := s.run.Result
	if before := s.run.Before; before != nil && before.Queue {
		r.Tiers = before.Tiers
	} else {
		readTiers(r)
	}
	if s.guard != nil {
		decide(s.run, s.guard, s.asked())
	} else {
		admit.States(s.run)
	}
	if gate := admit.Gate(r, s.run.Out, nil); gate.Limits() > 0 {
		return admit.Apply(s.run, gate, admit.NewCaps(r), nil)
	}
	return nil
}

// Keep keeps priorities, which INCR_ONLY does not let fall.
func (s *stages) Keep(next *checkpoint.Checkpoint, jobs []int32) {
	r := s.run.Result
	for i, job := range jobs {
		if j := &next.Jobs[i]; j.State == checkpoint.Pending && !r.Failed.Get(int(r.JobRow[job])) {
			j.Priority = r.JobPriority(int(job))
		}
	}
	shares.Keep(r, next)
}

// Pace is that of slurmctld. Jobs end when they did: who exceeded a limit then was cancelled then.
func Pace(*program.Program) evaluation.Pace { return evaluation.Pace{Ticks: true, OverrunSeconds: -1} }
