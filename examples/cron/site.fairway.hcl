policy "pond" {
  param "SHORT_BONUS" {
    type    = "integer"
    default = 300
    min     = 0
    doc     = "Points of a job that needs at most an hour."
  }

  component "house" {
    doc = "House rules, on top of slurm.conf."

    term "short_jobs" {
      weight = "param.SHORT_BONUS"
      factor = "has(job.walltime_seconds) && job.walltime_seconds <= 3600 ? 1.0 : 0.0"
    }
  }
}
