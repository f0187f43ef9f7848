policy "heath" {
  component "house" {
    term "size" {
      weight = 10
      factor = "job.procs * 0.5"
    }
    term "patience" {
      weight = 1
      factor = "job.queue_minute"
    }
  }
}
