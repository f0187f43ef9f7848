package snapshot

// jobMember reads one member of a job of squeue, scontrol and slurmrestd, in
// any version of the data parser (reference: openapi job_info).
func (c *slurmJSON) jobMember(j *slurmJob, key []byte) (err error) {
	switch string(key) {
	case "job_id":
		j.id, err = c.identifier("job_id")
	case "array_job_id": // 0 outside arrays
		j.arrayJob, err = c.count("array_job_id")
	case "het_job_id": // 0 outside heterogeneous jobs
		j.hetJob, err = c.count("het_job_id")
	case "het_job_offset":
		j.hetOffset, err = c.integer("het_job_offset")
	case "array_task_id":
		j.arrayTask, err = c.integer("array_task_id")
	case "array_task_string": // the tasks not yet split off, such as 0-7%3
		var rest optional[string]
		rest, err = c.words("array_task_string")
		j.rest(rest.value)
	case "array_max_tasks": // 0 for no bound
		j.arrayMax, err = c.count("array_max_tasks")
	case "name":
		j.name, err = c.words("name")
	case "user_name":
		j.user, err = c.words("user_name")
	case "group_name":
		j.group, err = c.words("group_name")
	case "account":
		j.account, err = c.words("account")
	case "qos":
		j.qos, err = c.words("qos")
	case "partition":
		j.partition, err = c.words("partition")
	case "job_state":
		j.state, err = c.wordList("job_state", j.state[:0])
	case "state_reason":
		j.reason, err = c.words("state_reason")
	case "state_description":
		j.description, err = c.words("state_description")
	case "dependency":
		j.dependency, err = c.words("dependency")
	case "priority":
		j.priority, err = c.integer("priority")
	case "priority_by_partition": // since 25.05; empty for a job of one partition
		j.partitionPriorities, err = c.partitionPriorities(j.partitionPriorities[:0])
	case "hold":
		j.hold, err = c.boolean("hold")
	case "nice":
		j.nice, err = c.nice("nice")
	case "restart_cnt":
		j.restarts, err = c.integer("restart_cnt")
	case "submit_time":
		start := c.at
		j.submit, err = c.epoch("submit_time")
		j.submitAt = place{start, c.at}
	case "eligible_time":
		j.eligible, err = c.epoch("eligible_time")
	case "accrue_time":
		j.accrue, err = c.epoch("accrue_time")
	case "start_time":
		j.start, err = c.epoch("start_time")
	case "end_time":
		j.end, err = c.epoch("end_time")
	case "last_sched_evaluation":
		j.evaluated, err = c.epoch("last_sched_evaluation")
	case "deadline":
		j.deadline, err = c.epoch("deadline")
	case "time_limit": // in minutes, as are all limits
		j.limitSeconds, err = c.minutes("time_limit")
	case "time_minimum":
		if j.limitMinSeconds, err = c.minutes("time_minimum"); j.limitMinSeconds.value == 0 {
			j.limitMinSeconds = open[int64]()
		}
	default:
		return c.jobRequest(j, key)
	}
	return err
}

// jobRequest reads what the job asks for.
func (c *slurmJSON) jobRequest(j *slurmJob, key []byte) (err error) {
	switch string(key) {
	case "tasks":
		j.tasks, err = c.count("tasks")
	case "cpus_per_task":
		j.cpusPerTask, err = c.count("cpus_per_task")
	case "cpus":
		j.cpus, err = c.count("cpus")
	case "max_cpus":
		j.cpusMax, err = c.count("max_cpus")
	case "node_count":
		j.nodes, err = c.count("node_count")
	case "max_nodes":
		j.nodesMax, err = c.count("max_nodes")
	case "tasks_per_node":
		j.tasksPerNode, err = c.count("tasks_per_node")
	case "tasks_per_core":
		j.tasksPerCore, err = c.count("tasks_per_core")
	case "threads_per_core":
		j.threadsPerCore, err = c.count("threads_per_core")
	case "minimum_tmp_disk_per_node":
		j.tmpDiskPerNodeMB, err = c.integer("minimum_tmp_disk_per_node")
	case "memory_per_cpu":
		j.memPerCPUMB, err = c.count("memory_per_cpu")
	case "memory_per_node":
		j.memPerNodeMB, err = c.count("memory_per_node")
	case "tres_req_str":
		j.tresRequested, err = c.tres("tres_req_str")
	case "tres_alloc_str":
		j.tresAllocated, err = c.tres("tres_alloc_str")
	case "tres_per_node":
		j.tresPerNode, err = c.words("tres_per_node")
	case "tres_per_job":
		j.tresPerJob, err = c.words("tres_per_job")
	case "tres_per_task":
		j.tresPerTask, err = c.words("tres_per_task")
	case "features":
		j.features, err = c.words("features")
	case "licenses":
		j.licenses, err = c.words("licenses")
	case "resv_name":
		j.reservation, err = c.words("resv_name")
	case "comment":
		j.comment, err = c.words("comment")
	case "required_nodes":
		j.hosts, err = c.hosts("required_nodes")
	case "excluded_nodes":
		j.excludedHosts, err = c.hosts("excluded_nodes")
	case "nodes": // where it runs; empty while it is pending
		j.allocatedHosts, err = c.hosts("nodes")
	case "job_resources":
		return c.jobResources(j)
	case "shared": // "none" is --exclusive; a string, a list or null by version
		var shared []string
		shared, err = c.wordList("shared", nil)
		j.exclusive = known(len(shared) > 0 && shared[0] == "none")
	}
	return err
}

