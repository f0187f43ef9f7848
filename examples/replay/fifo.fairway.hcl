policy "fifo" {
  doc = "First come, first served, and no job overtakes another."

  component "wait" {
    weight = 1
    term "queue_seconds" {
      weight = 1
      factor = "double(job.queue_seconds)"
    }
  }

  backfill {
    algorithm = "none"
  }
}
