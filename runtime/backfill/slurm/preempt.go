package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// A waiting job may have others ended to get their nodes (slurm_find_preemptable_jobs, _run_now and _will_run_test of
// select/cons_tres, _preempt_jobs). It does not start in the pass that ends them: it holds its partition up as one for
// which nodes do not suffice, and the pass that their ends set off starts it. The rules are those that 22.05 was seen
// to keep (reference: who can be preempted, order of candidates, which of them go, when, what becomes of them).

// Preemption says who may be ended so that others can start.
type Preemption struct {
	ByQOS bool                                // else by the tiers of partitions
	Row   func(r *backfill.Request) int32     // of a running job, as Entry.Row
	May   func(waiting, running int32) bool   // by rows
	Of    func(running int32) backfill.Victim // how it is preempted
}

// candidates are the running jobs that an entry's job may preempt, those first that are tried first: of low tiers or
// QOS, of few nodes, then in the order of the list of jobs; or, with preempt_youngest_first, by start times alone.
func (p *planner) candidates(e *Entry) []*holding {
	list := p.preemptable(e, "requeue", "cancel")
	if p.in.Settings.PreemptYoungest {
		slices.SortStableFunc(list, func(a, b *holding) int { return cmp.Compare(b.start, a.start) })
		return list
	}
	const most = 1<<16 - 1
	rank := func(h *holding) int64 {
		return min(most, h.victim.Rank)<<16 | min(most, int64(len(h.shares)))
	}
	slices.SortStableFunc(list, func(a, b *holding) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(p.requestOf(a).Job, p.requestOf(b).Job))
	})
	return list
}

// components are a running job, or all running components of its heterogeneous job: these are preempted together, and
// only if each of them may be.
func (p *planner) components(h *holding) []*holding {
	het := p.requestOf(h).Het
	if het == 0 {
		return []*holding{h}
	}
	var all []*holding
	for _, o := range p.running {
		if p.requestOf(o).Het == het {
			all = append(all, o)
		}
	}
	return all
}

// wholeJobs are jobs with all their components.
func (p *planner) wholeJobs(list []*holding) (all []*holding) {
	for _, h := range list {
		all = append(all, p.components(h)...)
	}
	return all
}

// preemptable are the running jobs that an entry's job may preempt now, if that is done in one of these ways.
func (p *planner) preemptable(e *Entry, modes ...string) (list []*holding) {
	if p.in.Preempt == nil {
		return nil
	}
	may := func(h *holding) bool {
		v := p.victimOf(h)
		return slices.Contains(modes, v.Mode) && h.start+v.ExemptSeconds <= p.now &&
			(p.in.Settings.ExemptPriority == 0 || p.requestOf(h).Priority < p.in.Settings.ExemptPriority) &&
			p.in.Preempt.May(e.Row, h.row)
	}
	for _, h := range p.running {
		if all := p.components(h); all[0] == h &&
			!slices.ContainsFunc(all, func(h *holding) bool { return !may(h) }) &&
			slices.ContainsFunc(all, func(h *holding) bool { return h.nodes.meets(p.partitions[e.Partition]) }) {
			list = append(list, h)
		}
	}
	return list
}

// foreseen are the running jobs that count as gone when a start is sought for an entry's job, and those that count as
// running for ever. By QOS, one that would be suspended is gone, though nothing suspends it when the job is to start,
// and one that cannot be preempted in any way is waited for in vain (_will_run_test; recorded:
// loopback-preempt-qos-suspend, loopback-preempt-within). By partition, neither is a candidate.
func (p *planner) foreseen(e *Entry) (gone, stay []*holding) {
	if p.in.Preempt == nil || !p.in.Preempt.ByQOS {
		return p.wholeJobs(p.candidates(e)), nil
	}
	return p.wholeJobs(p.preemptable(e, "requeue", "cancel", "suspend")), p.wholeJobs(p.preemptable(e, "off"))
}

// victimOf is how a running job is preempted, asked once.
func (p *planner) victimOf(h *holding) *backfill.Victim {
	if h.victim == nil {
		if h.entry >= 0 {
			h.row = p.in.Entries[h.entry].Row
		} else {
			h.row = p.in.Preempt.Row(p.requestOf(h))
		}
		v := p.in.Preempt.Of(h.row)
		h.victim = &v
	}
	return h.victim
}

// makeRoom finds nodes for an entry by taking candidates away one by one, until it fits; nil if it never does. The
// candidate with which it did, and those that hold many of the nodes, are then tried first, a few times.
func (p *planner) makeRoom(e *Entry, w *want, avail set) (nodes []share, victims []*holding) {
	list := p.candidates(e)
	for try := int64(0); ; try++ {
		found, last := p.withoutFirst(list, w, avail)
		if found == nil {
			return nil, nil
		}
		mine := newSet(len(p.nodes))
		for _, s := range found {
			mine.add(s.node)
		}
		if try > p.in.Settings.PreemptReorders || int64(len(list)) <= try+1 {
			for _, h := range list[:last+1] {
				if all := p.components(h); slices.ContainsFunc(all, func(h *holding) bool { return h.nodes.meets(mine) }) {
					victims = append(victims, all...)
				}
			}
			return found, victims
		}
		list = p.reordered(list, last, mine)
	}
}

