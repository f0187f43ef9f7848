package engine

import (
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Family is what one scheduler does its own way. A further scheduler is a row of table.
type Family struct {
	Name  string
	Begin func(*underWay) Stages // what it does in one evaluation

	ScoresBySelection bool // priorities depend on which jobs are selected, so that these are asked for scores too
	AlwaysKeeps       bool // what the next evaluation needs is made each time: the scheduler's views show it
}

// Stages are what a scheduler does in one evaluation, in the order in which the engine asks.
type Stages interface {
	Derive()                                        // columns of jobs: defaults, credentials
	Divide() error                                  // columns of rows, into which jobs are divided by partition
	Share() []modelColumns                          // who has used how much of which share, and the columns that follow
	Bind(*binder)                                   // columns that it needs beside those that the program reads
	Select() error                                  // which jobs may start, and why the others may not
	Keep(next *checkpoint.Checkpoint, jobs []int32) // what the next evaluation needs; jobs are those of next.Jobs
}

// table are the schedulers that there are. A policy from scratch is of none.
var table = []Family{
	{Name: "maui", Begin: beginMaui, ScoresBySelection: true, AlwaysKeeps: true},
	{Name: "slurm", Begin: beginSlurm},
	{Name: "", Begin: beginScratch, AlwaysKeeps: true},
}

func familyOf(p *program.Program) *Family {
	for i := range table {
		if table[i].Name == p.Family {
			return &table[i]
		}
	}
	panic("a program of the unknown family " + p.Family)
}
