policy "heath" {
  hold "too_long" {
    when   = "has(job.walltime_seconds) && job.walltime_seconds > 86400 && job.account != 'vision'"
    reason = "only vision may ask for more than a day"
  }

  hold "no_gpu" {
    when   = "job.partition == 'gpu' && job.gpus == 0"
    reason = "gpu is for jobs with GPUs: use partition long"
  }
}
