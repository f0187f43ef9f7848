policy "site" {
  hold "no_gpu" {
    when   = "job.partition == 'gpu' && job.gpus == 0"
    reason = "partition gpu is for jobs with GPUs: use batch"
  }
}
