package replay

import (
	"encoding/json"
	"maps"
)

// use is what jobs have of a node, by the names of what is available there: avail_procs, avail_mem_mb and others; and
// by class, tasks.
type use struct {
	amounts map[string]int64
	classes map[string]int64
}

// perTask are the amounts of a task, and of what is available of a node.
var perTask = map[string]string{"procs_per_task": "avail_procs", "mem_mb_per_task": "avail_mem_mb",
	"swap_mb_per_task": "avail_swap_mb", "disk_mb_per_task": "avail_disk_mb"}

// used is what the jobs have of each node that run at a time.
func (q *queue) used(now int64) map[string]use {
	out := map[string]use{}
	for _, j := range q.jobs {
		if j["state"] != "running" || ended(j, now) {
			continue
		}
		for _, node := range allocated(j) {
			u, known := out[node]
			if !known {
				u = use{amounts: map[string]int64{}, classes: map[string]int64{}}
				out[node] = u
			}
			for asked, available := range perTask {
				n, _ := seconds(j[asked])
				u.amounts[available] += n
			}
			if class, ok := j["class"].(string); ok {
				u.classes[class]++
			}
		}
	}
	return out
}

// allocated are the nodes of a job's tasks.
func allocated(j map[string]any) (nodes []string) {
	switch list := j["alloc"].(type) {
	case []string: // of a job that started since
		return list
	case []any:
		for _, node := range list {
			if name, ok := node.(string); ok {
				nodes = append(nodes, name)
			}
		}
	}
	return nodes
}

// nodesAt are the nodes as the resource manager shows them: what is available, the load and the state of each go with
// the jobs that run there. A node on which nothing has changed is as it was recorded.
func (q *queue) nodesAt(now int64) []map[string]any {
	used := q.used(now)
	list := make([]map[string]any, len(q.nodes))
	for k, n := range q.nodes {
		list[k] = n
		name, _ := n["id"].(string)
		was, is := q.first[name], used[name]
		if maps.Equal(was.amounts, is.amounts) && maps.Equal(was.classes, is.classes) {
			continue
		}
		n = maps.Clone(n)
		list[k] = n
		for _, available := range perTask {
			if free, ok := seconds(n[available]); ok {
				n[available] = free + was.amounts[available] - is.amounts[available]
			}
		}
		more := is.amounts["avail_procs"] - was.amounts["avail_procs"]
		if load, ok := n["load"].(json.Number); ok {
			if x, err := load.Float64(); err == nil {
				n["load"] = max(0, x+float64(more))
			}
		}
		if slots, ok := n["avail_classes"].(map[string]any); ok {
			slots = maps.Clone(slots)
			for class, v := range slots {
				if free, ok := seconds(v); ok {
					slots[class] = free + was.classes[class] - is.classes[class]
				}
			}
			n["avail_classes"] = slots
		}
		switch n["state"] {
		case "Idle", "Running", "Busy":
			free, _ := n["avail_procs"].(int64)
			switch {
			case is.amounts["avail_procs"] == 0:
				n["state"] = "Idle"
			case free > 0:
				n["state"] = "Running"
			default:
				n["state"] = "Busy"
			}
		}
	}
	return list
}
