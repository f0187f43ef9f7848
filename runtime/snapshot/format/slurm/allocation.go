package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Where a job runs, processor by processor, is printed with scontrol -d as Nodes=n[1-2] CPU_IDs=0-3,8 Mem=400, once for
// nodes that are alike, and in JSON as a list of nodes.

// granted is what a job has on one node.
type granted struct {
	procs, memMB schema.Value
	cores        int64  // counted where the processors are not stated
	ids          string // of the processors: 0-3:8
}

// placedGrant is what a job has on a node that is known by its place among the job's nodes alone.
type placedGrant struct {
	place int
	granted
}

// allocation is what the details say that a job has.
type allocation struct {
	hosts  map[string]granted
	placed []placedGrant
}

// grantedProcs counts the processors on each of the nodes whose details these are; a list that was cut off says
// nothing.
func grantedProcs(r *slurmRecord, _ slot, text string) error {
	if n, ok := countIDs(text); ok {
		for _, host := range r.list(jobDetailHosts) {
			r.granted.grant(host, granted{procs: schema.IntValue(n), ids: strings.ReplaceAll(text, ",", ":")})
		}
	}
	return nil
}

// grantedMemory is in MB. Elsewhere Mem is no key of a job.
func grantedMemory(r *slurmRecord, _ slot, text string) error {
	if mb, err := strconv.ParseInt(text, 10, 64); err == nil && mb >= 0 {
		for _, host := range r.list(jobDetailHosts) {
			r.granted.grant(host, granted{memMB: schema.IntValue(mb)})
		}
	}
	return nil
}

// countIDs counts 0-3,8.
func countIDs(text string) (total int64, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		n, fine := tasksIn(part)
		if !fine {
			return 0, false
		}
		total += n
	}
	return total, true
}

// grant notes what a job has on a node, in addition to what is known of it.
func (j *allocation) grant(host string, g granted) {
	if j.hosts == nil {
		j.hosts = map[string]granted{}
	}
	have := j.hosts[host]
	have.cores, have.ids = have.cores+g.cores, strings.Trim(have.ids+":"+g.ids, ":")
	have.procs, have.memMB = sum(have.procs, g.procs), sum(have.memMB, g.memMB)
	j.hosts[host] = have
}

func sum(have, more schema.Value) schema.Value {
	if !more.Known() {
		return have
	}
	return schema.IntValue(have.Int + more.Int)
}

// settleAllocation writes the processors, the memory and the cores on each of the job's hosts, as text; each if it is
// known for all of them. Where only cores are listed, those of all nodes have the same number of threads, unless that
// does not come out even; a plan, which knows the nodes, counts the threads of the cores themselves.
func (r *slurmRecord) settleAllocation() {
	hosts, j := r.list(jobAllocatedHosts), &r.granted
	for _, g := range j.placed {
		if g.place < len(hosts) {
			j.grant(hosts[g.place], g.granted)
		}
	}
	if len(j.hosts) == 0 || len(j.hosts) != len(hosts) {
		return
	}
	cores, threads := int64(0), int64(0)
	for _, g := range j.hosts {
		cores += g.cores
	}
	if cpus := r.get(jobCPUs); cores > 0 && cpus.Known() && cpus.Int%cores == 0 {
		threads = cpus.Int / cores
	}
	var procs, memMB, listed, ids []string
	allProcs, allMemory, allCores, allIDs := true, true, true, true
	for _, host := range hosts {
		g := j.hosts[host]
		allCores = allCores && g.cores > 0 && !g.procs.Known()
		listed, ids = append(listed, itoa(g.cores)), append(ids, g.ids)
		allIDs = allIDs && g.ids != ""
		if !g.procs.Known() && g.cores*threads > 0 {
			g.procs = schema.IntValue(g.cores * threads)
		}
		allProcs, allMemory = allProcs && g.procs.Known(), allMemory && g.memMB.Known()
		procs, memMB = append(procs, itoa(g.procs.Int)), append(memMB, itoa(g.memMB.Int))
	}
	r.setIf(allProcs, jobAllocatedProcs, schema.ListValue(procs))
	r.setIf(allMemory, jobAllocatedMemMB, schema.ListValue(memMB))
	r.setIf(allIDs, jobAllocatedIDs, schema.ListValue(ids))
	r.setIf(allCores, jobAllocatedCores, schema.ListValue(listed))
}

