package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Where several jobs may have a processor at a time, each partition has rows of jobs that do not meet
// (OverSubscribe=FORCE:n, YES:n), and with gang scheduling jobs of a low partition are suspended where those of a
// higher one run. A job is tried on what is left of the nodes in steps (_job_test of select/cons_tres; recorded:
// oversubscribe-force2, oversubscribe-yes2, preempt-part-suspend).

// rows knows which processors jobs have; nil where no two jobs meet.
type rows struct {
	gang   bool
	first  []int32 // by node: the number of its first processor
	all    int
	layout map[int32]lanes // by partition: which job is in which row; see lanes.go
}

// newRows is nil where no partition has several rows and none is suspended for another.
func (p *planner) newRows() *rows {
	r := &rows{gang: p.in.Settings.PreemptMode == "suspend" && p.in.Preempt != nil && !p.in.Preempt.ByQOS,
		layout: map[int32]lanes{}}
	needed := r.gang
	for k := range p.in.Cluster.Partitions {
		needed = needed || p.in.Cluster.Partitions[k].Rows > 1
	}
	if !needed || p.in.Settings.Linear {
		return nil
	}
	for i := range p.nodes {
		r.first = append(r.first, int32(r.all))
		r.all += int(p.nodes[i].Capacity.Procs)
	}
	return r
}

// partitionOf is the partition in which a job runs; -1 if it is not known.
func (p *planner) partitionOf(h *holding) int32 {
	if h.entry >= 0 {
		return p.in.Entries[h.entry].Partition
	}
	class := p.requestOf(h).Class
	return int32(slices.IndexFunc(p.in.Cluster.Partitions, func(q backfill.Partition) bool { return q.Name == class }))
}

// occupy notes which processors a running job has, those that are listed, else the first that are free in its row; and
// which row that is.
func (p *planner) occupy(h *holding) {
	if p.rows == nil || h.cpus != nil {
		return
	}
	defer p.enterLane(h)
	h.part, h.cpus = p.partitionOf(h), newSet(p.rows.all)
	h.shared = h.part >= 0 && shares(&p.in.Cluster.Partitions[h.part], p.requestOf(h))
	listed := map[int32][]int32{}
	if h.entry < 0 {
		r := p.requestOf(h)
		for k := range r.CPUs {
			listed[r.Allocated[k].Node] = r.CPUs[k]
		}
	}
	for _, s := range h.shares {
		procs := int32(p.nodes[s.node].Capacity.Procs)
		left := int32(min(s.procs, int64(procs)))
		for _, id := range listed[s.node] {
			if id < procs && left > 0 {
				h.cpus.add(p.rows.first[s.node] + id)
				left--
			}
		}
		for _, blocked := range []set{p.blocked, nil} {
			for id := int32(0); id < procs && left > 0; id++ {
				at := p.rows.first[s.node] + id
				if !h.cpus.has(at) && (blocked == nil || !blocked.has(at)) {
					h.cpus.add(at)
					left--
				}
			}
		}
	}
}

// shares reports a job that has its processors with others: in a partition of FORCE every one, in one of YES those
// that ask for it.
func shares(part *backfill.Partition, r *backfill.Request) bool {
	return part.Forced || part.Rows > 1 && r.Oversubscribes && r.Sharing != backfill.SingleJob
}

// apart are the nodes that a job cannot have whatever is free there: where jobs do not share those that do not come,
// nor those that do not share from another partition where jobs do (_verify_node_state; recorded: oversubscribe-yes2).
func (p *planner) apart(w *want, u *usage) set {
	s := newSet(len(p.nodes))
	for _, h := range u.held {
		if w.shares && !h.shared || !w.shares && h.part != w.partition && h.part >= 0 &&
			p.in.Cluster.Partitions[h.part].Rows > 1 {
			s.or(h.nodes)
		}
	}
	return s
}

// seen is what a job sees of the nodes where some processors are not for it.
func (p *planner) seen(u *usage, blocked set) *usage {
	v := *u
	v.procs, v.closed, v.idle = make([]int64, len(p.nodes)), newSet(len(p.nodes)), newSet(len(p.nodes))
	for i := range p.nodes {
		v.procs[i] = blocked.countRange(p.rows.first[i], p.rows.first[i]+int32(p.nodes[i].Capacity.Procs))
		if v.procs[i] == 0 {
			v.idle.add(int32(i))
		}
	}
	return &v
}

// taken are the processors of jobs in some partitions.
func (p *planner) taken(u *usage, of func(partition int32) bool) set {
	s := newSet(p.rows.all)
	for _, h := range u.held {
		if !of(h.part) {
			continue
		}
		for _, on := range h.shares {
			s.orRange(h.cpus, p.rows.first[on.node], p.rows.first[on.node]+int32(p.nodes[on.node].Capacity.Procs))
		}
	}
	return s
}

// chooseInRows tries the steps one after the other.
func (p *planner) chooseInRows(w *want, u *usage, avail, required set) []share {
	parts := p.in.Cluster.Partitions
	own := &parts[w.partition]
	avail = avail.clone()
	avail.without(p.apart(w, u))
	on := func(blocked set) []share {
		found := p.chooseOn(w, p.seen(u, blocked), avail.clone(), required)
		if found != nil {
			p.blocked = blocked
		}
		return found
	}
	tier := func(k int32) int64 {
		if k < 0 {
			return own.PriorityTier
		}
		return parts[k].PriorityTier
	}
	if found := on(p.taken(u, func(int32) bool { return true })); found != nil || !w.shares && !p.rows.gang {
		return found
	}
	higher := p.taken(u, func(k int32) bool {
		return tier(k) > own.PriorityTier || p.rows.gang && k >= 0 && parts[k].Kept && k != w.partition
	})
	same := higher.clone()
	same.or(p.taken(u, func(k int32) bool { return tier(k) == own.PriorityTier }))
	if found := on(same); found != nil {
		return p.avoidingLower(found, same, tier, own, u, on)
	}
	if !w.shares {
		return nil
	}
	lanes := p.lanesOf(u, w.partition)
	for _, l := range lanes {
		blocked := higher.clone()
		blocked.or(l.cpus)
		if found := on(blocked); found != nil {
			return found
		}
	}
	if int64(len(lanes)) < own.Rows {
		return on(higher)
	}
	return nil
}

// avoidingLower leaves out what jobs of lower partitions have, one partition after the other, as long as the job fits.
func (p *planner) avoidingLower(found []share, blocked set, tier func(int32) int64, own *backfill.Partition, u *usage,
	on func(set) []share) []share {
	found = slices.Clone(found)
	var lower []int32
	for k := range p.in.Cluster.Partitions {
		if tier(int32(k)) < own.PriorityTier {
			lower = append(lower, int32(k))
		}
	}
	slices.SortStableFunc(lower, func(a, b int32) int { return cmp.Compare(tier(b), tier(a)) })
	for _, k := range lower {
		more := blocked.clone()
		more.or(p.taken(u, func(of int32) bool { return of == k }))
		better := on(more)
		if better == nil {
			p.blocked = blocked
			break
		}
		found, blocked = slices.Clone(better), more
	}
	return found
}

// suspend notes whose processors a job has got: with gang scheduling these are suspended for it.
func (p *planner) suspend(e *Entry, h *holding) {
	if p.rows == nil || !p.rows.gang {
		return
	}
	tier := p.in.Cluster.Partitions[e.Partition].PriorityTier
	for _, o := range p.running {
		if o != h && o.part >= 0 && p.in.Cluster.Partitions[o.part].PriorityTier < tier && o.cpus.meets(h.cpus) {
			p.noteVictim(e, o)
		}
	}
}
