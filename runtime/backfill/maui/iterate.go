package maui

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Iterate does one iteration after the walks through the queue (MSchedProcessJobs): it says who starts, in which
// order and where.
func (p *Planner) Iterate(q Queue) []Start {
	p.queue = q
	hard, _ := q.Select(true)
	p.due(hard)
	var over []int32
	for round := range 2 {
		for k := range p.partitions {
			may, not := q.Select(false)
			over = append(over, not...)
			p.lose(p.of(over, int32(k), round == 0)) // a partition asks about its own jobs (rules.md P63)
			p.round(p.of(may, int32(k), round == 0), int32(k))
		}
	}
	if p.settings.SoftFirst {
		p.backfill(hard, false)
	}
	p.backfill(hard, true)
	return p.plan.Starts
}

// Finish ends the iteration: jobs of the hard walk that may not start after it lose their reservations (recorded:
// big02).
func (p *Planner) Finish(not []int32) *Plan {
	p.lose(not)
	for _, r := range p.reserved {
		r.Failed = r.Start <= p.now
		p.plan.Reservations = append(p.plan.Reservations, *r)
	}
	slices.SortStableFunc(p.plan.Reservations, func(a, b Reservation) int { return cmp.Compare(a.Job, b.Job) })
	return p.plan
}

// lose releases the reservations of jobs. One that is in the soft list alone keeps its own when the hard list is gone
// through (recorded: random R118).
func (p *Planner) lose(list []int32) {
	for _, job := range list {
		p.release(job)
	}
}

// of are the jobs of a list that may run in a partition and are no larger than it (rules.md P39); in the first round
// those whose default it is.
func (p *Planner) of(list []int32, partition int32, defaults bool) []int32 {
	if len(p.partitions) == 1 {
		return list
	}
	out := make([]int32, 0, len(list))
	for _, job := range list {
		j := &p.jobs[job]
		if p.waits(job) && p.allowed(j, partition) && p.procs(j) <= p.size[partition] &&
			(!defaults || p.defaultOf(j) == p.partitions[partition]) {
			out = append(out, job)
		}
	}
	return out
}

// defaultOf is the partition that the first round looks at for a job: that of the first of its credentials which has
// one, else the machine's. Where none has any it is DEFAULT, where no node need be (observed in recordings: N018,
// N053, N120).
func (p *Planner) defaultOf(j *Job) string {
	for _, of := range [...]struct{ family, name string }{{"USERCFG", j.User}, {"GROUPCFG", j.Group},
		{"ACCOUNTCFG", j.Account}, {"CLASSCFG", j.Class}, {"QOSCFG", j.QOS}, {"SYSCFG", ""}} {
		for _, name := range [...]string{of.name, "DEFAULT"} {
			if partition := p.settings.DefaultPartitions[of.family+"["+name+"]"]; partition != "" &&
				(name != "DEFAULT" || of.family != "CLASSCFG") {
				return partition
			}
		}
	}
	return "DEFAULT"
}

// round goes through the queue in the order of priority (MQueueScheduleIJobs). Jobs start until one neither can nor
// gets a reservation; those after it only try for reservations of their own, and start if these begin now (recorded:
// n11). A reservation of the first round that begins now in this partition, though the job cannot, counts in the
// second for none, and the job for one that gets no reservation (maui.md §9 P18; recorded: n04 for another
// partition).
func (p *Planner) round(list []int32, partition int32) {
	counts := make([]int64, len(p.settings.Buckets))
	idle := false
	for _, job := range list {
		if !p.waits(job) {
			continue
		}
		j := &p.jobs[job]
		if r := p.reserved[job]; r != nil && (r.Start > p.now || r.Partition != p.partitions[partition]) {
			if k := p.bucket(j.QOS); k >= 0 {
				counts[k]++
			}
			continue
		}
		if !idle {
			p.putOff[job] = false
			if !p.queue.Over(job, false) {
				if p.try(job, partition, nil, backfill.ByMain) {
					continue
				}
				p.putOff[job] = p.unserved // rules.md P70
			}
			passed := p.putOff[job] && !p.unreserved() // it does not end ordinary starts (rules.md P47)
			idle = !p.blocked(job, counts) && !passed
		} else if p.queue.Over(job, false) || !p.blocked(job, counts) {
			continue
		}
		if r := p.reserved[job]; r != nil && r.Start <= p.now && !p.queue.Over(job, false) {
			p.try(job, partition, nil, backfill.ByMain)
		}
	}
}
