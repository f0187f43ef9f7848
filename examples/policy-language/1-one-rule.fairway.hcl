policy "heath" {
  component "house" {
    term "small_gpu_jobs" {
      weight = 3000
      factor = "job.gpus == 1 ? 1.0 : 0.0"
    }
  }
}
