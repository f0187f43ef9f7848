package mauiplan

import "slices"

// A Result is the machine after the iteration, to be asked like the clients ask.
type Result struct{ t *twin }

// Plan is what was decided.
func (r *Result) Plan() *Plan { return &r.t.plan }

// Run is one iteration of Maui (§4.4, §5.1).
func Run(m *Machine) *Result {
	t := &twin{Machine: m, started: map[*Job]string{}, deferred: map[*Job]bool{}, putOff: map[*Job]bool{}}
	for k := range m.Standing {
		s := &m.Standing[k]
		t.holds = append(t.holds, hold{start: s.Start, end: s.End, standing: s})
	}
	var waiting []*Job
	for k := range m.Jobs {
		j := &m.Jobs[k]
		if j.RunsOn != nil {
			t.ran = append(t.ran, j)
			t.holds = append(t.holds, hold{start: j.Started, end: j.Started + j.Seconds, job: j, on: j.RunsOn})
		} else if !slices.Contains(m.Deferred, j.ID) {
			waiting = append(waiting, j)
		}
	}
	waiting = byPriority(waiting)
	hard, soft := t.eligible(waiting, true), t.eligible(waiting, false)
	t.always(hard)
	for round := range 2 {
		for _, partition := range t.partitions() {
			t.priorityPass(soft, partition, round == 0)
		}
	}
	for _, partition := range t.partitions() {
		t.backfill(hard, partition)
	}
	for _, j := range hard {
		if t.started[j] == "" && !t.within(j, false) {
			t.release(j) // §4.4, step 8
		}
	}
	for _, h := range t.holds {
		if h.job != nil && h.job.RunsOn == nil && t.started[h.job] == "" {
			t.plan.Reservations = append(t.plan.Reservations, Reservation{h.job.ID, h.start, h.end, h.on})
		}
	}
	return &Result{t}
}

func (t *twin) partitions() []string {
	if len(t.Rules.Partitions) == 0 {
		return []string{"DEFAULT"}
	}
	return t.Rules.Partitions
}

// uses tells whether the job may run in the partition; in the first round only its default one counts (§4.4).
func (j *Job) uses(partition string, first bool) bool {
	if len(j.Partitions) == 0 {
		return partition == "DEFAULT"
	}
	if first {
		return j.DefaultPartition == partition
	}
	return slices.Contains(j.Partitions, partition)
}

// offered tells whether any node of the partition has the job's class (P20).
func (t *twin) offered(j *Job, partition string) bool {
	return j.Class == "" || slices.ContainsFunc(t.Nodes, func(n Node) bool {
		return n.Partition == partition && n.Slots[j.Class] > 0
	})
}

// reservation of the job, if it has one.
func (t *twin) reservation(j *Job) (hold, bool) {
	for _, h := range t.holds {
		if h.job == j && t.started[j] == "" {
			return h, true
		}
	}
	return hold{}, false
}

// release takes the job's reservation away.
func (t *twin) release(j *Job) {
	t.holds = slices.DeleteFunc(t.holds, func(h hold) bool { return h.job == j && t.started[j] == "" })
}

// start lets the job run from now.
func (t *twin) start(j *Job, pass string, on []Share) {
	t.release(j)
	t.started[j] = pass
	t.holds = append(t.holds, hold{start: 0, end: j.Seconds, job: j, on: on})
	t.plan.Starts = append(t.plan.Starts, Start{j.ID, pass, on})
}

// candidates are the jobs that a pass considers: not running, not set aside, of the partition, within their limits.
func (t *twin) candidates(list []*Job, partition string, first, hard bool) []*Job {
	var out []*Job
	for _, j := range list {
		if t.started[j] != "" || t.deferred[j] || !j.uses(partition, first) {
			continue
		}
		if !t.offered(j, partition) || t.size(j) > t.upProcs(partition) { // P20, P39
			continue
		}
		if !t.within(j, hard) {
			t.release(j)
			continue
		}
		out = append(out, j)
	}
	return out
}

