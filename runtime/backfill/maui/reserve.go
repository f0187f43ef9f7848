package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// reserve keeps resources for a job from the earliest time on at which it can begin, at a time or later; false if
// there is none. A reservation that it has is replaced; while the time is looked for it is still there.
func (p *Planner) reserve(job int32, kind Kind, from int64) bool {
	j := &p.jobs[job]
	at, partition, nodes, ok := p.earliest(j, from)
	if !ok {
		return false
	}
	p.release(job)
	p.hold(Reservation{Job: job, Start: at, End: profile.End(at, j.WalltimeSeconds), Partition: p.partitions[partition],
		Nodes: nodes, Kind: kind})
	return true
}

func (p *Planner) hold(r Reservation) {
	for _, share := range r.Nodes {
		p.take(&p.nodes[share.Node], r.Job, r.Start, max(r.End, r.Start+1), share.Tasks)
	}
	p.license(r.Job, r.Start, max(r.End, r.Start+1), 1)
	p.reserved[r.Job] = &r
}

// release takes a job's reservation back.
func (p *Planner) release(job int32) {
	r := p.reserved[job]
	if r == nil {
		return
	}
	for _, share := range r.Nodes {
		p.leave(&p.nodes[share.Node], job, r.Start)
	}
	p.license(job, r.Start, max(r.End, r.Start+1), -1)
	delete(p.reserved, job)
}

// defer takes out of the lists a job for which no time can be found (NoResources).
func (p *Planner) deferJob(job int32) {
	p.deferred[job] = true
	p.plan.Deferred = append(p.plan.Deferred, job)
	p.queue.Defer(job, p.putOff[job])
}

// blocked tries to keep resources for a job that cannot start now; counts are those of the buckets in this round.
// Without reservations at all it is only tried whether there could be one, since a job for which there is no time is
// deferred all the same (recorded: b01-none).
func (p *Planner) blocked(job int32, counts []int64) bool {
	if p.reserved[job] != nil {
		return false // it has one (recorded: n04)
	}
	j := &p.jobs[job]
	if p.policy("") == "PREEMPT" || j.NoReservation {
		return false
	}
	none := p.unreserved()
	if !none && !p.overThreshold(j) {
		return false
	}
	k := p.bucket(j.QOS)
	if k < 0 || counts[k] >= p.settings.Buckets[k].Depth {
		return false
	}
	if none {
		if !p.possible(j) {
			p.deferJob(job)
		}
		return false
	}
	if !p.reserve(job, ByPriority, p.now) {
		p.deferJob(job)
		return false
	}
	counts[k]++
	return true
}

// unreserved reports a policy without any reservations for jobs of high priority.
func (p *Planner) unreserved() bool {
	return p.policy("") == "NONE" || p.settings.Reservations == "NEVER"
}

// policy is the backfill policy of a partition; "" is the machine's, whose algorithm all partitions use. A partition
// without one of its own has FIRSTFIT.
func (p *Planner) policy(partition string) string {
	if policy := p.settings.Backfill[partition]; policy != "" {
		return policy
	}
	return "FIRSTFIT"
}

// bucket is the first reservation bucket with any depth that serves a QOS; -1 if none does. A full one does not hand
// on.
func (p *Planner) bucket(qos string) int {
	k, known := p.bucketOf[qos]
	if known {
		return k
	}
	k = -1
	for i, b := range p.settings.Buckets {
		if b.Depth > 0 && (slices.Contains(b.QOS, "[ALL]") || slices.Contains(b.QOS, "ALL") || qos != "" &&
			slices.Contains(b.QOS, qos) || qos == "" && slices.Contains(b.QOS, "DEFAULT")) {
			k = i
			break
		}
	}
	p.bucketOf[qos] = k
	return k
}

// overThreshold: a job reserves only once it has waited for more than the threshold, in the threshold's unit.
func (p *Planner) overThreshold(j *Job) bool {
	limit := p.settings.ThresholdValue
	switch p.settings.Threshold {
	case "BYPASS":
		return j.Bypassed > limit
	case "QUEUETIME":
		return j.QueueSeconds > limit
	case "XFACTOR":
		if j.WalltimeSeconds <= 0 {
			return true
		}
		return (j.QueueSeconds+j.WalltimeSeconds)/j.WalltimeSeconds > limit
	}
	return true
}

// keep takes over the reservations of the iteration before, under the policy that keeps them, and what is kept of the
// jobs that ended.
func (p *Planner) keep(in Input) {
	if in.Kept != nil {
		p.chunk = in.Kept.ChunkUntil
		if p.settings.Reservations == "HIGHEST" {
			for _, r := range in.Kept.Reservations {
				if !p.runs[r.Job] {
					p.hold(r)
				}
			}
		}
	}
	if in.Ended && p.settings.ChunkProcs > 0 && p.settings.ChunkSeconds > 0 {
		p.chunk = p.now + p.settings.ChunkSeconds
	}
	if p.chunk <= p.now {
		p.chunk = 0
	}
	p.plan.ChunkUntil = p.chunk
}

// due starts the jobs whose reservations begin now. Jobs of a QOS that always reserves and jobs with a deadline get
// theirs first (recorded: b07, b08); kept ones slide to an earlier time if there is one. One that cannot be started
// moves on by a second (maui.md §9 P30), but that of a job which failed already as it was made is given up (rules.md
// P56).
func (p *Planner) due(list []int32) {
	for _, job := range list {
		j := &p.jobs[job]
		if !p.waits(job) {
			continue
		}
		failed := false
		switch r := p.reserved[job]; {
		case r != nil:
			failed = r.Failed
			p.slide(job)
		case p.settings.Reservations == "NEVER" && !j.ReserveAlways && j.Deadline == 0:
			continue
		case j.ReserveAlways:
			if !p.reserve(job, ByQOS, p.now) {
				p.deferJob(job)
				continue
			}
		case j.Deadline > 0:
			if !p.reserve(job, ByDeadline, p.now) {
				p.deferJob(job)
				continue
			}
		default:
			continue
		}
		r := p.reserved[job]
		if r == nil || r.Start > p.now {
			continue
		}
		if p.queue.Over(job, false) {
			p.release(job)
			p.deferJob(job) // maui.md §9 P27, rules.md P46
			continue
		}
		switch {
		case p.try(job, p.nodes[r.Nodes[0].Node].partition, nil, backfill.ByMain):
		case failed:
			p.release(job)
			p.deferJob(job)
		default:
			p.reserve(job, r.Kind, p.now+1)
		}
	}
}

// slide moves a reservation to the earliest time there is, which may be a later one (recorded: b04-respolicy-highest).
func (p *Planner) slide(job int32) {
	p.reserve(job, p.reserved[job].Kind, p.now)
}

// try starts a job that limits let start, on some nodes, if there is room for it; within marks them, nil is all. Of a
// job with a reservation the nodes of that come first (recorded: b08, n11), which it keeps if it does not start.
func (p *Planner) try(job, partition int32, within []bool, by backfill.By) bool {
	kept := p.reserved[job]
	if kept != nil {
		p.ownUntil = kept.End
		for _, share := range kept.Nodes {
			p.own[share.Node] = job + 1
		}
		p.release(job)
	}
	nodes := p.place(&p.jobs[job], partition, p.now, within, false)
	if kept != nil {
		for _, share := range kept.Nodes {
			p.own[share.Node] = 0
		}
	}
	switch {
	case nodes != nil:
		p.start(job, by, nodes)
	case kept != nil:
		p.hold(*kept)
	}
	return nodes != nil
}
