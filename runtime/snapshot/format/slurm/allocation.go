package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// Where a job runs, processor by processor, is printed with scontrol -d as Nodes=n[1-2] CPU_IDs=0-3,8 Mem=400, once for
// nodes that are alike, and in JSON as a list of nodes, in json_allocation.go.

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
