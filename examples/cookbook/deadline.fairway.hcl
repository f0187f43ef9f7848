policy "site" {
  component "house" {
    term "deadline" {
      weight = 2000
      factor = <<-CEL
        has(job.deadline) && has(job.walltime_seconds)
          ? clamp(1.0 - double((job.deadline - now).getSeconds() - job.walltime_seconds) / 86400.0, 0.0, 1.0) : 0.0
      CEL
    }
  }
}
