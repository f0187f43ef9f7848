package lower

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/mauiplan"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Place types what a policy's parameters and its settings of backfill say of placing jobs. Whoever changes those of a
// policy that is lowered calls it again.
func Place(p *ir.Policy) {
	p.Plan = program.Plan{Native: &program.NativePlan{
		Algorithm: "firstfit", Metric: "procs", ReservationDepth: 1, NodeAccess: "shared", // EASY, if nothing is set
	}}
	if of := families[p.Family].place; of != nil {
		of(p)
	}
	nativeBlock(p.Backfill, p.Plan.Native)
}

// placeMaui types maui.cfg's settings.
func placeMaui(p *ir.Policy) {
	p.Queue, p.Plan.Maui = mauiplan.Queue(p), mauiplan.Plan(p)
	mauiplan.Native(p.Plan.Maui, p.Plan.Native)
}

// placeSlurm types slurm.conf's. Its backfill plans every job, within its window and by its resolution; without it the
// queue is strict.
func placeSlurm(p *ir.Policy) {
	n, s := p.Plan.Native, p.SlurmPlan
	for i := range p.Params {
		if p.Params[i].Name == "Licenses" {
			p.Plan.Licenses = slurmconf.Licenses(p.Params[i].Value.Str)
		}
	}
	if s.Linear {
		n.NodeAccess = "single_job"
	}
	if !s.Backfill {
		n.Algorithm, n.ReservationDepth = "none", 0
		return
	}
	n.ReservationDepth, n.WindowSeconds, n.ResolutionSeconds = program.Unlimited, s.WindowSeconds, s.ResolutionSeconds
}

// nativeBlock reads the attributes of the policy's backfill block. What they leave out is what the scheduler's
// own settings come to.
func nativeBlock(list []ir.Setting, n *program.NativePlan) {
	for _, s := range list {
		switch v := s.Value; s.Name {
		case "algorithm":
			n.Algorithm = v.Str
		case "metric":
			n.Metric = v.Str
		case "reservation_depth":
			if n.ReservationDepth = v.Int; v.Int == slurmtext.Infinite {
				n.ReservationDepth = program.Unlimited
			}
		case "max_combinations":
			n.Combinations = v.Int
		case "node_access":
			n.NodeAccess = nodeAccess(v.Str)
		case "window":
			n.WindowSeconds = v.Int
		case "resolution":
			n.ResolutionSeconds = v.Int
		}
	}
}

// nodeAccess: a node for a single task is no other job's either.
func nodeAccess(word string) string {
	switch strings.ToLower(strings.ReplaceAll(word, "_", "")) {
	case "singlejob", "singletask":
		return "single_job"
	case "singleuser":
		return "single_user"
	}
	return "shared"
}
