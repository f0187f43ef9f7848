SELECT CASE WHEN job_held > 0 THEN 0 ELSE greatest(0,
    least(2 * user_priority + 2 * group_priority + 2 * account_priority + 10 * qos_priority + 10 * partition_priority, 5000)
  + 2 * least(100 * user_fairshare_delta + 10 * group_fairshare_delta + 100 * account_fairshare_delta
      + 10 * qos_fairshare_delta, 5000)
  + least(10 * least(job_queue_minutes, 1000)
      + qos_xfactor_weight * least((job_queue_s + job_walltime_seconds) / job_walltime_seconds, 100)
      + 10 * least(job_bypass_count, 100), 40000)
  + least(10 * least(job_nodes, 100) + 2 * least(job_procs, 1000) + 0.5 * least(job_mem_mb, 5000)
      + 0.5 * least(job_swap, 5000) + 0.5 * least(job_disk, 5000) + 0.5 * least(job_ps, 40000)
      + 10 * least(job_pe, 1000) + 0.5 * job_target, 40000)) END AS priority
FROM jobs