// withoutFirst tries a want without the first of the list, without the first two and so on; last is the one with which
// it fits.
func (p *planner) withoutFirst(list []*holding, w *want, avail set) (nodes []share, last int) {
	var gone []*holding
	defer func() {
		for _, h := range slices.Backward(gone) {
			p.use.add(h)
		}
	}()
	for last, h := range list {
		for _, h := range p.components(h) {
			p.use.remove(h)
			gone = append(gone, h)
		}
		if found := p.chooseFeatures(w, p.use, avail.clone()); found != nil {
			return slices.Clone(found), last
		}
	}
	return nil, 0
}

// reordered puts the candidate first with which the job fitted; after it, unless the order is strict, those before it
// by how many of the nodes they hold.
func (p *planner) reordered(list []*holding, last int, mine set) []*holding {
	out := append([]*holding{list[last]}, list[:last]...)
	if !p.in.Settings.PreemptStrict {
		slices.SortStableFunc(out[1:],
			func(a, b *holding) int { return cmp.Compare(b.nodes.common(mine), a.nodes.common(mine)) })
	}
	return append(out, list[last+1:]...)
}

// preempt ends victims, at once or after their time of grace. A job that has chosen victims leaves them the time to end
// before it ends any more (KillWait and MessageTimeout; seen in preempt-qos-modes: 11 s).
func (p *planner) preempt(e *Entry, victims []*holding) {
	p.jobs[e.Request].preempts = true
	wait := p.in.Settings.KillWaitSeconds + p.in.Settings.MessageSeconds
	if since := p.askedSince(e, victims, wait); since != 0 && since > p.now-wait {
		return
	}
	for _, h := range victims {
		switch grace := p.victimOf(h).GraceSeconds; {
		case grace > 0 && h.told == 0:
			h.told, h.teller, h.end = p.now, e.Request+1, min(h.end, p.now+grace)
			p.freed()
		case grace > 0 && p.now < h.end:
		default:
			p.stop(h)
		}
		p.noteVictim(e, h)
	}
}

// askedSince is when a job asked its victims first; 0 if it has not. Who asked those that were asked before is not
// known: it is taken to be the first job that would, which asks no others before it has waited.
func (p *planner) askedSince(e *Entry, victims []*holding, wait int64) (since int64) {
	first := int64(0)
	for _, h := range victims {
		if h.told != 0 && (h.teller == 0 || h.teller == e.Request+1) && (first == 0 || h.told < first) {
			first = h.told
		}
	}
	const pass = 1 // second that it may take
	for _, h := range victims {
		if h.told != 0 && h.teller == 0 && (h.told <= first+pass || h.told >= first+wait) {
			h.teller = e.Request + 1
		}
		if h.teller == e.Request+1 && (since == 0 || h.told < since) {
			since = h.told
		}
	}
	return since
}

// stop ends a running job. Its nodes are completing: no job gets them in this pass.
func (p *planner) stop(h *holding) {
	p.use.remove(h)
	p.future.remove(h)
	p.leaveLane(h)
	p.running = slices.DeleteFunc(p.running, func(o *holding) bool { return o == h })
	h.end, h.stopped = p.now, true
	p.completing.or(h.nodes)
	p.stops++
	p.licenses.stop(p.requestOf(h))
	if p.gate != nil { // what it had of a limit is free at once
		p.gate.End(h.row, h.got)
	}
	p.freed()
}

// freed forgets all that is known of when nodes come free.
func (p *planner) freed() {
	p.epoch++
	p.lost++
	p.ends, p.free, p.wholes = nil, [2]*freeTimes{}, wholeTimes{}
}

// noteVictim notes who makes room for which job.
func (p *planner) noteVictim(e *Entry, h *holding) {
	v := *p.victimOf(h)
	v.Job, v.For, v.At = p.requestOf(h).Job, p.in.Waiting[e.Request].Job, h.end
	if v.Mode == "suspend" {
		v.At = p.now
	}
	v.Procs = 0
	for _, s := range h.shares {
		v.Procs += s.procs
	}
	v.RanSeconds = max(0, h.end-h.start)
	if v.Mode == "requeue" {
		v.Back = h.end + p.in.Settings.RequeueSeconds
	}
	if k := slices.IndexFunc(p.victims, func(o backfill.Victim) bool { return o.Job == v.Job }); k >= 0 {
		p.victims[k] = v
		return
	}
	p.victims = append(p.victims, v)
}

// willRunWithout is the will-run test of a job that may preempt others: all of them count as gone at once, and what is
// left ends as usual, but for those that stay.
func (p *planner) willRunWithout(gone, stay []*holding, w *want, avail set, nowOnly bool) start {
	for _, h := range gone {
		p.future.remove(h)
	}
	defer func() {
		for _, h := range slices.Backward(gone) {
			p.future.add(h)
		}
	}()
	if nodes := p.choose(w, p.future, avail); nodes != nil {
		return start{p.now, nodes}
	}
	if nowOnly {
		return start{}
	}
	all := p.byEnd()
	p.ends = slices.DeleteFunc(slices.Clone(all),
		func(h *holding) bool { return slices.Contains(gone, h) || slices.Contains(stay, h) })
	defer func() { p.ends = all }()
	if p.in.Settings.Linear {
		return p.oneByOne(w, avail)
	}
	return p.inWindows(w, avail, 0, 0)
}
