policy "site" {
  hold "too_many_processor_hours" {
    when   = "has(job.walltime_seconds) && job.procs * job.walltime_seconds > 20000 * 3600"
    reason = "a job may take 20,000 processor-hours: ask for less time or fewer processors"
  }
}
