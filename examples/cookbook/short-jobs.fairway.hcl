policy "site" {
  component "house" {
    term "short_jobs" {
      weight = 300
      factor = "has(job.walltime_seconds) && job.walltime_seconds <= 3600 ? 1.0 : 0.0"
    }
  }
}