// priorityPass is one round of one partition (§5.1, P18).
func (t *twin) priorityPass(soft []*Job, partition string, first bool) {
	counted := map[int]int64{}
	failed := false
	for _, j := range t.candidates(soft, partition, first, false) {
		// One that begins now counts where it is of another partition (P61).
		if h, ok := t.reservation(j); ok && (h.start > 0 || t.Nodes[h.on[0].Node].Partition != partition) {
			counted[t.bucket(j)]++
			continue
		}
		if !failed && t.within(j, false) {
			if on := t.now(j, partition, nil, t.Rules.Allocation[""], false); on != nil {
				t.start(j, "main", on)
				continue
			}
			_, t.putOff[j] = t.enough(j, t.offersNow(j, partition, nil), false)
		}
		if failed && !t.within(j, false) {
			continue
		}
		if !t.reserve(j, partition, counted) {
			// Where reservations are made, room that CPULOAD does not choose from ends nothing (P47, P52).
			failed = failed || t.noReservations() || !t.within(j, false) || !t.putOff[j]
			continue
		}
		if failed {
			if h, _ := t.reservation(j); h.start == 0 {
				if on := t.now(j, partition, nil, t.Rules.Allocation[""], false); on != nil {
					t.start(j, "main", on)
				}
			}
		}
	}
}

// always reserves the jobs of RESERVEALWAYS before the others, and starts those whose time is now (§5.1).
func (t *twin) always(hard []*Job) {
	for _, j := range hard {
		if !slices.Contains(j.Flags, "RESERVEALWAYS") {
			continue
		}
		best, on, ok := t.anywhere(j, false)
		if !ok {
			t.defer_(j)
			continue
		}
		t.holds = append(t.holds, hold{start: best, end: best + j.Seconds, job: j, on: on})
		if best == 0 && !t.within(j, false) {
			t.defer_(j) // P27
			continue
		}
		if best > 0 {
			continue
		}
		partition := t.Nodes[on[0].Node].Partition
		if on := t.now(j, partition, nil, t.Rules.Allocation[""], false); on != nil {
			t.start(j, "reservation", on)
			continue
		}
		t.release(j)
		if at, on, ok := t.earliest(j, partition, 1, false); ok { // P65
			t.holds = append(t.holds, hold{start: at, end: at + j.Seconds, job: j, on: on})
		}
	}
}

// anywhere is the earliest time in the partition that has room for the job first; the first named of equals (P38). A
// job that was put off is sought from the next second on (P25); showstart does not mind (P43).
func (t *twin) anywhere(j *Job, client bool) (at int64, on []Share, ok bool) {
	best, soonest := "", Forever
	for _, partition := range t.partitions() {
		if !j.uses(partition, false) {
			continue
		}
		if at, _, found := t.earliest(j, partition, 0, true); found && at < soonest {
			best, soonest = partition, at
		}
	}
	if best == "" {
		return 0, nil, false
	}
	from := int64(0)
	if t.putOff[j] && !client {
		from = 1
	}
	return t.earliest(j, best, from, false)
}

// bucket of the job: the first with a depth above 0 that names its QOS; -1 without one.
func (t *twin) bucket(j *Job) int {
	for k, b := range t.Rules.Buckets {
		if b.Depth > 0 && (b.QOS == nil || slices.Contains(b.QOS, j.QOS)) {
			return k
		}
	}
	return -1
}

// noReservations tells that priority reservations are never made (§5.1).
func (t *twin) noReservations() bool {
	return t.Rules.Backfill == "NONE" || t.Rules.Reservations == "NEVER"
}

// reserve gives the job a reservation if its bucket has one left. A job that can never run is set aside.
func (t *twin) reserve(j *Job, partition string, counted map[int]int64) bool {
	if _, ok := t.reservation(j); ok {
		return false // P18
	}
	r := &t.Rules
	none := t.noReservations()
	k := t.bucket(j)
	if r.Backfill == "PREEMPT" || !none && (k < 0 || counted[k] >= r.Buckets[k].Depth || !t.overThreshold(j)) {
		return false
	}
	at, on, ok := t.anywhere(j, false)
	if !ok {
		t.defer_(j)
		return false
	}
	if none {
		return false
	}
	t.holds = append(t.holds, hold{start: at, end: at + j.Seconds, job: j, on: on})
	counted[k]++
	return true
}

// overThreshold tells whether the job exceeds RESERVATIONTHRESHOLDVALUE (§5.1).
func (t *twin) overThreshold(j *Job) bool {
	value := int64(0)
	switch t.Rules.Threshold {
	case "BYPASS":
		value = j.Bypassed
	case "QUEUETIME":
		value = -j.Submitted
	case "XFACTOR":
		value = (j.Seconds - j.Submitted) / max(1, j.Seconds)
	default:
		return true
	}
	return value > t.Rules.ThresholdValue
}
