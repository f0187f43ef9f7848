package slurm

// usage is what is taken of each node.
type usage struct {
	procs, mem []int64
	gres       []int64 // node by node
	jobs       []int32
	closed     set // nodes of a job that shares with nobody
	idle       set // nodes without jobs
}

func newUsage(nodes, gres int) *usage {
	u := &usage{procs: make([]int64, nodes), mem: make([]int64, nodes), gres: make([]int64, nodes*gres), jobs: make([]int32, nodes),
		closed: newSet(nodes), idle: newSet(nodes)}
	u.idle.addRange(0, int32(nodes))
	return u
}

// copyFrom makes u equal to o.
func (u *usage) copyFrom(o *usage) {
	copy(u.procs, o.procs)
	copy(u.mem, o.mem)
	copy(u.gres, o.gres)
	copy(u.jobs, o.jobs)
	copy(u.closed, o.closed)
	copy(u.idle, o.idle)
}

// share is a job's part of a node.
type share struct {
	node       int32
	procs, mem int64
}

// holding is what a running job has.
type holding struct {
	request    int32 // into planner.requests
	start, end int64
	shares     []share
	nodes      set
	gres       []int64 // on each node; nil is none
	alone      bool    // it shares its nodes with nobody
}

func (u *usage) add(h *holding) {
	for _, s := range h.shares {
		u.procs[s.node] += s.procs
		u.mem[s.node] += s.mem
		for g, n := range h.gres {
			u.gres[int(s.node)*len(h.gres)+g] += n
		}
		u.jobs[s.node]++
		u.idle.remove(s.node)
		if h.alone {
			u.closed.add(s.node)
		}
	}
}

func (u *usage) remove(h *holding) {
	for _, s := range h.shares {
		u.procs[s.node] -= s.procs
		u.mem[s.node] -= s.mem
		for g, n := range h.gres {
			u.gres[int(s.node)*len(h.gres)+g] -= n
		}
		if u.jobs[s.node]--; u.jobs[s.node] == 0 {
			u.idle.add(s.node)
		}
		if h.alone {
			u.closed.remove(s.node)
		}
	}
}
