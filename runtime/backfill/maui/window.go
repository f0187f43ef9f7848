package maui

import "github.com/fairway-sched/fairway/runtime/backfill"

// window is a part of a partition that is free for a time (MBFGetWindow).
type window struct {
	within      []bool // per node
	nodes, room int64  // room is in tasks of one processor
	seconds     int64
}

// window is the next after one of so many seconds: the nodes with a processor that is free for longer, for as long as it is
// free on all of them; ok is false if there are none. It is measured for a job that every standing reservation admits and
// that may stand beside any other (recorded: n02, n07, n08).
func (p *Planner) window(partition int32, after int64) (w window, ok bool) {
	w.within, w.seconds = make([]bool, len(p.nodes)), forever
	for _, k := range p.inPartition[partition] {
		n := &p.nodes[k]
		if n.readiness != ready || n.full() {
			continue
		}
		tasks, until := p.room(n, &p.anyone, p.now)
		now := n.freeNow()
		tasks = min(tasks, now.tasks(p.demand(p.anyone.Job)))
		seconds := until - p.now
		if until >= forever {
			seconds = forever
		}
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

// fits are the jobs of a list that are no larger and no longer than a window, without those that backfill leaves alone. The
// setting of depth counts what is left.
func (p *Planner) fits(list []int32, w *window) []int32 {
	var out []int32
	for _, job := range list {
		j := &p.jobs[job]
		if !p.waits(job) || p.reserved[job] != nil || j.NoBackfill || p.procs(j) > w.room || j.Nodes > w.nodes || j.WalltimeSeconds > w.seconds {
			continue
		}
		if out = append(out, job); p.settings.Depth > 0 && int64(len(out)) >= p.settings.Depth {
			break
		}
	}
	return out
}

func (p *Planner) procs(j *Job) int64 { return j.Tasks * max(1, j.PerTask.Procs) }

// anyJob is a job of one processor that may use every reservation.
func anyJob(index int32) Job {
	return Job{Request: backfill.Request{Job: index, Tasks: 1, PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: 1}, everyone: true}
}
