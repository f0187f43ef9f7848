policy "site" {
  component "waiting" {
    term "hours" {
      weight = 100
      factor = "log2(1.0 + job.queue_minutes / 60.0)"
    }
  }
}
