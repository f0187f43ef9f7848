package engine

import "github.com/fairway-sched/fairway/runtime/checkpoint"

// scratchStages evaluate a policy from scratch, which has no scheduler to imitate.
type scratchStages struct{ run *underWay }

func beginScratch(run *underWay) Stages { return &scratchStages{run} }

// Derive names associations, as such a policy can have Slurm's account tree.
func (s *scratchStages) Derive() {
	if r := s.run.Result; r.Jobs.Column("job.association") == nil {
		r.Jobs.Put(associationKeys(r.Jobs, r.Program, r.Snapshot))
	}
}

func (s *scratchStages) Divide() error {
	s.run.Result.recordPartitions()
	return nil
}

func (s *scratchStages) Share() []modelColumns {
	s.run.Result.shareTree()
	return []modelColumns{treeColumns(s.run.Result.Tree)}
}

func (s *scratchStages) Bind(*binder) {}

func (s *scratchStages) Select() error {
	r := s.run.Result
	return r.throttle(r.gate(s.run.Out, nil), newCaps(r), r.options.Started)
}

func (s *scratchStages) Keep(next *checkpoint.Checkpoint, _ []int32) { s.run.Result.keepTree(next) }
