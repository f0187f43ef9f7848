package engine

import "github.com/fairway-sched/fairway/runtime/checkpoint"

// slurmStages evaluate as slurmctld does.
type slurmStages struct {
	run   *underWay
	guard *slurmGuard // nil where no job is asked whether it may start
}

func beginSlurm(run *underWay) Stages {
	run.Result.rules = queueOrder(nil)
	return &slurmStages{run: run}
}

func (s *slurmStages) Derive() {
	r := s.run.Result
	r.Jobs.Put(associationKeys(r.Jobs, r.Program, r.Snapshot))
	r.defaultQOS()
	r.Jobs.Put(sizeProcs(r.Program, r.Jobs, newCredentialValues(r.Program, r.Snapshot), r.Now))
	keepPriorities(r.Jobs, r.Program, r.options.Previous)
}

func (s *slurmStages) Divide() error {
	if err := s.run.Result.oneQOS(s.run.Machine); err != nil {
		return err
	}
	s.run.Result.recordPartitions()
	return nil
}

// Share also says from when ages grow, which limits on accrual decide.
func (s *slurmStages) Share() []modelColumns {
	r := s.run.Result
	r.shareTree()
	if r.Program.Slurm != nil && (!r.options.ScoresOnly || !r.knowsAccrual()) {
		s.guard = r.newSlurmGuard(r.options.Previous)
		s.guard.accrue()
		return []modelColumns{treeColumns(r.Tree), s.guard.stateColumn()}
	}
	return []modelColumns{treeColumns(r.Tree)}
}

// Bind takes the tiers of partitions, by which the queue is ordered, and reports what inputs lack.
func (s *slurmStages) Bind(b *binder) {
	b.extra("partition.priority_tier")
	b.strangers()
	b.partitionQOS()
	b.qosPriorities()
	b.associationPriorities()
}

func (s *slurmStages) Select() error {
	r := s.run.Result
	r.readTiers()
	if s.guard != nil {
		r.slurm(s.guard, s.run.Holds)
	}
	if gate := r.gate(s.run.Out, nil); gate.Limits() > 0 {
		return r.throttle(gate, newCaps(r), nil)
	}
	return nil
}

// Keep keeps priorities, which INCR_ONLY does not let fall.
func (s *slurmStages) Keep(next *checkpoint.Checkpoint, jobs []int32) {
	r := s.run.Result
	for i, job := range jobs {
		if j := &next.Jobs[i]; j.State == checkpoint.Pending && !r.Failed.Get(int(r.JobRow[job])) {
			j.Priority = r.JobPriority(int(job))
		}
	}
	r.keepTree(next)
}
