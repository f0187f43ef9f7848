package backfill

// dimensions are what a node has so and so much of: processors, memory, swap, disk, each generic resource,
// class slots if nodes have them, and room for jobs.
type dimensions struct {
	gres    int
	classes map[string]int // Maui's classes: their dimension
	count   int
}

const (
	dimProcs = iota
	dimMemory
	dimSwap
	dimDisk
	dimGres // the first one
)

// wholeNode is a node's room for jobs: one that shares takes 1 of it, one that does not all.
const wholeNode = int64(1) << 30

// noBound stands for class slots that only processors bound.
const noBound = int64(1) << 40

func newDimensions(c *Cluster, requests []Request) *dimensions {
	d := &dimensions{gres: len(c.Gres), classes: map[string]int{}}
	d.count = dimGres + d.gres
	slots := false
	for i := range c.Nodes {
		d.gres = max(d.gres, len(c.Nodes[i].Capacity.Gres))
		slots = slots || c.Nodes[i].Classes != nil
	}
	d.count = dimGres + d.gres
	if slots {
		for i := range requests {
			if _, ok := d.classes[requests[i].Class]; !ok && requests[i].Class != "" {
				d.classes[requests[i].Class] = d.count
				d.count++
			}
		}
	}
	d.count++ // jobs
	return d
}

func (d *dimensions) jobs() int { return d.count - 1 }

// vector are amounts by dimension, without class slots and room for jobs.
func (d *dimensions) vector(a *Amounts) []int64 {
	v := make([]int64, d.count)
	v[dimProcs], v[dimMemory], v[dimSwap], v[dimDisk] = amount(a.Procs), amount(a.MemMB), amount(a.SwapMB),
		amount(a.DiskMB)
	for i, g := range a.Gres {
		if i < d.gres {
			v[dimGres+i] = amount(g)
		}
	}
	return v
}

func amount(v int64) int64 { return min(max(v, 0), mostAmount) }

// capacity is what an empty node has.
func (d *dimensions) capacity(n *Node) []int64 {
	v := d.vector(&n.Capacity)
	for name, at := range d.classes {
		v[at] = noBound
		if n.Classes != nil {
			v[at] = amount(n.Classes[name])
		}
	}
	v[d.jobs()] = wholeNode
	return v
}

// wants are what a request takes of each of its nodes and for each task. A task that says nothing of
// processors has one.
func (d *dimensions) wants(r *Request, whole bool) (base, task []int64) {
	base, task = d.vector(&r.PerNode), d.vector(&r.PerTask)
	if base[dimProcs] == 0 && task[dimProcs] == 0 {
		task[dimProcs] = 1
	}
	if at, ok := d.classes[r.Class]; ok {
		task[at] = 1
	}
	base[d.jobs()] = 1
	if whole {
		base[d.jobs()] = wholeNode
	}
	return base, task
}

// fits is how many tasks find room in what is free, at most so many.
func fits(free, base, task []int64, most int64) int64 {
	for i, b := range base {
		rest := free[i] - b
		if rest < 0 && (b > 0 || task[i] > 0) {
			return 0
		}
		if task[i] > 0 {
			most = min(most, rest/task[i])
		}
	}
	return max(most, 0)
}

// taken is what so many tasks on a node take.
func taken(base, task []int64, tasks int64) []int64 {
	v := make([]int64, len(base))
	for i := range v {
		v[i] = base[i] + tasks*task[i]
	}
	return v
}

// has is what a running job has of a node: what its tasks there ask for, or what is known of it.
func (d *dimensions) has(base, task []int64, s Share) []int64 {
	v := taken(base, task, min(max(s.Tasks, 0), mostCount))
	if s.Procs > 0 {
		v[dimProcs] = amount(s.Procs)
	}
	if s.MemMB > 0 {
		v[dimMemory] = amount(s.MemMB)
	}
	return v
}
