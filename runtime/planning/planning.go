package planning

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// NewQueue makes cluster and requests.
func NewQueue(r *evaluation.Result, o Options) (*Queue, error) {
	q := &Queue{Result: r, pooled: o.Procs > 0}
	if err := q.Machine(o); err != nil {
		return nil, err
	}
	q.Reservations(o)
	q.soon = q.startsSoon(o)
	q.read()
	return q, nil
}

// Unplanned adds the jobs that no planner was asked about. Where the schedule has one of them all the same, what
// it does not say is filled in.
func (q *Queue) Unplanned(s *backfill.Schedule) {
	at := make(map[int32]int, len(s.Requests))
	for i := range s.Requests {
		at[s.Requests[i].Job] = i
	}
	more := 0
	for k := range q.reasons {
		if _, there := at[q.reasons[k].Job]; !there {
			more++
		}
	}
	s.Requests, s.Placements = slices.Grow(s.Requests, more), slices.Grow(s.Placements, more)
	for k := range q.stopped {
		reason := &q.reasons[k]
		i, there := at[reason.Job]
		if !there {
			s.Requests, s.Placements = append(s.Requests, q.stopped[k]), append(s.Placements, *reason)
			if s.Told != nil {
				s.Told = append(s.Told, *reason)
			}
			continue
		}
		p := &s.Placements[i]
		if p.By != backfill.ByNone {
			continue
		}
		if p.Reason == "" {
			p.Reason = reason.Reason
		}
		if p.Never == "" {
			p.Never = reason.Never
		}
		if p.WaitsFor == nil {
			p.WaitsFor = reason.WaitsFor
		}
	}
	for i := range s.Placements {
		if row := s.Requests[i].Row; s.Placements[i].By == backfill.ByNone && int(row) < len(q.Result.Reason) {
			q.sayMore(&s.Placements[i], &s.Requests[i])
		}
	}
}

// sayMore fills in what the evaluation says of a job without a time.
func (q *Queue) sayMore(p *backfill.Placement, r *backfill.Request) {
	row := r.Row
	if p.Reason == "" {
		p.Reason = q.Result.Reason[row]
	}
	b := q.Result.Why[row]
	switch byWord := stoppedByWord(p, b); {
	case b == nil || p.Never != "":
	case b.SaysAll():
		if byWord {
			p.WaitsFor = nil // no limit
		}
	case len(p.WaitsFor) == 0 || byWord:
		p.WaitsFor = q.stopOfBlock(b, r)
		if b.Kind == evaluation.BlockDependency && len(r.After)+len(r.AfterStart) == 0 {
			q.After(r) // for those that ask when they are met
		}
	}
	if p.Never == "" {
		p.Never = tooLarge(q.Result, row)
	}
	if p.Reason == "" && p.Never == "" && len(p.WaitsFor) == 0 {
		p.Never = q.nowhere(int(row))
	}
}

// nowhere says of a job that it is submitted to no partition of the cluster, or "".
func (q *Queue) nowhere(job int) string {
	if !q.Queues || len(q.Cluster.Partitions) == 0 {
		return ""
	}
	names := q.partitionsOf(job)
	if len(names) == 0 {
		return "it names no partition, and nodes are in partitions"
	}
	for _, name := range names {
		if q.isPartition(name) {
			return ""
		}
	}
	return "no node is in partition " + strings.Join(names, " or ")
}

// stoppedByWord reports a job that a planner's gate stopped for what the evaluation says with more words: its
// partition, or a limit of the policy. A gate says a word alone, and planners take that for a limit's.
func stoppedByWord(p *backfill.Placement, b *evaluation.Block) bool {
	if b == nil || len(p.WaitsFor) != 1 || p.WaitsFor[0].Kind != backfill.WaitLimit || p.WaitsFor[0].Limit != "" {
		return false
	}
	more := b.Kind == evaluation.BlockPartition || b.Kind == evaluation.BlockAccess ||
		b.Kind == evaluation.BlockSubmission || b.Limit != nil || b.SaysAll()
	return more && p.WaitsFor[0].Name == b.Text
}
