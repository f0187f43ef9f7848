// Package maui reads the jobs and nodes of a Maui case, and Maui's files of fairshare usage.
package maui

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// mauiJob maps a job of a Maui case. Maui plans tasks: every quantity is
// stated for one task, the totals follow (MPriority.c, resource component).
// A limit of 0 stays 0, because Maui computes with it: the expansion factor of
// a job without WCLIMIT is its queue time over the minimum limit.
var mauiJob = &format.RecordShape{
	Key: "job.id",
	Fields: map[string]schema.ColumnID{
		"id": "job.id", "user": "job.user", "group": "job.group", "account": "job.account", "class": "job.partition",
		"qos": "job.qos_requested", "state": "job.state_word",
		"submit_time": "job.submit_time", "start_time": "job.start_time", "release_time": "job.begin_time",
		"deadline":     "job.deadline",
		"arrival_time": "job.arrival_time", "runtime": "job.runtime_seconds", "wclimit": "job.walltime_seconds",
		"tasks": "job.tasks", "procs_per_task": "job.procs_per_task", "nodes": "job.nodes",
		"tasks_per_node":  "job.tasks_per_node",
		"mem_mb_per_task": "job.mem_per_task_mb", "swap_mb_per_task": "job.swap_per_task_mb",
		"disk_mb_per_task": "job.disk_per_task_mb",
		"req_node_mem_mb":  "job.node_mem_min_mb", "req_node_swap_mb": "job.node_swap_min_mb",
		"req_node_disk_mb": "job.node_disk_min_mb",
		"features":         "job.features", "partitions": "job.node_partitions", "hosts": "job.hosts",
		"alloc": "job.allocated_hosts",
	},
	// The comparison of node requirements is always "at least", and no case asks
	// for an operating system, an architecture or a standing reservation.
	Ignored: []string{"req_node_mem_cmp", "req_os", "req_arch", "reservation_access"},
	Finish:  finishMauiJob,
}

func finishMauiJob(r *format.Record) {
	tasks := r.Get("job.tasks")
	for _, per := range []struct{ task, total schema.ColumnID }{
		{"job.procs_per_task", "job.procs"},
		{"job.mem_per_task_mb", "job.mem_mb"},
		{"job.swap_per_task_mb", "job.swap_mb"},
		{"job.disk_per_task_mb", "job.disk_mb"},
	} {
		each := r.Get(per.task)
		if !tasks.Known() || !each.Known() {
			continue
		}
		total, ok := format.Product(tasks.Int, each.Int)
		if !ok {
			r.Fail(r.Start, r.End, "tasks times "+per.task.Name()+" is too large a number")
			return
		}
		r.Set(per.total, schema.IntValue(total))
	}
	// The QOS in force is the requested one until the policy's access lists and
	// defaults have had their say.
	if qos := r.Get("job.qos_requested"); qos.Known() {
		r.Set("job.qos", qos)
	}
	word := r.Get("job.state_word")
	state, held, ok := mauiState(word.Str)
	if !ok {
		r.Fail(r.Start, r.End, "the state "+strconv.Quote(word.Str)+" is none that Maui has")
		return
	}
	r.Set("job.state", schema.StringValue(state))
	r.Set("job.held", schema.BoolValue(held))
}

// mauiState translates Maui's state words (moab.h/MConst.c job states, as the
// Wiki interface and showq print them) whatever their case.
func mauiState(word string) (state string, held, ok bool) {
	switch strings.ToLower(word) {
	case "idle", "notqueued", "deferred":
		return "pending", false, true
	case "hold", "userhold", "systemhold", "batchhold":
		return "pending", true, true
	case "running", "starting":
		return "running", false, true
	case "suspended":
		return "suspended", false, true
	case "completed", "removed", "vacated":
		return "done", false, true
	}
	return "", false, false
}

func RecognizeJobs(h *format.Head) int {
	if r := h.JSON.Record; h.JSON.Open == '[' && r["wclimit"] && r["tasks"] {
		return format.Likely
	}
	return format.Foreign
}

func ReadJobs(in *format.Input) error {
	in.Snapshot.Family = "maui"
	return in.JSONArray(mauiJob, in.Jobs())
}
