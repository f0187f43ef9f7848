policy "site" {
  component "waiting" {
    term "expansion_factor" {
      weight = 100
      cap    = 20
      factor = <<-CEL
        has(job.walltime_seconds)
          ? 1.0 + double(job.queue_seconds) / double(math.greatest(900, job.walltime_seconds)) : 1.0
      CEL
    }
  }
}
