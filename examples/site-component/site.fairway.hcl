# What slurm.conf cannot say: at night, small GPU jobs go first, and jobs that
# ask for whole nodes but use one GPU of each wait.
policy "heath" {
  param "NIGHT_BONUS" {
    type    = "integer"
    default = 800
    min     = 0
    doc     = "Points of a small GPU job between 20:00 and 06:00."
  }

  component "house" {
    doc = "House rules, agreed in the user meeting."

    term "small_gpu_jobs_at_night" {
      weight = "param.NIGHT_BONUS"
      factor = <<-CEL
        job.gpus > 0 && job.gpus <= 2 && has(job.walltime_seconds) && job.walltime_seconds <= 4 * 3600
          && (now.getHours() >= 20 || now.getHours() < 6) ? 1.0 : 0.0
      CEL
    }

    term "idle_gpus" {
      weight = -300
      factor = "job.exclusive && job.nodes > 0 ? clamp(1.0 - double(job.gpus) / double(4 * job.nodes), 0.0, 1.0) : 0.0"
      doc    = "Share of the GPUs of its nodes that an exclusive job leaves idle."
    }
  }

  hold "no_time_limit" {
    when   = "!has(job.walltime_seconds)"
    reason = "ask for a time limit"
  }
}
