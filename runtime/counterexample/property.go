package counterexample

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Property is a promise about two jobs of any queue, whatever else is in it.
type Property struct {
	Program    *program.Program
	Vocabulary Vocabulary
	Seed       uint64
	Tries      int
	Vary       []string // the columns in which the two differ; none: they are any two jobs

	// Ask says whether the promise is about a pair at all, and whether it is kept. An error ends the search.
	Ask func(r *evaluation.Result, first, second int) (applies, kept bool, err error)
}

// Broken is a queue whose first two jobs break a promise.
type Broken struct {
	Queue  *Queue
	Result *evaluation.Result
}

// Columns are those that two jobs may differ in.
func Columns() (names []string) {
	t := reflect.TypeFor[Job]()
	for i := range t.NumField() {
		if name := columnOf(t.Field(i)); !slices.Contains([]string{"id", "state", "eligible_time", "accrue_time",
			"start_time", "tres"}, name) {
			names = append(names, name)
		}
	}
	return names
}

func columnOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// Find draws queues until one breaks the promise, and makes that small. pairs is how many the promise was asked about.
func (p *Property) Find() (found *Broken, pairs int, err error) {
	s := &Search{Vocabulary: p.Vocabulary, nice: p.Vocabulary.Nice}
	r := rand.New(rand.NewPCG(p.Seed, 1))
	for range p.Tries {
		q := s.draw(r)
		p.pair(s, q, r)
		b, applies, kept, err := p.try(s, q)
		switch {
		case err != nil:
			return nil, pairs, err
		case !applies:
			continue
		}
		if pairs++; !kept {
			return p.shrink(s, b), pairs, nil
		}
	}
	return nil, pairs, nil
}

// pair puts the two jobs first in the queue. They wait.
func (p *Property) pair(s *Search, q *Queue, r *rand.Rand) {
	first, second := s.job(r), s.job(r)
	first.State, second.State = pending, pending
	if len(p.Vary) > 0 {
		second = p.other(s, first, second)
	}
	q.Jobs = append([]Job{first.complete(first.waited()), second.complete(second.waited())}, q.Jobs...)
	for i := range q.Jobs {
		q.Jobs[i].ID = i + 1
	}
}

// other is a job that is the same as another but for what varies, which is that of a third.
func (p *Property) other(s *Search, same, varied Job) Job {
	j := same
	from, to := reflect.ValueOf(varied), reflect.ValueOf(&j).Elem()
	for i := range to.NumField() {
		if slices.Contains(p.Vary, columnOf(to.Type().Field(i))) {
			to.Field(i).Set(from.Field(i))
		}
	}
	c := s.partition(j.Partition)
	if j.Nodes = min(j.Nodes, c.Nodes); j.Nodes > 0 {
		j.Procs = min(max(j.Procs, j.Nodes), j.Nodes*c.NodeProcs)
	}
	return j
}

// try evaluates a queue and asks about its first two jobs.
func (p *Property) try(s *Search, q *Queue) (b *Broken, applies, kept bool, err error) {
	snap, err := s.snapshot(q)
	if err != nil {
		return nil, false, false, err
	}
	result, err := engine.Run(p.Program, snap, evaluation.Options{Workers: 1})
	if err != nil {
		return nil, false, false, err
	}
	for _, d := range result.Findings {
		if d.Severity == diag.Error {
			return nil, false, false, errors.New(d.Message)
		}
	}
	b = &Broken{Queue: q, Result: result}
	applies, kept, err = p.Ask(result, 0, 1)
	return b, applies, kept, err
}

// shrink leaves out the other jobs, then what is special about the two, as long as they break the promise.
func (p *Property) shrink(s *Search, b *Broken) *Broken {
	try := func(q *Queue) bool {
		smaller, applies, kept, err := p.try(s, q)
		if err != nil || !applies || kept {
			return false
		}
		b = smaller
		return true
	}
	for size := max(1, (len(b.Queue.Jobs)-2)/2); size > 0; size /= 2 {
		for i := 2; i < len(b.Queue.Jobs); {
			q := *b.Queue
			q.Jobs = slices.Delete(slices.Clone(q.Jobs), i, min(i+size, len(q.Jobs)))
			if !try(&q) {
				i += size
			}
		}
	}
	q := *b.Queue
	q.Used, q.Recorded = nil, nil
	try(&q)
	for again := true; again; {
		again = false
		for _, simplify := range s.simpler(b.Queue.Jobs[0]) {
			for _, kinds := range p.simplified(s, b.Queue.Jobs, simplify) {
				q := *b.Queue
				q.Jobs = kinds
				if !reflect.DeepEqual(q.Jobs, b.Queue.Jobs) && try(&q) {
					again = true
					break // the other ways are of the jobs as they were
				}
			}
		}
	}
	return b
}

// simplified are the ways to make the two jobs, and all others, simpler by one of their columns: both, and so that they
// still differ.
func (p *Property) simplified(s *Search, jobs []Job, simplify func(*Job, *int64)) (ways [][]Job) {
	simple := func(j Job) Job {
		waited := j.waited()
		simplify(&j, &waited)
		return j.complete(waited)
	}
	both := slices.Clone(jobs)
	for i := range both {
		both[i] = simple(both[i])
	}
	ways = append(ways, both)
	for _, one := range []int{0, 1} {
		if len(p.Vary) > 0 {
			way := slices.Clone(both)
			way[one] = p.other(s, both[1-one], jobs[one])
			way[one].ID = jobs[one].ID
			way[one] = way[one].complete(way[one].waited())
			ways = append(ways, way)
			continue
		}
		way := slices.Clone(jobs)
		way[one] = both[one]
		ways = append(ways, way)
	}
	return ways
}

// Words are the two jobs in a line each, and how many others there are.
func (b *Broken) Words() (first, second string, others int) {
	name := func(i int, as string) string {
		_, rest, _ := strings.Cut(b.Queue.Jobs[i].String(), ": ")
		return fmt.Sprintf("job %s: %s", as, rest)
	}
	return name(0, "a"), name(1, "b"), len(b.Queue.Jobs) - 2
}
