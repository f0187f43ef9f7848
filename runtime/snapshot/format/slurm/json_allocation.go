package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

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
