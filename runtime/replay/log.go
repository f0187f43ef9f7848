package replay

import (
	"fmt"
	"reflect"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// A replay that was interrupted goes on from a log of what it has decided. All else follows from that and from the
// inputs: up to the last look at the queue that decided anything, jobs come, start and end by the same code, and no
// queue is evaluated or planned. That last look is made anew, from what the evaluation before it had left, and has to
// come out the same; from then on nothing is known.

// Log is what a replay has decided.
type Log struct {
	Nodes []string // the machine, as Result has it
	Procs int64
	Looks []Look

	From int                    // the look that is made anew
	Left *checkpoint.Checkpoint // what it begins with
}

// Look is a look at the queue.
type Look struct {
	At    int64 // epoch seconds
	Keeps bool  // after it, jobs keep their order while time alone passes; see steady
	Did   *Did  // nil if nothing

	// Finds: it reported what no look before it had. It is evaluated anew, so that this is reported again, beginning
	// with Left.
	Finds bool
	Left  *checkpoint.Checkpoint
}

// Did is what a look decided, in its order.
type Did struct {
	Starts  []Start
	Stops   []Stop
	Removed []string // jobs that can never run
}

// Start is that of a job.
type Start struct {
	Job   string
	By    backfill.By
	Nodes []backfill.Share // of Log.Nodes
	Names *Names           // nil if they are those of the workload
}

// Names are the credentials by which a job runs.
type Names struct{ User, Group, Account, QOS, Partition string }

// Stop is the end of a running job for another one, or a warning of it.
type Stop struct {
	Job, Mode string // see backfill.Victim
	At, Back  int64
}

// MisfitError is a log of another replay.
type MisfitError struct{ Problem string }

func (e *MisfitError) Error() string { return "the checkpoint is not of this replay: " + e.Problem }

// resume begins with what an earlier run has decided.
func (r *run) resume() {
	past := r.options.Resume
	if past == nil {
		return
	}
	r.out.Nodes, r.out.Procs = past.Nodes, past.Procs
	if past.Nodes == nil {
		return
	}
	if r.log != nil {
		*r.log = *past
		r.log.Looks = past.Looks[:past.From:past.From]
	}
}

// past is the look that is made now as the log has it; nil from where that is to be made anew.
func (r *run) past() (*Look, error) {
	log := r.options.Resume
	if log == nil || r.looks >= log.From {
		return nil, nil
	}
	look := &log.Looks[r.looks]
	r.looks++
	if now := r.state.Snapshot().Now; now != look.At {
		return nil, &MisfitError{fmt.Sprintf("it looks at the queue at %d, and this one at %d", look.At, now)}
	}
	if look.Finds {
		if _, err := r.from(look.Left); err != nil {
			return nil, err
		}
	}
	return look, nil
}

// did is what a look has decided.
func (l *Look) did() *Did {
	if l == nil || l.Did == nil {
		return &Did{}
	}
	return l.Did
}

// from looks at the queue, beginning with what an evaluation has left.
func (r *run) from(left *checkpoint.Checkpoint) (*evaluation.Result, error) {
	o := r.state.Options()
	o.Previous = left
	r.state.Choose(o)
	return r.evaluate()
}

// look looks at the queue, and notes it.
func (r *run) look() (result *evaluation.Result, err error) {
	left, found := r.state.Options().Previous, len(r.out.Findings)
	if past := r.options.Resume; past != nil && r.looks == past.From {
		left = past.Left
		result, err = r.from(left)
	} else {
		result, err = r.evaluate()
	}
	if err != nil || r.log == nil {
		r.looks++
		return result, err
	}
	r.looks++
	look := Look{At: r.state.Snapshot().Now, Finds: len(r.out.Findings) > found}
	if look.Finds {
		look.Left = left
	}
	if len(r.log.Looks) == 0 {
		r.log.Left = left
	}
	r.left, r.log.Looks = left, append(r.log.Looks, look)
	return result, nil
}

// count looks at the queue so that what jobs have used is counted: nothing is decided.
func (r *run) count() error {
	past, err := r.past()
	switch {
	case err != nil:
		return err
	case past != nil && past.Did != nil:
		return &MisfitError{fmt.Sprintf("at %d jobs start in it, and none can here", past.At)}
	case past == nil:
		_, err = r.look()
	}
	return err
}

// decided notes what the last look came to.
func (r *run) decided(did *Did) error {
	n := r.looks - 1
	if past := r.options.Resume; past != nil && n == past.From && n < len(past.Looks) {
		if !reflect.DeepEqual(did, past.Looks[n].did()) {
			return &MisfitError{fmt.Sprintf("the look at the queue at %d does not come out as it did", past.Looks[n].At)}
		}
	}
	if r.log == nil {
		return nil
	}
	r.log.Nodes, r.log.Procs = r.out.Nodes, r.out.Procs
	r.log.From, r.log.Left = n, r.left
	if len(did.Starts)+len(did.Stops)+len(did.Removed) > 0 {
		r.log.Looks[n].Did = did
	}
	return nil
}

// undone takes out a look that came to nothing, as it was interrupted.
func (r *run) undone(err error) error {
	if r.log != nil && len(r.log.Looks) > 0 {
		r.log.Looks = r.log.Looks[:len(r.log.Looks)-1]
	}
	return err
}

// keepsOrder reports whether jobs keep their order after the last look.
func (r *run) keepsOrder(s *steady) bool {
	keeps, n := false, r.looks-1
	switch {
	case len(r.waiting) == 0 || !s.possible:
		*s = steady{possible: s.possible}
	case r.result != nil:
		keeps = s.keeps(r.result)
	}
	if past := r.options.Resume; past != nil && n <= past.From && n < len(past.Looks) {
		keeps = past.Looks[n].Keeps
	}
	if r.log != nil && n < len(r.log.Looks) {
		r.log.Looks[n].Keeps = keeps
	}
	return keeps
}

// starts are the jobs that a plan starts now, in its order. The place of a job's names is that of its request.
func (r *run) starts(result *evaluation.Result, s *backfill.Schedule, job func(*backfill.Request) int) []Start {
	at := make(map[int32]int, len(s.Requests))
	for i := range s.Requests {
		at[s.Requests[i].Job] = i
	}
	var list []Start
	for _, row := range s.Started {
		request, placement := &s.Requests[at[row]], &s.Placements[at[row]]
		o := r.out.Outcomes[job(request)]
		was, named := *o.Job, *o.Job
		named.takeNames(result.Jobs, int(request.Row))
		start := Start{Job: o.ID, By: placement.By, Nodes: placement.Nodes}
		if named != was {
			start.Names = &Names{named.User, named.Group, named.Account, named.QOS, named.Partition}
		}
		list = append(list, start)
	}
	return list
}

// take gives a job the names of its start.
func (o *Outcome) take(n *Names) {
	if n != nil {
		o.User, o.Group, o.Account, o.QOS, o.Partition = n.User, n.Group, n.Account, n.QOS, n.Partition
	}
}

// carryOut starts what a look has decided to start now.
func (r *run) carryOut(did *Did, now int64) error {
	for i := range did.Starts {
		s := &did.Starts[i]
		job, waits := r.waiting[s.Job]
		if !waits {
			return &MisfitError{"job " + s.Job + " starts in it, and does not wait here"}
		}
		o := &r.out.Outcomes[job]
		o.take(s.Names)
		if err := r.start(job, now, now+o.Seconds, s.By, s.Nodes, r.hosts(s.Nodes)); err != nil {
			return err
		}
	}
	return nil
}

// hosts are the nodes of a job, one for each of its tasks.
func (r *run) hosts(nodes []backfill.Share) (list []string) {
	for _, share := range nodes {
		for range share.Tasks {
			list = append(list, r.out.Nodes[share.Node])
		}
	}
	return list
}
