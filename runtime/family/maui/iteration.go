package maui

import "github.com/fairway-sched/fairway/runtime/evaluation"

// Iteration is what Maui alone has of an evaluation, for its own views. A result carries it as Own.
type Iteration struct {
	Idle []int32 // the eligible jobs in the order in which showq lists them

	access     *partitionAccess                   // nil before jobs are selected
	again      func() (*evaluation.Result, error) // computes once more what moved; nil where nothing can have
	wholeProcs []int64                            // of Procs; nil until they are asked for
}

// Of is the iteration of a result; an empty one of a result that another scheduler's policy gave.
func Of(r *evaluation.Result) *Iteration {
	if own, ok := r.Own.(*Iteration); ok {
		return own
	}
	return &Iteration{}
}

// Asked is the result as Maui's clients see it between this iteration and the next: scores and
// terms are computed once more, with the queue times and counts of overtaking that this iteration
// left. Of the jobs that it found eligible only, since the clocks of others are (recorded:
// t32, r01). It is the result itself where nothing moved.
func Asked(r *evaluation.Result) (*evaluation.Result, error) {
	own := Of(r)
	if own.again == nil {
		return r, nil
	}
	return own.again()
}
