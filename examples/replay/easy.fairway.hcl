policy "easy" {
  doc = "First come, first served, with EASY backfill."

  component "wait" {
    weight = 1
    term "queue_seconds" {
      weight = 1
      factor = "double(job.queue_seconds)"
    }
  }

  backfill {
    algorithm         = "firstfit"
    reservation_depth = 1
  }
}
