policy "site" {
  component "house" {
    term "nothing_runs" {
      weight = 400
      factor = "job.user_active_count == 0 ? 1.0 : 0.0"
    }
  }
}
