package scratch

import (
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/admit"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"
	"github.com/fairway-sched/fairway/runtime/family/slurm/shares"
	"github.com/fairway-sched/fairway/runtime/program"
)

// stages evaluate a policy from scratch, which has no scheduler to imitate.
type stages struct{ run *evaluation.Run }

// Begin evaluates a queue for such a policy.
func Begin(run *evaluation.Run) stage.Scheduler { return &stages{run} }

// Derive names associations, as such a policy can have Slurm's account tree.
func (s *stages) Derive() {
	if r := s.run.Result; r.Jobs.Column("job.association") == nil {
		r.Jobs.Put(shares.AssociationKeys(r.Jobs, r.Program, r.Snapshot))
	}
}

func (s *stages) Divide() error {
	s.run.Result.RecordPartitions()
	return nil
}

func (s *stages) Share() []score.Model {
	shares.Share(s.run.Result)
	return []score.Model{shares.Columns(s.run.Result.Tree)}
}

func (s *stages) Reshare(any) ([]score.Model, bool) {
	return []score.Model{shares.Columns(s.run.Tree)}, true
}

func (s *stages) Bind(*score.Binder) {}

func (s *stages) Select() error {
	r := s.run.Result
	admit.States(s.run)
	admit.Refuse(r)
	if err := admit.Apply(s.run, admit.Gate(r, s.run.Out, nil), admit.NewCaps(r), r.Options.Started); err != nil {
		return err
	}
	for job, state := range r.State {
		if state == evaluation.Eligible && r.JobFailed(job) {
			r.Blocked(job, &evaluation.Block{Kind: evaluation.BlockFailed, Text: evaluation.NoPriority})
		}
	}
	return nil
}

func (s *stages) Keep(next *checkpoint.Checkpoint, _ []int32) { shares.Keep(s.run.Result, next) }

// Pace: a policy from scratch has no clock of its own.
func Pace(*program.Program) evaluation.Pace { return evaluation.Pace{} }
