policy "site" {
  component "waiting" {
    term "minutes" { factor = "job.queue_minutes" }
  }

  user "DEFAULT" {
    limit "idle_jobs" {
      hard   = 8
      reason = "eight waiting jobs of a user count at a time"
    }
  }
}
