policy "site" {
  hold "no_time_limit" {
    when   = "!has(job.walltime_seconds) && !job.walltime_unlimited"
    reason = "ask for a time limit, as in --time=2:00:00"
  }
}
