package priority

all := [job_priority(job) | some job in input.jobs]

job_priority(job) := 0 if job.job_held > 0

job_priority(job) := max([0, x]) if {
	job.job_held == 0
	credential := (((2 * job.user_priority) + (2 * job.group_priority)) + (2 * job.account_priority)) +
		((10 * job.qos_priority) + (10 * job.partition_priority))
	fairshare := ((100 * job.user_fairshare_delta) + (10 * job.group_fairshare_delta)) +
		((100 * job.account_fairshare_delta) + (10 * job.qos_fairshare_delta))
	service := ((10 * min([job.job_queue_minutes, 1000])) +
		(job.qos_xfactor_weight * min([(job.job_queue_s + job.job_walltime_seconds) / job.job_walltime_seconds, 100]))) +
		(10 * min([job.job_bypass_count, 100]))
	memory := (0.5 * min([job.job_mem_mb, 5000])) + ((0.5 * min([job.job_swap, 5000])) + (0.5 * min([job.job_disk, 5000])))
	resource := (((10 * min([job.job_nodes, 100])) + (2 * min([job.job_procs, 1000]))) + memory) +
		(((0.5 * min([job.job_ps, 40000])) + (10 * min([job.job_pe, 1000]))) + (0.5 * job.job_target))
	x := ((min([credential, 5000]) + (2 * min([fairshare, 5000]))) + min([service, 40000])) + min([resource, 40000])
}
