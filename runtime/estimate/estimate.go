// Package estimate says when jobs of a queue will start, and how sure that is: the queue is played many times, with
// run times that are drawn from what each user's jobs used of their limits, and each job gets percentiles of its
// starts.
//
// In: a program, a snapshot of the queue, and a history of jobs that ended. Out: an Estimate for each waiting job; a
// Ledger keeps what was estimated, and a Score says how it did. Called by the command line.
package estimate

import (
	"math"
	"slices"
	"sync"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Estimate is when a job will start. Times are epoch seconds; a percentile is 0 where in so many of the draws the job
// did not start.
type Estimate struct {
	P10, P50, P90 int64
}

// Options of an estimate.
type Options struct {
	Draws    int
	Seed     uint64
	Workers  int // draws that are played at a time
	Replay   replay.Options
	Progress func(done int)
}

// Starts estimates the starts of the jobs that wait, by their ids. Jobs that are submitted later are not part of it.
func Starts(p *program.Program, queue *snapshot.Snapshot, history *column.Table,
	o Options) (map[string]Estimate, error) {
	learned := replay.Learned(history, queue.Now)
	starts, errs := make([]map[string]int64, o.Draws), make([]error, o.Draws)
	free, done := make(chan bool, max(1, o.Workers)), 0
	var wait sync.WaitGroup
	var lock sync.Mutex
	for k := range o.Draws {
		free <- true
		wait.Go(func() {
			defer func() { <-free }()
			starts[k], errs[k] = played(p, queue, learned.Drawn(replay.Arrivals{}, o.Seed+uint64(k)), o.Replay)
			lock.Lock()
			defer lock.Unlock()
			if done++; o.Progress != nil {
				o.Progress(done)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	all := map[string][]int64{}
	for _, one := range starts {
		for id, start := range one {
			all[id] = append(all[id], start)
		}
	}
	out := map[string]Estimate{}
	for id, list := range all {
		for len(list) < o.Draws { // draws in which it did not start come last
			list = append(list, math.MaxInt64)
		}
		slices.Sort(list)
		out[id] = Estimate{at(list, 10), at(list, 50), at(list, 90)}
	}
	return out, nil
}

// played are the starts of one draw.
func played(p *program.Program, queue *snapshot.Snapshot, w *replay.Workload,
	o replay.Options) (map[string]int64, error) {
	result, err := replay.Run(p, queue, w, o)
	if err != nil {
		return nil, err
	}
	starts := map[string]int64{}
	for _, i := range result.Started {
		starts[result.Outcomes[i].ID] = result.Outcomes[i].Start
	}
	return starts, nil
}

// at is a percentile of a sorted list.
func at(list []int64, percent int) int64 {
	x := list[min(len(list)-1, max(0, (percent*len(list)+99)/100-1))]
	if x == math.MaxInt64 {
		return 0
	}
	return x
}
