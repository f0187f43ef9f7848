package slurm

import (
	"cmp"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// want is what an entry of the queue asks for, in the terms of node selection.
type want struct {
	nodesMin, nodesWanted, nodesMax int64
	procs                           int64 // at least, over all nodes
	procsPerTask, tasks, perNode    int64 // perNode: tasks on each node, 0 is free
	perSocket                       int64 // tasks on each socket at most; 0 is free
	memPerNode, memPerProc          int64 // both 0 where memory is shared out: all memory of a node
	gres                            []int64
	gresPerTask                     []int64
	gresOfJob                       []int64 // on all nodes together
	procsPerGres                    []int64 // processors of each node for each that it has
	cores                           backfill.CoreUse
	alone                           bool // whole nodes
	partition                       int32
	shares                          bool  // it may have processors that others have too
	switches, switchesUntil         int64 // on so many switches until then; 0 is any number
	leastLoaded                     bool  // nodes with the most free processors first

	fit        set    // nodes that are large enough and have the features, in the partition, whatever runs there
	required   set    // nodes that must be among its own; nil is none
	steps      []step // features that so many nodes need
	sameForAll []set  // features that all nodes have to share: one of these sets

	kind int32 // 0 for a want of its own; others stand for all entries that want the same
	fits fits

	ready   int64 // when enough nodes may be free of what runs; known for so many running jobs
	readyOf int
}

// fits says whether a want could be met by an empty cluster.
type fits uint8

const (
	unknown fits = iota
	yes
	no
)

// size is all that a want says, if it names no nodes, features or generic resources.
type size struct {
	nodesMin, nodesWanted, nodesMax, procs, procsPerTask, tasks, perNode, perSocket int64
	room                                                                            room
	cores                                                                           backfill.CoreUse
	alone                                                                           bool
}

// room is what nodes have to have.
type room struct {
	partition                                          int32
	memPerNode, memPerProc, mem, disk, swap, procsEach int64
}

// step is a number of nodes that must have a feature.
type step struct {
	nodes set
	count int64
}

// noNodeLimit is how many nodes a job without a maximum may get (get_node_cnts).
const noNodeLimit = 500000

// wantOf is what an entry wants. Entries that want the same share it.
func (p *planner) wantOf(entry int32) *want {
	if p.wants[entry] == nil {
		p.wants[entry] = p.shared(&p.in.Entries[entry])
	}
	return p.wants[entry]
}

func (p *planner) shared(e *Entry) *want {
	r := &p.in.Waiting[e.Request]
	w := p.want(e)
	if p.plain || p.rows != nil || w.switches > 0 || w.wantsGres() ||
		len(r.Features.Alternatives) > 0 || len(r.Hosts) > 0 || len(r.Excluded) > 0 {
		p.places(&w, r, e.Partition)
		return &w
	}
	s := size{w.nodesMin, w.nodesWanted, w.nodesMax, w.procs, w.procsPerTask, w.tasks, w.perNode,
		w.perSocket, room{
			e.Partition, w.memPerNode, w.memPerProc, r.Minimum.MemMB, r.Minimum.DiskMB, r.Minimum.SwapMB,
			w.procsPerTask * max(1, w.perNode)}, w.cores, w.alone}
	if same := p.sizes[s]; same != nil {
		return same
	}
	w.kind = int32(len(p.sizes) + 1)
	if w.fit = p.rooms[s.room]; w.fit == nil {
		p.places(&w, r, e.Partition)
		p.rooms[s.room] = w.fit
	}
	p.sizes[s] = &w
	return &w
}

// want reads the request of an entry. A job that names fewer nodes than its partition's minimum gets
// that many (get_node_cnts).
func (p *planner) want(e *Entry) want {
	r := &p.in.Waiting[e.Request]
	w := want{procsPerTask: max(1, r.PerTask.Procs), tasks: r.Tasks, perNode: r.TasksPerNode,
		perSocket:  r.TasksPerSocket,
		memPerNode: r.PerNode.MemMB, gresOfJob: positive(r.JobGres), cores: r.CoreUse()}
	perNode, perTask := r.StatedGres()
	w.gres, w.gresPerTask = positive(perNode), positive(perTask)
	w.nodesMin = max(1, r.Nodes, e.NodesMin)
	w.nodesMax = noNodeLimit
	if e.NodesMax > 0 {
		w.nodesMax = min(w.nodesMax, e.NodesMax)
	}
	w.nodesWanted = w.nodesMin
	if r.NodesMax > 0 {
		w.nodesMax = min(w.nodesMax, r.NodesMax)
		w.nodesWanted = w.nodesMax
	}
	if most, _ := p.limited(e); most > 0 && w.nodesMin <= most {
		w.nodesMax, w.nodesWanted = min(w.nodesMax, most), min(w.nodesWanted, most)
	}
	w.procs = max(r.Tasks*w.procsPerTask, w.nodesMin, 1)
	w.withGres(r)
	if r.PerTask.MemMB > 0 {
		w.memPerProc = (r.PerTask.MemMB + w.procsPerTask - 1) / w.procsPerTask
	}
	if w.perNode > 0 && w.tasks > 0 {
		w.nodesMin = max(w.nodesMin, (w.tasks+w.perNode-1)/w.perNode)
	}
	w.alone = r.Sharing == backfill.SingleJob || p.in.Settings.Linear || p.exclusive[e.Partition]
	part := &p.in.Cluster.Partitions[e.Partition]
	w.partition, w.shares = e.Partition, shares(part, r)
	p.switches(&w, r)
	w.leastLoaded = p.in.Settings.LeastLoaded || p.in.Cluster.Partitions[e.Partition].LeastLoaded && !p.in.Settings.Linear
	return w
}

// wantsGres reports that it asks for generic resources.
func (w *want) wantsGres() bool { return w.gres != nil || w.gresPerTask != nil || w.gresOfJob != nil }

// positive is nil for amounts that are all 0.
func positive(list []int64) []int64 {
	for _, n := range list {
		if n > 0 {
			return list
		}
	}
	return nil
}

// places finds the nodes that would do if nothing ran (job_req_node_filter, valid_feature_counts).
func (p *planner) places(w *want, r *backfill.Request, partition int32) {
	w.fit = newSet(len(p.nodes))
	var alternatives []set
	for k := range r.Features.Alternatives {
		alternatives = append(alternatives, p.withFeatures(r.Features.Alternatives[k]))
	}
	for i := p.partitions[partition].next(0); i >= 0; i = p.partitions[partition].next(i + 1) {
		if p.large(w, r, i) && (len(alternatives) == 0 ||
			slices.ContainsFunc(alternatives, func(s set) bool { return s.has(i) })) {
			w.fit.add(i)
		}
	}
	for _, node := range r.Excluded {
		w.fit.remove(node)
	}
	if len(r.Hosts) > 0 {
		w.required = newSet(len(p.nodes))
		for _, node := range r.Hosts {
			w.required.add(node)
		}
	}
	for k, f := range r.Features.Alternatives {
		if f.Count > 0 {
			w.steps = append(w.steps, step{alternatives[k], f.Count})
		}
	}
	if len(w.steps) > 0 { // the others may be any nodes
		w.fit = newSet(len(p.nodes))
		for i := p.partitions[partition].next(0); i >= 0; i = p.partitions[partition].next(i + 1) {
			if p.large(w, r, i) {
				w.fit.add(i)
			}
		}
	} else if r.Features.SameForAll {
		w.sameForAll = alternatives
	}
}

// large reports a node that the job fits on when nothing else runs. Generic resources are asked for when nodes are
// chosen.
func (p *planner) large(w *want, r *backfill.Request, i int32) bool {
	has, least := &p.nodes[i].Capacity, w.least(r)
	return least.MemMB <= has.MemMB && least.DiskMB <= has.DiskMB && least.SwapMB <= has.SwapMB && least.Procs <= has.Procs
}

// least is what each node of the job must have, whatever runs there.
func (w *want) least(r *backfill.Request) backfill.Amounts {
	return backfill.Amounts{Procs: w.procsPerTask * max(1, w.perNode),
		MemMB:  max(w.memPerNode, w.memPerProc, r.Minimum.MemMB),
		DiskMB: r.Minimum.DiskMB, SwapMB: r.Minimum.SwapMB}
}

func (p *planner) gresOf(node int32, g int) int64 {
	if list := p.nodes[node].Capacity.Gres; g < len(list) {
		return list[g]
	}
	return 0
}

func (p *planner) withFeatures(f backfill.FeatureSet) set {
	s := newSet(len(p.nodes))
	for i := range p.nodes {
		if f.In(p.nodes[i].Features) {
			s.add(int32(i))
		}
	}
	return s
}

// mainLimit is how long a job that the main pass starts may run, in seconds: its own limit, else its partition's
// default.
func (p *planner) mainLimit(e *Entry) int64 {
	r := &p.in.Waiting[e.Request]
	limit := cmp.Or(r.WalltimeSeconds, e.Default, e.LimitMax, oneYear)
	if endless(r) {
		limit = cmp.Or(e.LimitMax, oneYear)
	}
	if e.LimitMax > 0 {
		limit = min(limit, e.LimitMax)
	}
	if r.Deadline > 0 {
		limit = min(limit, (r.Deadline-p.now)/60*60)
	}
	return limit
}

// limit is how long a job that backfill looks at may run, in seconds, and how long it is planned for: the shortest time
// that it accepts where it states one. A job without a limit counts with the longest that its partition allows,
// and a year where that is unlimited.
func (p *planner) limit(e *Entry) (limit, planned int64) {
	r := &p.in.Waiting[e.Request]
	if limit = cmp.Or(r.WalltimeSeconds, e.LimitMax, oneYear); endless(r) {
		limit = cmp.Or(e.LimitMax, oneYear)
	}
	if e.LimitMax > 0 {
		limit = min(limit, e.LimitMax)
	}
	if r.Deadline > 0 {
		return min(limit, (r.Deadline-p.now)/60*60), limit
	}
	if least := r.WalltimeMinSeconds; least > 0 && least < limit {
		return limit, least
	}
	return limit, limit
}

// endless reports a job that has asked for no end (INFINITE).
func endless(r *backfill.Request) bool { return r.WalltimeSeconds >= backfill.Forever }

const oneYear = int64(365 * 24 * 3600)