// partitionPriorities reads what slurmctld keeps for each partition of a job, as PARTITION=NUMBER.
func (c *slurmJSON) partitionPriorities(into []string) ([]string, error) {
	const field = "priority_by_partition"
	if c.peek() != '[' {
		return into, c.skip()
	}
	err := c.array(func() error {
		var partition optional[string]
		var priority optional[int64]
		err := c.members(func(key []byte) (err error) {
			switch string(key) {
			case "partition":
				partition, err = c.words(field)
			case "priority":
				priority, err = c.integer(field)
			}
			return err
		})
		if partition.value != "" && priority.known {
			into = append(into, partition.value+"="+itoa(priority.value))
		}
		return err
	})
	return into, err
}

// identifier reads an id that is written as a number or as a string.
func (c *slurmJSON) identifier(field string) (string, error) {
	if c.peek() == '"' {
		w, err := c.words(field)
		return w.value, err
	}
	at := c.at
	n, err := c.integer(field)
	if err == nil && !n.known {
		c.fail(field, at, "%s is no id", excerpt(c.text[at:c.at]))
	}
	return itoa(n.value), err
}

// accountingMember reads one member of a job of sacct --json and slurmrestd's
// slurmdb answers.
func (c *slurmJSON) accountingMember(j *slurmJob, key []byte) (err error) {
	switch string(key) {
	case "job_id", "name", "account", "qos", "partition", "priority", "hold", "licenses", "restart_cnt":
		return c.jobMember(j, key)
	case "user":
		j.user, err = c.words("user")
	case "group":
		j.group, err = c.words("group")
	case "constraints":
		j.features, err = c.words("constraints")
	case "nodes":
		j.allocatedHosts, err = c.hosts("nodes")
	case "allocation_nodes":
		j.nodes, err = c.count("allocation_nodes")
	case "array":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "job_id":
				j.arrayJob, err = c.count("array.job_id")
			case "task_id":
				j.arrayTask, err = c.integer("array.task_id")
			case "task":
				var rest optional[string]
				rest, err = c.words("array.task")
				j.rest(rest.value)
			}
			return err
		})
	case "association":
		return c.members(func(key []byte) (err error) {
			if string(key) == "user" && j.user.value == "" {
				j.user, err = c.words("association.user")
			}
			return err
		})
	case "state":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "current":
				j.state, err = c.wordList("state.current", j.state[:0])
			case "reason":
				j.reason, err = c.words("state.reason")
			}
			return err
		})
	case "time":
		return c.members(func(key []byte) error { return c.accountingTime(j, key) })
	case "required":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "CPUs":
				j.cpus, err = c.count("required.CPUs")
			case "memory_per_cpu":
				j.memPerCPUMB, err = c.count("required.memory_per_cpu")
			case "memory_per_node":
				j.memPerNodeMB, err = c.count("required.memory_per_node")
			}
			return err
		})
	case "tres":
		return c.members(func(key []byte) (err error) {
			switch string(key) {
			case "allocated":
				j.tresAllocated, err = c.tresRecords("tres.allocated")
			case "requested":
				j.tresRequested, err = c.tresRecords("tres.requested")
			}
			return err
		})
	case "reservation":
		return c.members(func(key []byte) (err error) {
			if string(key) == "name" {
				j.reservation, err = c.words("reservation.name")
			}
			return err
		})
	}
	return err
}

// accountingTime: the times are epoch seconds, the limit minutes.
func (c *slurmJSON) accountingTime(j *slurmJob, key []byte) (err error) {
	switch string(key) {
	case "submission":
		start := c.at
		j.submit, err = c.epoch("time.submission")
		j.submitAt = place{start, c.at}
	case "eligible":
		j.eligible, err = c.epoch("time.eligible")
	case "start":
		j.start, err = c.epoch("time.start")
	case "end":
		j.end, err = c.epoch("time.end")
	case "limit":
		j.limitSeconds, err = c.minutes("time.limit")
	case "elapsed":
		j.elapsedSeconds, err = c.integer("time.elapsed")
	case "total":
		return c.members(func(key []byte) error {
			var n optional[int64]
			var err error
			switch string(key) {
			case "seconds":
				n, err = c.integer("time.total.seconds")
				j.cpuSeconds = known(j.cpuSeconds.value + float64(n.value))
			case "microseconds":
				n, err = c.integer("time.total.microseconds")
				j.cpuSeconds = known(j.cpuSeconds.value + float64(n.value)/1e6)
			}
			return err
		})
	}
	return err
}

// members reads an object, or null as an empty one; anything else is passed over.
func (c *slurmJSON) members(member func(key []byte) error) error {
	if c.peek() != '{' {
		return c.skip()
	}
	return c.object(member)
}
