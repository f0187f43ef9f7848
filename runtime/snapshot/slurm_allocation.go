package snapshot

import (
	"strconv"
	"strings"
	"time"
)

// Where a job runs, processor by processor, is printed with scontrol -d as Nodes=n[1-2] CPU_IDs=0-3,8 Mem=400, once for
// nodes that are alike, and in JSON as a list of nodes, in slurm_json_allocation.go.

// granted is what a job has on one node.
type granted struct {
	procs, memMB optional[int64]
	cores        int64 // counted where the processors are not stated
}

// placedGrant is what a job has on a node that is known by its place among the job's nodes alone.
type placedGrant struct {
	place int
	granted
}

// detailNodes begins the details of some nodes; detailProcs counts their processors.
func detailNodes(j *slurmJob, text string, _ *time.Location) error {
	hosts, err := textHosts(text)
	j.detailHosts = hosts.value
	return err
}

func detailProcs(j *slurmJob, text string, _ *time.Location) error {
	n, ok := countIDs(text)
	if !ok {
		return nil // a list that was cut off says nothing
	}
	for _, host := range j.detailHosts {
		j.grant(host, granted{procs: known(n)})
	}
	return nil
}

// detailMemory is in MB. Elsewhere Mem is no key of a job.
func detailMemory(j *slurmJob, text string, _ *time.Location) error {
	mb, err := strconv.ParseInt(text, 10, 64)
	if err != nil || mb < 0 {
		return nil
	}
	for _, host := range j.detailHosts {
		j.grant(host, granted{memMB: known(mb)})
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
func (j *slurmJob) grant(host string, g granted) {
	if j.granted == nil {
		j.granted = map[string]granted{}
	}
	have := j.granted[host]
	have.cores += g.cores
	for _, v := range []struct {
		to  *optional[int64]
		add optional[int64]
	}{{&have.procs, g.procs}, {&have.memMB, g.memMB}} {
		if v.add.known {
			*v.to = known(v.to.value + v.add.value)
		}
	}
	j.granted[host] = have
}

// allocated are the processors, the memory and the cores on each of the job's hosts, as text; each nil unless known for
// all of them. Where only cores are listed, those of all nodes have the same number of threads, unless that does not come
// out even; a plan, which knows the nodes, counts the threads of the cores themselves.
func (j *slurmJob) allocated() (procs, memMB, listed []string) {
	hosts := j.allocatedHosts.value
	for _, g := range j.grantedAt {
		if g.place < len(hosts) {
			j.grant(hosts[g.place], g.granted)
		}
	}
	if len(j.granted) == 0 || len(j.granted) != len(hosts) {
		return nil, nil, nil
	}
	cores, threads := int64(0), int64(0)
	for _, g := range j.granted {
		cores += g.cores
	}
	if cores > 0 && j.cpus.known && j.cpus.value%cores == 0 {
		threads = j.cpus.value / cores
	}
	allProcs, allMemory, allCores := true, true, true
	for _, host := range hosts {
		g := j.granted[host]
		allCores = allCores && g.cores > 0 && !g.procs.known
		listed = append(listed, itoa(g.cores))
		if !g.procs.known {
			g.procs = optional[int64]{value: g.cores * threads, known: g.cores*threads > 0}
		}
		allProcs, allMemory = allProcs && g.procs.known, allMemory && g.memMB.known
		procs, memMB = append(procs, itoa(g.procs.value)), append(memMB, itoa(g.memMB.value))
	}
	if !allProcs {
		procs = nil
	}
	if !allMemory {
		memMB = nil
	}
	if !allCores {
		listed = nil
	}
	return procs, memMB, listed
}
