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
	Title string // as people write it; "" for policies from scratch
	Begin func(*evaluation.Run) stage.Scheduler

	// Order are the rules of the queue's order, before any job is selected; nil: priority alone.
	Order func(*evaluation.Result) []evaluation.OrderRule

	// Plan says when and where jobs start; nil: the native planner does.
	Plan func(*evaluation.Result, *planning.Queue, planning.Options) (*backfill.Schedule, error)

	Selects bool // it selects jobs in an iteration, on which priorities depend and in which its planner starts jobs
	Passes  bool // it computes priorities in passes of their own
	Started bool // callers can name the jobs that start
	Keeps   bool // what the next evaluation needs is made each time: the scheduler's views show it
}

// families are the schedulers that there are; a policy from scratch has none.
var families = []Family{
	{Name: "maui", Title: "Maui", Begin: maui.Begin, Plan: maui.Plan, Selects: true, Started: true, Keeps: true},
	{Name: "slurm", Title: "Slurm", Begin: slurm.Begin, Order: slurm.Order, Plan: slurm.Plan, Passes: true},
	{Name: "", Begin: scratch.Begin, Started: true, Keeps: true},
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