// jobResources reads job_resources, in each of its shapes:
//
//	since 24.05    nodes.allocation    a list: name, cpus.count, memory.allocated
//	22.05 - 23.11  allocated_nodes     a list: nodename, memory_allocated, sockets with the cores that it has
//	21.08          allocated_nodes     by place in the job's list of nodes: cpus, memory
func (c *slurmJSON) jobResources(r *slurmRecord, _ slot, _ string) error {
	j := &r.granted
	return c.members(func(key []byte) error {
		switch string(key) {
		case "nodes":
			return c.members(func(key []byte) error {
				if string(key) != "allocation" || c.Peek() != '[' {
					return nil
				}
				return c.Array(func() error { return c.allocation(j) })
			})
		case "allocated_nodes":
			switch c.Peek() {
			case '[':
				return c.Array(func() error { return c.allocatedNode(j, "") })
			case '{':
				return c.Object(func(key []byte) error { return c.allocatedNode(j, string(key)) })
			}
		}
		return nil
	})
}

func (c *slurmJSON) allocation(j *allocation) error {
	var host schema.Value
	var g granted
	err := c.members(func(key []byte) (err error) {
		switch string(key) {
		case "name":
			host, err = c.words("job_resources.nodes.allocation.name")
		case "cpus":
			g.procs, err = c.memberNumber("count", "job_resources.nodes.allocation.cpus.count")
		case "memory":
			g.memMB, err = c.memberNumber("allocated", "job_resources.nodes.allocation.memory.allocated")
		}
		return err
	})
	if host.Str != "" && g.procs.Known() {
		j.grant(host.Str, g)
	}
	return err
}

// memberNumber reads one number of an object.
func (c *slurmJSON) memberNumber(name, field string) (n schema.Value, err error) {
	err = c.members(func(key []byte) (err error) {
		if string(key) == name {
			n, err = c.integer(field)
		}
		return err
	})
	return n, err
}

// allocatedNode reads a node of allocated_nodes. One without a name is known by its place among the job's nodes.
func (c *slurmJSON) allocatedNode(j *allocation, place string) error {
	host, g := "", granted{}
	err := c.members(func(key []byte) (err error) {
		switch string(key) {
		case "nodename":
			var name schema.Value
			name, err = c.words("job_resources.allocated_nodes.nodename")
			host = name.Str
		case "cpus":
			g.procs, err = c.integer("job_resources.allocated_nodes.cpus")
		case "memory", "memory_allocated":
			g.memMB, err = c.integer("job_resources.allocated_nodes." + string(key))
		case "sockets":
			g.cores, err = c.allocatedCores()
		}
		return err
	})
	switch k, bad := strconv.Atoi(place); {
	case host != "":
		j.grant(host, g)
	case place != "" && bad == nil && k >= 0:
		j.placed = append(j.placed, placedGrant{k, g})
	}
	return err
}

// allocatedCores counts the cores of a job in {"0": {"cores": {"0": "allocated", "1": "unassigned"}}}.
func (c *slurmJSON) allocatedCores() (n int64, err error) {
	core := func([]byte) error {
		if c.Peek() != '"' {
			return nil
		}
		state, err := c.words("job_resources.allocated_nodes.sockets.cores")
		if strings.HasPrefix(strings.ToLower(state.Str), "allocated") { // or allocated_and_in_use
			n++
		}
		return err
	}
	err = c.members(func([]byte) error {
		return c.members(func(key []byte) error {
			if string(key) != "cores" {
				return nil
			}
			return c.members(core)
		})
	})
	return n, err
}
