package slurm

import (
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// usage is what is taken of each node.
type usage struct {
	procs, mem []int64
	gres       []int64 // node by node
	jobs       []int32
	closed     set        // nodes of a job that shares its nodes with no other job
	idle       set        // nodes without jobs
	held       []*holding // in the order in which they started, where it matters which processors they have
	gone       []*holding // those that were taken out, in that order
	spots      []spots    // by node: the cores that jobs have, where it matters which; nil else
}

func newUsage(nodes, gres int) *usage {
	u := &usage{procs: make([]int64, nodes), mem: make([]int64, nodes), gres: make([]int64, nodes*gres),
		jobs:   make([]int32, nodes),
		closed: newSet(nodes), idle: newSet(nodes)}
	u.idle.addRange(0, int32(nodes))
	return u
}

// share is a job's part of a node.
type share struct {
	node       int32
	procs, mem int64
	gres       []int64 // nil is none; of a choice, it is not known yet
	tasks      int64   // of a choice of cores; 0 follows from procs
	spots      spots   // the cores that a running job has, where it matters which
}

// holding is what a running job has.
type holding struct {
	request    int32 // into planner.requests
	start, end int64
	shares     []share
	nodes      set
	alone      bool // it shares its nodes with no other job
	private    bool // and this one with its user's jobs only

	part   int32 // its partition, and
	shared bool  // others may have its processors too
	cpus   set   // the processors that it has, where that matters; nil else

	got        *Got  // of a job that was started: what limits count
	entry, row int32 // of a job that was started, and its row if jobs may be preempted
	victim     *backfill.Victim
	teller     int32 // and for which request, and one; 0 if that is not known
	told       int64 // when it was asked to make room; 0 is never
	stopped    bool
}

// meets reports that a job has some of the nodes.
func (h *holding) meets(nodes set) bool {
	if len(h.shares) > len(nodes) {
		return h.nodes.meets(nodes)
	}
	for k := range h.shares {
		if nodes.has(h.shares[k].node) {
			return true
		}
	}
	return false
}

func (u *usage) add(h *holding) {
	if h.cpus != nil {
		u.held = append(u.held, h)
		if n := len(u.gone); n > 0 && u.gone[n-1] == h {
			u.gone = u.gone[:n-1]
		}
	}
	u.take(h, false)
	for _, s := range h.shares {
		u.procs[s.node] += s.procs
		u.mem[s.node] += s.mem
		for g, n := range s.gres {
			u.gres[int(s.node)*len(s.gres)+g] += n
		}
		u.jobs[s.node]++
		u.idle.remove(s.node)
		if h.alone {
			u.closed.add(s.node)
		}
	}
}

func (u *usage) remove(h *holding) {
	if k := slices.Index(u.held, h); k >= 0 {
		u.held, u.gone = slices.Delete(u.held, k, k+1), append(u.gone, h)
	}
	u.take(h, true)
	for _, s := range h.shares {
		u.procs[s.node] -= s.procs
		u.mem[s.node] -= s.mem
		for g, n := range s.gres {
			u.gres[int(s.node)*len(s.gres)+g] -= n
		}
		if u.jobs[s.node]--; u.jobs[s.node] == 0 {
			u.idle.add(s.node)
		}
		if h.alone {
			u.closed.remove(s.node)
		}
	}
}

// gresFor is what a job has of the generic resources of a node on which so many of its tasks are: what it asks for on
// each node, and for each task; nil is nothing.
func (p *planner) gresFor(perNode, perTask []int64, tasks int64) []int64 {
	if perNode == nil && perTask == nil {
		return nil
	}
	has := make([]int64, p.gresCount)
	for g := range has {
		if g < len(perNode) {
			has[g] = perNode[g]
		}
		if g < len(perTask) {
			has[g] += tasks * perTask[g]
		}
	}
	return has
}
