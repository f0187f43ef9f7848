policy "site" {
  define "night" {
    value = "now.getHours('Europe/Stockholm') >= 20 || now.getHours('Europe/Stockholm') < 6"
  }

  component "house" {
    term "small_gpu_jobs_at_night" {
      weight = 500
      factor = "job.gpus > 0 && job.gpus <= 2 && define.night ? 1.0 : 0.0"
    }
  }
}
