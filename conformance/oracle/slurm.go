package oracle

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// refused reports a row that is in no queue: its partition does not take the job. What keeps a job
// waiting before any partition is asked keeps its rows. Thresholds are none of the oracle's.
func (q *queue) refused(r row) bool {
	job := r.cells
	begin, most := job["job.begin_time"], job["job.array_running_max"]
	switch {
	case q.policy.Enforced == nil:
		return false
	case job["job.held"].Int != 0 || job.text("job.dependency") != "" || begin.Known() && begin.Int > q.snap.Now:
		return false
	case job.text("job.reservation") != "" && job.text("job.state_reason") == "Reservation":
		return false
	case most.Known() && most.Int > 0 && q.runningTasks(job["job.array_job_id"]) >= most.Int:
		return false
	}
	return q.refusal(r) != ""
}

// Refusal is the reason with which a row's partition refuses its job, by slurmctld's rules alone; "" if it takes it.
func (a *Answer) Refusal(row int) string { return a.queue.refusal(a.queue.rows[row]) }

// refusal asks in slurmctld's order: group and state, what the partition never takes, its lists.
func (q *queue) refusal(r row) string {
	job, name := r.cells, r.cells.text("job.partition")
	if !q.hasPartition(name) {
		return ""
	}
	is := func(column string) schema.Value { return q.stated(schema.ColumnID("partition."+column), name) }
	groups, root := is("groups_allowed").List, job.text("job.user") == "root"
	if len(groups) > 0 && !root && !slices.Contains(groups, job.text("job.group")) &&
		job.text("job.state_reason") == "PartitionConfig" {
		return "PartitionConfig"
	}
	state := strings.ToUpper(is("state").Str)
	if now := q.recorded("partition.state", name); now.Known() && now.Str != "" && (state == "" || state == "UP") {
		state = strings.ToUpper(now.Str)
	}
	switch state {
	case "DOWN":
		return "PartitionDown"
	case "INACTIVE":
		return "PartitionInactive"
	}
	if is("needs_reservation").Int != 0 && job.text("job.reservation") == "" || is("root_only").Int != 0 && !root {
		return "PartitionConfig"
	}
	if word := q.doesNotFit(r, is); word != "" {
		return word
	}
	return q.notListed(job, name, is)
}

// doesNotFit compares what a job asks for with what its partition has and gives.
func (q *queue) doesNotFit(r row, is func(string) schema.Value) string {
	job := r.cells
	limited := func(column string) bool { return is(column).Known() && is(column).Int >= 0 }
	more := func(n int64, column string) bool { return limited(column) && n > is(column).Int }
	procs, nodes, memory := job["job.procs"].Int, max(1, job["job.nodes"].Int), job["job.mem_mb"].Int
	perNode := limited("procs_per_node_max") && limited("nodes") && procs > is("procs_per_node_max").Int*is("nodes").Int
	if more(procs, "procs") || perNode {
		return "PartitionConfig"
	}
	if more(nodes, "nodes") {
		return "PartitionNodeLimit"
	}
	if q.hasStranger(job["job.hosts"].List, job.text("job.partition")) {
		return "PartitionConfig"
	}
	top := job["job.nodes_max"].Int
	if more(nodes, "nodes_max") && !q.mayPass(r, "partitionmaxnodes") ||
		top > 0 && is("nodes_min").Int > top && !q.mayPass(r, "partitionminnodes") {
		return "PartitionNodeLimit"
	}
	seconds := job["job.walltime_seconds"]
	if least := job["job.walltime_min_seconds"]; least.Int > 0 {
		seconds = least
	}
	endless := limited("walltime_max_seconds") && job["job.walltime_unlimited"].Int != 0
	if (endless || seconds.Known() && more(seconds.Int, "walltime_max_seconds")) && !q.mayPass(r, "partitiontimelimit") {
		return "PartitionTimeLimit"
	}
	if more(memory/nodes, "mem_per_node_max_mb") || procs > 0 && more(memory/procs, "mem_per_proc_max_mb") {
		return "MaxMemPerLimit"
	}
	return ""
}

// hasStranger reports a node that is not in a partition, where nodes say which they are in.
func (q *queue) hasStranger(hosts []string, partition string) bool {
	nodes := q.snap.Nodes
	if nodes.Column("node.id") == nil || nodes.Column("node.partitions") == nil {
		return false
	}
	for _, host := range hosts {
		found := false
		for n := range nodes.Rows {
			found = found || nodes.Value("node.id", n).Str == host &&
				slices.Contains(nodes.Value("node.partitions", n).List, partition)
		}
		if !found {
			return true
		}
	}
	return false
}

// notListed looks a job's account and QOS up in its partition's lists.
func (q *queue) notListed(job cells, partition string, is func(string) schema.Value) string {
	account := strings.ToLower(job.text("job.account"))
	accounts, word := []string{account}, "Job's_account_not_permitted_to_use_this_partition_"
	if release := strings.Replace(q.policy.Version, ".", "", 1); len(release) == 4 && release >= "2302" {
		for up := q.parent(account); up != "" && !slices.Contains(accounts, up); up = q.parent(up) {
			accounts = append(accounts, up)
		}
		word = "PartitionConfig"
	}
	if said := inLists(partition, accounts, is("accounts_allowed").List, is("accounts_denied").List); said != "" {
		if word != "PartitionConfig" {
			word += said
		}
		return word
	}
	if said := inLists(partition, []string{job.text("job.qos")}, is("qos_allowed").List,
		is("qos_denied").List); said != "" {
		return "Job's_QOS_not_permitted_to_use_this_partition_" + said
	}
	return ""
}

// inLists says how lists refuse the first of some names, any of them on a list; "" if they do not.
func inLists(partition string, names, allowed, denied []string) string {
	on := func(list []string) bool {
		for _, have := range list {
			for _, name := range names {
				if strings.EqualFold(have, name) {
					return true
				}
			}
		}
		return false
	}
	switch {
	case names[0] == "":
	case len(allowed) > 0 && !on(allowed):
		return "(" + partition + "_allows_" + strings.Join(allowed, ",") + "_not_" + names[0] + ")"
	case len(allowed) == 0 && on(denied):
		return "(" + partition + "_denies_" + strings.Join(denied, ",") + "_including_" + names[0] + ")"
	}
	return ""
}

// parent is the account above one, by the policy's tree or its associations.
func (q *queue) parent(account string) string {
	for _, f := range q.policy.Fairshare {
		for _, a := range f.Associations {
			if a.User == "" && a.Account == account {
				return a.Parent
			}
		}
	}
	return q.stated("association.parent", account).Str
}

// hasPartition: a partition that no input describes refuses nothing.
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
		if id := job["job.array_job_id"]; array.Known() && id.Known() && id.Int == array.Int &&
			slices.Contains([]string{"running", "suspended", "completing"}, job.text("job.state")) {
			n++
		}
	}
	return n
}
