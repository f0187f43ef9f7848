// Package counterexample looks for jobs that two policies treat differently.
//
// In: two programs and the names that their policies know. Out: the smallest queue found in which a pair of
// jobs stands the other way round, or a job may start under one policy alone; nil if none was found, which
// proves nothing. The search is seeded: the same input gives the same answer. `fairway convert` calls it.
package counterexample

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Names are those that generated jobs have; where a list is empty, one that no policy knows. Where accounts have
// users, as Slurm's have, jobs are those of a user in an account.
type Names struct {
	Users, Groups, Accounts, QOS, Partitions []string
	Members                                  [][2]string // account and user
}

// Job is a generated job.
type Job struct {
	ID                                   int
	User, Group, Account, QOS, Partition string
	Procs, Nodes                         int64
	WalltimeSeconds, WaitedSeconds       int64
	Running                              bool
}

// String is the job in one line.
func (j *Job) String() string {
	state := fmt.Sprintf("waiting for %s", duration(j.WaitedSeconds))
	if j.Running {
		state = "running"
	}
	return fmt.Sprintf("job %d: user %s, group %s, account %s, qos %s, partition %s, %d processors on %d nodes for %s, %s",
		j.ID, j.User, j.Group, j.Account, j.QOS, j.Partition, j.Procs, j.Nodes, duration(j.WalltimeSeconds), state)
}

func duration(seconds int64) string {
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

// Place is what a policy makes of a job.
type Place struct {
	Priority int64
	Rank     int32
	State    engine.State
	Reason   string
}

func (p Place) String() string {
	text := fmt.Sprintf("priority %d, %s", p.Priority, p.State)
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

// Example is a queue that two policies treat differently.
type Example struct {
	Jobs   []Job
	Places [2][]Place // of each policy, by job
	What   string
}

// Search says where to look.
type Search struct {
	Programs [2]*program.Program
	Names    Names
	Seed     uint64
	Tries    int

	states bool // whether jobs may start is looked at, rather than their order
}

// Find generates queues until one is treated differently, and makes that small. A pair in another order comes
// first, as it says most; then a job that may start under one policy alone. The error says that no queue could
// be evaluated, as an input is missing that no generated queue has.
func (s *Search) Find() (*Example, error) {
	var failed error
	evaluated := false
	for _, s.states = range []bool{false, true} {
		r := rand.New(rand.NewPCG(s.Seed, 0))
		for range s.Tries {
			jobs := make([]Job, 2+r.IntN(5))
			for i := range jobs {
				jobs[i] = s.draw(r, i+1)
			}
			e, err := s.evaluate(jobs)
			switch {
			case err != nil:
				failed = err
			case e != nil:
				return s.shrink(e), nil
			default:
				evaluated = true
			}
		}
	}
	if evaluated {
		failed = nil
	}
	return nil, failed
}

// evaluate computes both policies; nil if they agree.
func (s *Search) evaluate(jobs []Job) (*Example, error) {
	e := &Example{Jobs: jobs}
	for k, p := range s.Programs {
		result, err := engine.Run(p, s.snapshot(jobs), engine.Options{Workers: 1})
		if err != nil {
			return nil, err
		}
		for _, d := range result.Findings {
			if d.Severity == diag.Error {
				return nil, errors.New(d.Message)
			}
		}
		for i := range jobs {
			e.Places[k] = append(e.Places[k], Place{result.Priority[result.JobRow[i]], result.Rank[i], result.State[i], result.Reason[i]})
		}
	}
	e.What = e.order()
	if s.states {
		e.What = e.state()
	}
	if e.What == "" {
		return nil, nil
	}
	return e, nil
}

// state says which job may start under one policy alone, "" if none.
func (e *Example) state() string {
	for i := range e.Jobs {
		if a, b := e.Places[0][i], e.Places[1][i]; a.State != b.State {
			return fmt.Sprintf("job %d is %s under the first policy and %s under the second", e.Jobs[i].ID, a.State, b.State)
		}
	}
	return ""
}

// order says which pair stands the other way round, "" if none. Jobs of equal priority stand in an order that no
// policy sets, so only a pair with different priorities under both counts.
func (e *Example) order() string {
	for i := range e.Jobs {
		for k := range e.Jobs {
			if e.before(0, i, k) && e.before(1, k, i) {
				return fmt.Sprintf("job %d is before job %d under the first policy and behind it under the second", e.Jobs[i].ID, e.Jobs[k].ID)
			}
		}
	}
	return ""
}

func (e *Example) before(policy, i, k int) bool {
	a, b := e.Places[policy][i], e.Places[policy][k]
	return a.State == engine.Eligible && b.State == engine.Eligible && a.Rank > 0 && b.Rank > 0 && a.Priority > b.Priority && a.Rank < b.Rank
}

// shrink leaves out jobs, then what is special about them, as long as the policies differ.
func (s *Search) shrink(e *Example) *Example {
	try := func(jobs []Job) bool {
		smaller, err := s.evaluate(jobs)
		if err != nil || smaller == nil {
			return false
		}
		e = smaller
		return true
	}
	for i := 0; i < len(e.Jobs); {
		if len(e.Jobs) == 1 || !try(slices.Delete(slices.Clone(e.Jobs), i, i+1)) {
			i++
		}
	}
	like := e.Jobs[0] // the others become as much like it as can be
	for i := range e.Jobs {
		for _, simplify := range []func(*Job){
			func(j *Job) { j.Running = false },
			func(j *Job) { j.User, j.Account = like.User, like.Account }, func(j *Job) { j.Group = like.Group },
			func(j *Job) { j.QOS = like.QOS }, func(j *Job) { j.Partition = like.Partition },
			func(j *Job) { j.Procs, j.Nodes = 1, 1 }, func(j *Job) { j.Procs, j.Nodes = like.Procs, like.Nodes },
			func(j *Job) { j.WalltimeSeconds = 3600 }, func(j *Job) { j.WalltimeSeconds = like.WalltimeSeconds },
			func(j *Job) { j.WaitedSeconds = 3600 }, func(j *Job) { j.WaitedSeconds = like.WaitedSeconds },
		} {
			jobs := slices.Clone(e.Jobs)
			if simplify(&jobs[i]); jobs[i] != e.Jobs[i] {
				try(jobs)
			}
		}
	}
	return e
}
