// Package family lists the schedulers: what each does its own way, one row a scheduler. The engine walks a row's stages
// and never asks which scheduler it serves.
package family

import (
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/evaluation/stage"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/family/scratch"
	"github.com/fairway-sched/fairway/runtime/family/slurm"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Family is what one scheduler does its own way.
type Family struct {
	Name  string // that of programs
	Facts evaluation.Facts
	Begin func(*evaluation.Run) stage.Scheduler

	// Order are the rules of the queue's order, before any job is selected; nil: priority alone.
	Order func(*evaluation.Result) []evaluation.OrderRule

	// Pace is when it acts while time moves.
	Pace func(*program.Program) evaluation.Pace

	// Plan says when and where jobs start; nil: the native planner does.
	Plan func(*evaluation.Result, *planning.Queue, planning.Options) (*backfill.Schedule, error)
}

// families are the schedulers that there are; a policy from scratch has none.
var families = []Family{
	{Name: "maui", Begin: maui.Begin, Plan: maui.Plan, Pace: maui.Pace,
		Facts: evaluation.Facts{Title: "Maui", Partitions: evaluation.Classes, Selects: true, Windows: true, Named: true,
			Keeps: true}},
	{Name: "slurm", Begin: slurm.Begin, Order: slurm.Order, Plan: slurm.Plan, Pace: slurm.Pace,
		Facts: evaluation.Facts{Title: "Slurm", Partitions: evaluation.Places, Passes: true, Accrues: true, Database: true}},
	{Name: "", Begin: scratch.Begin, Pace: scratch.Pace, Facts: evaluation.Facts{Named: true, Keeps: true}},
}

// Of is the family of a program.
func Of(p *program.Program) *Family {
	for i := range families {
		if families[i].Name == p.Family {
			return &families[i]
		}
	}
	panic("a program of the unknown family " + p.Family)
}
