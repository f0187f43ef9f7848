package mauiplan

import "slices"

// window is a set of nodes free for at least the shortest of them (§5.2, P17).
type window struct {
	nodes   []int
	procs   int64
	seconds int64
}

// anybody asks for the windows of backfill: neither SINGLEUSER nor a standing reservation keeps a node from them,
// as they do from showbf; the job is checked when it is placed (P40).
const anybody = "*"

// window is the widest one that lasts longer than the time given.
func (t *twin) window(one *Job, partition string, longer int64) (window, bool) {
	w := window{seconds: Forever}
	for node := range t.Nodes {
		n := &t.Nodes[node]
		if n.Partition != partition || !t.up(node) {
			continue
		}
		procs, _ := t.taken(node)
		if t.whole() && (n.State != "Idle" || n.AvailableProcs < n.Procs || procs > 0) {
			continue
		}
		room, lasts := fromNow(t.stretches(one, node), 0)
		if t.Rules.Available != "DEDICATED" {
			room = min(room, n.AvailableProcs-procs)
		}
		if room <= 0 || lasts <= longer {
			continue
		}
		w.nodes = append(w.nodes, node)
		w.procs += room
		w.seconds = min(w.seconds, lasts)
	}
	return w, len(w.nodes) > 0
}

// backfill fills the windows, widest first (§5.3).
func (t *twin) backfill(hard []*Job, partition string) {
	r := &t.Rules
	if r.Backfill == "NONE" || r.Backfill == "GREEDY" {
		return
	}
	for longer := int64(0); ; {
		w, ok := t.window(&Job{Tasks: 1, ProcsPerTask: 1, User: anybody}, partition, longer)
		if !ok {
			return
		}
		longer = w.seconds
		var list []*Job
		for _, j := range t.candidates(hard, partition, false, true) {
			if _, reserved := t.reservation(j); reserved || slices.Contains(j.Flags, "NOBF") {
				continue
			}
			if t.size(j) > w.procs || j.NodeCount > int64(len(w.nodes)) || j.Seconds > w.seconds {
				continue
			}
			list = append(list, j)
		}
		if r.BackfillDepth > 0 {
			list = list[:min(len(list), r.BackfillDepth)]
		}
		if r.Backfill == "BESTFIT" {
			t.bestFit(list, partition, w)
		} else {
			t.firstFit(list, partition, w)
		}
	}
}

func (t *twin) tryIn(j *Job, partition string, w *window) bool {
	if t.size(j) > w.procs || !t.within(j, true) {
		return false
	}
	on := t.now(j, partition, w.nodes, t.Rules.Allocation[partition], partition != "DEFAULT")
	if on == nil {
		return false
	}
	t.start(j, "backfill", on)
	if t.Rules.Backfill == "BESTFIT" { // P53
		w.procs -= t.size(j)
	}
	return true
}

func (t *twin) firstFit(list []*Job, partition string, w window) {
	for _, j := range list {
		t.tryIn(j, partition, &w)
	}
}

func (t *twin) bestFit(list []*Job, partition string, w window) {
	metric := func(j *Job) int64 {
		switch t.Rules.Metric {
		case "SECONDS":
			return j.Seconds
		case "PROCSECONDS":
			return j.Seconds * j.Tasks * j.ProcsPerTask
		}
		return j.Tasks * j.ProcsPerTask
	}
	for len(list) > 0 {
		best := 0
		for k, j := range list {
			if metric(j) > metric(list[best]) {
				best = k
			}
		}
		t.tryIn(list[best], partition, &w)
		list = slices.Delete(slices.Clone(list), best, best+1)
	}
}
