// Package counterexample looks for jobs that two policies treat differently.
//
// In: two programs and what their policies speak of. Out: the smallest queue found in which a pair of
// jobs is the other way round, or a job may start under one policy alone; nil if none was found, which
// proves nothing. The search is seeded: the same input gives the same answer. `fairway convert` calls it.
package counterexample

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Place is what a policy makes of a job.
type Place struct {
	Priority int64
	Score    float64
	Rank     int32
	State    evaluation.State
	Reason   string

	stranger bool // the policy knows no association of the job's user
	refused  bool // there would be no such job
}

func (p Place) String() string {
	text := fmt.Sprintf("priority %d, %s", p.Priority, p.becomes())
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

// becomes is the state in words.
func (p Place) becomes() string {
	if p.refused {
		return "refused at submission"
	}
	return p.State.String()
}

// Example is a queue that two policies treat differently.
type Example struct {
	Queue  *Queue
	Places [2][]Place // of each policy, by job
	Kind   Kind
	Pair   [2]int // the jobs that differ, by index; of a job alone both are the same

	snapshot *snapshot.Snapshot
}

// Looked is what a search went through.
type Looked struct {
	Queues, Jobs int    // of the jobs those that wait
	Compared     int    // the jobs that both policies know the users of
	Refused      [2]int // by each policy
}

// Write writes the queue in the native form of snapshots.
func (e *Example) Write(w io.Writer) error { return snapshot.WriteJSON(w, e.snapshot) }

// Kind is what differs. The first says most.
type Kind int

const (
	Reversed Kind = iota // two jobs with clearly different priorities are the other way round
	Starts               // a job may start under one policy alone
	Close                // two jobs are the other way round, their priorities a point or two apart
	Tied                 // two jobs are the other way round that have one priority under one of the policies
	Refused              // a job that may start under one policy is refused at submission under the other
	None
)

// What says what differs, with the policies called by name.
func (e *Example) What(first, second string) string {
	i, k := e.Pair[0], e.Pair[1]
	jobs := e.Queue.Jobs
	switch e.Kind {
	case Starts, Refused:
		return fmt.Sprintf("job %d is %s under %s and %s under %s", jobs[i].ID, e.Places[0][i].becomes(), first,
			e.Places[1][i].becomes(), second)
	case Tied:
		tied := first
		if e.Places[1][i].Priority == e.Places[1][k].Priority {
			tied = second
		}
		return fmt.Sprintf("job %d is before job %d under %s and after it under %s; under %s they have the same priority",
			jobs[i].ID, jobs[k].ID, first, second, tied)
	}
	return fmt.Sprintf("job %d is before job %d under %s and after it under %s", jobs[i].ID, jobs[k].ID, first, second)
}

// Search says where to look.
type Search struct {
	Programs   [2]*program.Program
	Vocabulary Vocabulary
	Seed       uint64
	Tries      int

	nice bool // jobs are drawn with nice values
}

// Find generates queues until one is treated differently, and makes that small. A pair that is clearly in another
// order ends the search; of all else the kind that says most is kept. The error says that no queue could
// be evaluated, as an input is missing that no generated queue has.
func (s *Search) Find() (*Example, Looked, error) {
	found, looked, err := s.look(all)
	return found[0], looked, err
}

// FindEach looks in the same queues for jobs in another order and, whatever these are, for jobs that may start under
// one policy alone, and for those that one policy alone would refuse.
func (s *Search) FindEach() ([]*Example, error) {
	found, _, err := s.look(all, []Kind{Starts}, []Kind{Refused})
	return found, err
}

// all are the kinds, from the one that says most.
var all = []Kind{Reversed, Starts, Close, Tied, Refused}

// Each queue costs what the policies are long, so that of very long ones fewer are tried than asked for.
const (
	workOfSearch  = 1_000_000 // limits, times queues
	fewestQueues  = 20
	limitsOfUsual = 100 // a policy of no limits costs as much as one of these
)

// affordable is how many queues are tried.
func (s *Search) affordable() int {
	size := limitsOfUsual
	for _, p := range s.Programs {
		size += len(p.Limits)
	}
	return min(s.Tries, max(fewestQueues, workOfSearch/size))
}

// look finds what differs most, of each of the lists of kinds.
func (s *Search) look(kinds ...[]Kind) ([]*Example, Looked, error) {
	var failed error
	var looked Looked
	best := make([]*Example, len(kinds))
	ended := func(k int) bool {
		// of nice no policy says anything, so that all else is better
		return best[k] != nil && (best[k].Kind == kinds[k][0] || s.nice)
	}
	r := rand.New(rand.NewPCG(s.Seed, 0))
	most := s.affordable()
	tries := most
	if s.Vocabulary.Nice {
		tries *= 2
	}
	for i := range tries {
		s.nice = i >= most
		open := false
		for k := range best {
			open = open || !ended(k)
		}
		if !open {
			break
		}
		q, err := s.evaluate(s.draw(r))
		if err != nil {
			failed = err
			continue
		}
		looked.add(q)
		for k := range best {
			if ended(k) {
				continue
			}
			e := *q
			if e.compare(kinds[k]); e.Kind < None && (best[k] == nil || e.Kind < best[k].Kind) {
				best[k] = &e
			}
		}
	}
	for k, e := range best {
		if e != nil {
			best[k] = s.shrink(e, kinds[k])
		}
	}
	if looked.Queues > 0 {
		failed = nil
	}
	return best, looked, failed
}

// add counts the waiting jobs of a queue. Only those that both policies accept can be compared.
func (l *Looked) add(e *Example) {
	l.Queues++
	for i := range e.Queue.Jobs {
		if e.Queue.Jobs[i].State != pending {
			continue
		}
		l.Jobs++
		for k := range l.Refused {
			if e.Places[k][i].stranger {
				l.Refused[k]++
			}
		}
		if !e.Places[0][i].stranger && !e.Places[1][i].stranger {
			l.Compared++
		}
	}
}

// evaluate computes both policies; what differs is not compared yet.
func (s *Search) evaluate(q *Queue) (*Example, error) {
	e := &Example{Queue: q}
	var err error
	if e.snapshot, err = s.snapshot(q); err != nil {
		return nil, err
	}
	for k, p := range s.Programs {
		result, err := engine.Run(p, e.snapshot, evaluation.Options{Workers: 1})
		if err != nil {
			return nil, err
		}
		for _, d := range result.Findings {
			if d.Severity == diag.Error {
				return nil, errors.New(d.Message)
			}
		}
		for i := range q.Jobs {
			row := result.JobRow[i]
			e.Places[k] = append(e.Places[k],
				Place{result.Priority[row], result.Score[row], result.Rank[i], result.State[i], result.Reason[i],
					result.Reason[i] == "InvalidAccount" || result.Failed.Get(int(row)), result.RefusedAtSubmission(i)})
		}
	}
	return e, nil
}

// compare finds what differs most, of some kinds.
func (e *Example) compare(kinds []Kind) {
	e.Kind = None
	found := func(k Kind, a, b int) {
		if k < e.Kind && slices.Contains(kinds, k) {
			e.Kind, e.Pair = k, [2]int{a, b}
		}
	}
	for i := range e.Queue.Jobs {
		if a, b := e.Places[0][i], e.Places[1][i]; !a.stranger && !b.stranger &&
			(a.State == evaluation.Eligible) != (b.State == evaluation.Eligible) {
			kind := Starts
			if a.refused || b.refused {
				kind = Refused
			}
			found(kind, i, i)
		}
		for k := range e.Queue.Jobs {
			if e.before(0, i, k) && e.before(1, k, i) {
				found(e.order(i, k), i, k)
			}
		}
	}
}

func (e *Example) before(policy, i, k int) bool {
	a, b := e.Places[policy][i], e.Places[policy][k]
	return a.State == evaluation.Eligible && b.State == evaluation.Eligible && a.Rank > 0 && b.Rank > 0 && a.Rank < b.Rank
}

// order says what kind of difference the order of two jobs is. Whole points are what rounding can make of
// sums that are the same: less than that apart is no difference, and order that is against the
// priorities, as that of partitions with a tier, is one of its own.
func (e *Example) order(i, k int) Kind {
	kind := Reversed
	tied := 0
	for policy := range e.Places {
		a, b := e.Places[policy][i], e.Places[policy][k]
		apart := math.Abs(float64(a.Priority) - float64(b.Priority))
		sums := math.Abs(a.Score - b.Score)
		switch size := max(math.Abs(float64(a.Priority)), math.Abs(float64(b.Priority))); {
		case apart == 0: // as stored, whatever the sums were before the floor
			kind = max(kind, Tied)
			tied++
		case apart < 2 && sums < 0.999:
			return None
		case apart < max(2, size/100):
			kind = max(kind, Close)
		}
	}
	if tied == 2 {
		return None // the order of what is equal is set by no policy
	}
	return kind
}
