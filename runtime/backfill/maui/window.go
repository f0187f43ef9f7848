package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

// window is a part of a partition that is free for a time (MBFGetWindow).
type window struct {
	within      []bool // per node
	nodes, room int64  // room is in tasks of one processor
	seconds     int64
}

// window is the next after one of so many seconds: the nodes with a processor that is free for longer, for as long as
// it is free on all of them; ok is false if there are none. It is measured for a job that every standing reservation
// admits and that may be beside any other (recorded: n02, n07, n08).
func (p *Planner) window(partition int32, after int64) (w window, ok bool) {
	w.within, w.seconds = make([]bool, len(p.nodes)), forever
	for _, k := range p.inPartition[partition] {
		tasks, seconds := p.freeFor(&p.nodes[k], &p.anyone)
		if tasks < 1 || seconds <= after {
			continue
		}
		w.within[k] = true
		w.nodes++
		w.room += tasks
		w.seconds = min(w.seconds, seconds)
	}
	return w, w.nodes > 0
}

// Free lists what is free now and for how long, from the widest window to the longest, to somebody that no reservation
// admits (showbf).
func (p *Planner) Free() (list []backfill.Window) {
	root := p.anyone
	root.User, root.everyone = "root", false
	for after := int64(0); ; {
		w := backfill.Window{Seconds: forever}
		for k := range p.nodes {
			n := &p.nodes[k]
			if tasks, seconds := p.freeFor(n, &root); tasks > 0 && seconds > after {
				w.Procs, w.Seconds = w.Procs+tasks, min(w.Seconds, seconds)
			}
		}
		if w.Procs == 0 {
			return list
		}
		list, after = append(list, w), w.Seconds
	}
}

// freeFor is how much of a node a job of one processor has now, and for how long.
func (p *Planner) freeFor(n *node, j *Job) (tasks, seconds int64) {
	if n.readiness != ready || n.full() {
		return 0, 0
	}
	tasks, until := p.roomNow(n, j, p.demand(j.Job))
	now := n.freeNow()
	if seconds = until - p.now; until >= forever {
		seconds = forever
	}
	return min(tasks, now.tasks(p.demand(j.Job))), seconds
}

// fits are the jobs of a list that are no larger and no longer than a window, without those that backfill leaves alone
// or that limits stop by now. The setting of depth counts what is left (rules.md P57).
func (p *Planner) fits(list []int32, w *window, hard bool) []int32 {
	var out []int32
	for _, job := range list {
		j := &p.jobs[job]
		if !p.waits(job) || p.reserved[job] != nil || j.NoBackfill || p.procs(j) > w.room ||
			p.demand(job).nodes > w.nodes || j.WalltimeSeconds > w.seconds || p.queue.Over(job, hard) {
			continue
		}
		if out = append(out, job); p.settings.Depth > 0 && int64(len(out)) >= p.settings.Depth {
			break
		}
	}
	return out
}

// procs is the size of a job that waits (maui.md §9 P8).
func (p *Planner) procs(j *Job) int64 {
	if p.settings.Access == "SINGLETASK" && len(p.nodes) > 0 {
		return j.Tasks * p.nodes[0].Capacity.Procs
	}
	return j.Tasks * max(1, j.PerTask.Procs)
}

// anyJob is a job of one processor that may use every reservation.
func anyJob(index int32) Job {
	return Job{Request: backfill.Request{Job: index, Tasks: 1, PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: 1},
		everyone: true}
}
