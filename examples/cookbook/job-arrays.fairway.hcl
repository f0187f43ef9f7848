policy "site" {
  component "house" {
    term "large_array" {
      weight = -10
      cap    = 15
      factor = "has(job.array_tasks) ? log2(double(math.greatest(1, job.array_tasks))) : 0.0"
    }
  }
}
