package slurm

import (
	"cmp"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// The main pass walks the queue once and starts what fits now (_schedule in slurmctld/job_scheduler.c). The first job
// of a partition for which nodes do not suffice holds the whole partition up: its nodes are taken away for the rest of
// the pass, also from partitions that share them, so that lower jobs cannot delay it.

// mainPass is the state of one.
type mainPass struct {
	p      *planner
	may    set    // nodes that are not withdrawn
	failed []bool // partitions that are held up
	resv   map[string]bool
	tested []int64 // jobs by partition
	depth  int64   // jobs in all
}

// mainPass makes one, and another one each time that it has ended jobs for others: their ends set it off.
func (p *planner) mainPass() error {
	p.now = p.in.Now
	for {
		stops := p.stops
		if err := p.onePass(); err != nil || p.stops == stops {
			return err
		}
		clear(p.completing)
	}
}

// soon is within how many seconds of a cycle a pass counts as the one that follows it.
const soon = 5

// passFollows reports that squeue shows what a main pass says after the cycle, and not what the cycle left: passes come
// soon after it and more than once before the next (recorded: partition-multi-reasons, loopback-partitions; with cycles
// as frequent as passes, and with passes every 10 s, what the cycle left).
func (p *planner) passFollows() bool {
	s := p.in.Settings
	return s.Main && s.FullPassSeconds > 0 && s.FullPassSeconds <= soon && 2*s.FullPassSeconds <= s.CycleSeconds
}

// passAfter makes the pass that follows a cycle, for what it says of the jobs that wait: it starts and ends none.
func (p *planner) passAfter() error {
	stopped := p.stopped
	p.says = true
	err := p.onePass()
	p.says, p.stopped = false, stopped
	return err
}

func (p *planner) onePass() error {
	p.newPass()
	m := &mainPass{p: p, may: p.up.clone(), failed: make([]bool, len(p.partitions)), resv: map[string]bool{},
		tested: make([]int64, len(p.partitions))}
	for k, entry := range p.queue {
		if err := p.reached("main pass", k, len(p.queue)); err != nil {
			return err
		}
		if !m.entry(entry) {
			break
		}
	}
	p.rejected = rejection{}
	return nil
}

// entry tries one entry, an array task by task; false ends the pass.
func (m *mainPass) entry(entry int32) bool {
	p := m.p
	e := &p.in.Entries[entry]
	j, r := &p.jobs[e.Request], &p.in.Waiting[e.Request]
	if p.reservesTooFew(e, r) {
		if p.in.Reasons != nil {
			j.reason = cmp.Or(j.reason, p.in.Reasons[e.Request])
		}
		return true
	}
	for j.tasks > 0 && !j.preempts {
		if p.in.Settings.MainStarts > 0 && int64(len(p.started)) >= p.in.Settings.MainStarts {
			p.stopped = "sched_max_job_start"
			return false
		}
		if p.rejects(e, j, r) {
			return true
		}
		if !m.counts(e) {
			m.leave(e, j)
			return true
		}
		if m.depth++; p.in.MainDepth > 0 && m.depth > p.in.MainDepth+1 {
			p.stopped = "default_queue_depth"
			return false
		}
		if ok, goesOn := m.try(entry); !ok {
			return goesOn
		}
		p.rejected = rejection{}
	}
	return true
}

// reservesTooFew reports a job of a reservation that has fewer nodes of its partition than the job wants: a main pass
// leaves it alone (_job_runnable_test3; recorded: loopback-reserves-few, job 12).
func (p *planner) reservesTooFew(e *Entry, r *backfill.Request) bool {
	if r.Reservation == "" {
		return false
	}
	own := p.in.Cluster.Current(r.Reservation, p.now)
	return own >= 0 && len(p.in.Cluster.Reservations[own].Nodes) > 0 &&
		int64(p.reservedNodes(int(own)).common(p.partitions[e.Partition])) < max(1, r.Nodes)
}

// counts keeps partition_job_depth.
func (m *mainPass) counts(e *Entry) bool {
	depth := m.p.in.Settings.PartitionDepth
	m.tested[e.Partition]++
	return depth == 0 || m.tested[e.Partition] <= depth
}

// leave is for a job after that depth: it keeps the reason that it has, be it of its submission.
func (m *mainPass) leave(e *Entry, j *job) {
	if reasons := m.p.in.Reasons; j.reason == "" && reasons != nil && reasons[e.Request] == Resources {
		j.reason = Resources
	}
	j.reason = cmp.Or(j.reason, Priority)
}

// try starts the entry, or says whether the pass goes on.
func (m *mainPass) try(entry int32) (started, goesOn bool) {
	p := m.p
	e := &p.in.Entries[entry]
	j, r := &p.jobs[e.Request], &p.in.Waiting[e.Request]
	switch {
	case r.Het != 0:
		m.passHet(e, j)
		return false, true
	case r.Reservation != "" && m.resv[r.Reservation]:
		j.reason = Priority
		return false, true
	case r.Reservation == "" && m.failed[e.Partition]:
		if j.reason == "" || j.reason == Resources || j.reason == Withdrawn {
			j.reason = Priority
		}
		return false, true
	case p.expired(e, j):
		return false, true
	}
	part := p.scratch(&p.avail)
	copy(part, m.may)
	part.and(p.partitions[e.Partition])
	if int64(part.count()) < max(1, r.Nodes) {
		j.reason = Withdrawn
		m.fail(e)
		return false, true
	}
	limit := p.mainLimit(e)
	if len(r.Licenses) > 0 && !p.licenses.suffice(r, p.freeLicenses(r, p.now, limit)) {
		j.reason = Licenses
		if p.in.Settings.Licenses {
			p.stopped = "bf_licenses"
		}
		return false, !p.in.Settings.Licenses
	}
	if e.Denied != "" { // asked where nodes are left (recorded: partition-multi-reasons, jobs 10 and 11)
		j.reason = e.Denied
		return false, true
	}
	nodes, result := p.selectNow(entry, limit, m.may)
	if result == starts && p.says {
		return false, true
	}
	if result == starts {
		by := startOf(backfill.ByMain, p.now+limit)
		p.begin(entry, nodes, by)
		return true, true
	}
	m.withdraw(e, p.wantOf(entry), r, result)
	return false, true
}

// withdraw takes away the nodes that a job waits for, so that lower ones do not get them.
func (m *mainPass) withdraw(e *Entry, w *want, r *backfill.Request, result answer) {
	p := m.p
	hold := result == busy || result == overLimits && p.in.Settings.LimitStop
	if result == notNow && r.Reservation != "" {
		if own := p.in.Cluster.Current(r.Reservation, p.now); own >= 0 {
			m.may.without(p.reservedNodes(int(own)))
		}
	}
	if w.required != nil && int64(w.required.count()) >= max(1, r.Nodes) {
		m.may.without(w.required) // only what it insists on
		return
	}
	if !hold {
		return
	}
	if r.Reservation != "" {
		m.resv[r.Reservation] = true
		return
	}
	if p.tooYoung(r) || p.tooLow(e) {
		return
	}
	m.fail(e)
}

func (m *mainPass) fail(e *Entry) {
	if !m.failed[e.Partition] {
		m.failed[e.Partition] = true
		m.may.without(m.p.partitions[e.Partition])
	}
}

// tooYoung: a job that has not waited for bf_min_age_reserve holds nothing back from others.
func (p *planner) tooYoung(r *backfill.Request) bool {
	return p.in.Settings.MinAgeSeconds > 0 && p.now-max(r.Begin, r.SubmitTime) < p.in.Settings.MinAgeSeconds
}

// tooLow: neither does one whose priority is below the threshold.
func (p *planner) tooLow(e *Entry) bool {
	threshold := e.Threshold
	if threshold == 0 {
		threshold = p.in.Settings.MinPriority
	}
	return threshold > 0 && e.Priority < threshold
}

// expired: a job that can no longer end before its deadline is cancelled (deadline_ok).
func (p *planner) expired(e *Entry, j *job) bool {
	r := &p.in.Waiting[e.Request]
	if r.Deadline == 0 {
		return false
	}
	least := r.WalltimeSeconds
	if r.WalltimeMinSeconds > 0 {
		least = r.WalltimeMinSeconds
	}
	if least == 0 || p.now+least <= r.Deadline {
		return false
	}
	j.reason, j.never = "DeadLine", "it cannot end before its deadline"
	return true
}

// newPass lets jobs preempt anew (build_job_queue).
func (p *planner) newPass() {
	for k := range p.jobs {
		p.jobs[k].preempts = false
	}
}

func startOf(by backfill.By, end int64) started { return started{by: by, holding: &holding{end: end}} }
