# First come, first served: what the holds and limits here are tested on.
policy "site" {
  component "order" {
    term "waiting" { factor = "has(job.queue_minutes) ? job.queue_minutes : 0.0" }
  }
}
