policy "heath" {
  param "SMALL_GPU_BONUS" {
    type    = "integer"
    default = 3000
    min     = 0
    doc     = "Points of a GPU job that needs one GPU."
  }

  define "hours_waited" {
    value = "has(job.submit_seconds) ? double(job.submit_seconds) / 3600.0 : 0.0"
    doc   = "Hours since the job was submitted."
  }

  component "house" {
    doc = "House rules, agreed in the user meeting."

    term "small_gpu_jobs" {
      weight = "param.SMALL_GPU_BONUS"
      factor = "job.gpus == 1 ? 1.0 : 0.0"
    }
    term "patience" {
      weight = 10
      cap    = 24
      factor = "define.hours_waited"
      doc    = "10 points an hour, for a day."
    }
    term "project" {
      for_each = { vision = 500, speech = 200 }
      weight   = each.value
      factor   = "job.account == each.key ? 1.0 : 0.0"
    }
  }
}
