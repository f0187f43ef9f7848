package oracle

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// refused reports a row that is in no queue: its partition does not take the job. What keeps a job
// waiting before any partition is asked keeps its rows. Thresholds and lists of accounts, QOS and
// nodes are none of the oracle's.
func (q *queue) refused(r row) bool {
	job, name := r.cells, r.cells.text("job.partition")
	begin, most := job["job.begin_time"], job["job.array_running_max"]
	switch {
	case q.policy.Enforced == nil || !q.hasPartition(name):
		return false
	case job["job.held"].Int != 0 || job.text("job.dependency") != "" || begin.Known() && begin.Int > q.snap.Now:
		return false
	case job.text("job.reservation") != "" && job.text("job.state_reason") == "Reservation":
		return false
	case most.Known() && most.Int > 0 && q.runningTasks(job["job.array_job_id"]) >= most.Int:
		return false
	}
	is := func(column string) schema.Value { return q.stated(schema.ColumnID("partition."+column), name) }
	limited := func(column string) bool { return is(column).Known() && is(column).Int >= 0 }
	more := func(n int64, column string) bool { return limited(column) && n > is(column).Int }
	state := strings.ToUpper(is("state").Str)
	if now := q.recorded("partition.state", name); now.Known() && now.Str != "" && (state == "" || state == "UP") {
		state = strings.ToUpper(now.Str)
	}
	procs, nodes, memory := job["job.procs"].Int, max(1, job["job.nodes"].Int), job["job.mem_mb"].Int
	if state == "DOWN" || state == "INACTIVE" || is("needs_reservation").Int != 0 && job.text("job.reservation") == "" {
		return true
	}
	if is("root_only").Int != 0 && job.text("job.user") != "root" || more(procs, "procs") || more(nodes, "nodes") {
		return true
	}
	if limited("procs_per_node_max") && limited("nodes") && procs > is("procs_per_node_max").Int*is("nodes").Int {
		return true
	}
	if more(nodes, "nodes_max") && !q.mayPass(r, "partitionmaxnodes") {
		return true
	}
	if top := job["job.nodes_max"].Int; top > 0 && is("nodes_min").Int > top && !q.mayPass(r, "partitionminnodes") {
		return true
	}
	seconds := job["job.walltime_seconds"]
	if least := job["job.walltime_min_seconds"]; least.Int > 0 {
		seconds = least
	}
	long := limited("walltime_max_seconds") && job["job.walltime_unlimited"].Int != 0 || seconds.Known() && more(seconds.Int, "walltime_max_seconds")
	if long && !q.mayPass(r, "partitiontimelimit") {
		return true
	}
	return more(memory/nodes, "mem_per_node_max_mb") || procs > 0 && more(memory/procs, "mem_per_proc_max_mb")
}

// hasPartition: a partition nobody describes refuses nothing.
func (q *queue) hasPartition(name string) bool {
	for _, t := range q.policy.Tables {
		if _, ok := (tableOf{t}).row(name); ok && t.Column.Object() == "partition" {
			return true
		}
	}
	return slices.Contains(q.names("partition"), name)
}

// mayPass reports a QOS, the job's or its partition's, with a flag.
func (q *queue) mayPass(r row, flag string) bool {
	for _, qos := range []string{q.stated("partition.qos", r.cells.text("job.partition")).Str, r.cells.text("job.qos")} {
		for _, f := range q.stated("qos.flags", qos).List {
			if strings.EqualFold(f, flag) {
				return true
			}
		}
	}
	return false
}

func (q *queue) runningTasks(array schema.Value) int64 {
	n := int64(0)
	for _, job := range q.jobs {
		if id := job["job.array_job_id"]; array.Known() && id.Known() && id.Int == array.Int && slices.Contains([]string{"running", "suspended", "completing"}, job.text("job.state")) {
			n++
		}
	}
	return n
}
