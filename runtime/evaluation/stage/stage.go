// Package stage says what a scheduler does in an evaluation.
package stage

import (
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// Scheduler are what a scheduler does in one evaluation, in the order in which the engine asks.
type Scheduler interface {
	Derive()                                        // columns of jobs: defaults, credentials
	Divide() error                                  // columns of rows, into which jobs are divided by partition
	Share() []score.Model                           // who has used how much of a share, and the columns that follow
	Reshare(then any) ([]score.Model, bool)         // Share, for the queue and the models of an earlier evaluation
	Bind(*score.Binder)                             // columns that it needs beside those that the program reads
	Select() error                                  // which jobs may start, and why the others may not
	Keep(next *checkpoint.Checkpoint, jobs []int32) // what the next evaluation needs; jobs are those of next.Jobs
}
