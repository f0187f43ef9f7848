policy "site" {
  component "size" {
    term "procs" { factor = "job.procs" }
  }

  finish {
    override "starving" {
      when  = "has(job.queue_seconds) && job.queue_seconds > 7 * 86400"
      value = "1000000.0 + score"
    }
  }
}
