policy "site" {
  component "house" {
    term "requeued" {
      weight = 250
      cap    = 3
      factor = "job.restarts"
    }
  }
}
