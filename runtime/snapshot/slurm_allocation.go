package snapshot

import (
	"strconv"
	"strings"
	"time"
)

// Where a job runs, processor by processor, is printed with scontrol -d as Nodes=n[1-2] CPU_IDs=0-3,8, once for
// nodes that are alike, and in JSON as a list of nodes.

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
		j.allocate(host, n)
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

// allocate notes the processors that a job has on a node.
func (j *slurmJob) allocate(host string, procs int64) {
	if j.procsOn == nil {
		j.procsOn = map[string]int64{}
	}
	j.procsOn[host] += procs
}

// allocated are the processors on each of the job's hosts; nil unless all are known.
func (j *slurmJob) allocated() []string {
	if len(j.procsOn) == 0 || len(j.procsOn) != len(j.allocatedHosts.value) {
		return nil
	}
	list := make([]string, len(j.allocatedHosts.value))
	for i, host := range j.allocatedHosts.value {
		n, ok := j.procsOn[host]
		if !ok {
			return nil
		}
		list[i] = strconv.FormatInt(n, 10)
	}
	return list
}

// jobResources reads job_resources. nodes.allocation says how many processors each node gives; the older
// allocated_nodes lists cores, whose threads nobody counts, and is passed over.
func (c *slurmJSON) jobResources(j *slurmJob) error {
	return c.members(func(key []byte) error {
		switch string(key) {
		case "nodes":
			if c.peek() != '{' {
				return nil
			}
			return c.members(func(key []byte) error {
				if string(key) != "allocation" || c.peek() != '[' {
					return nil
				}
				return c.array(func() error { return c.allocation(j) })
			})
		}
		return nil
	})
}

func (c *slurmJSON) allocation(j *slurmJob) error {
	var host optional[string]
	var procs optional[int64]
	err := c.members(func(key []byte) (err error) {
		switch string(key) {
		case "name":
			host, err = c.words("job_resources.nodes.allocation.name")
		case "cpus":
			return c.members(func(key []byte) (err error) {
				if string(key) == "count" {
					procs, err = c.integer("job_resources.nodes.allocation.cpus.count")
				}
				return err
			})
		}
		return err
	})
	if host.value != "" && procs.known {
		j.allocate(host.value, procs.value)
	}
	return err
}
