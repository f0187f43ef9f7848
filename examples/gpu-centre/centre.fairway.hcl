# The whole policy of a GPU centre: six nodes with eight GPUs each, three projects, and people who debug.
policy "centre" {
  doc = "Projects share by funding; short jobs and interactive work go first; GPUs are never left idle for long."

  param "GPU_HOURS_A_JOB" {
    type    = "integer"
    default = 384
    min     = 1
    doc     = "GPU-hours of a job: two days on a node, or 16 on one GPU."
  }
  param "MB_PER_GPU" {
    type    = "integer"
    default = 120000
    min     = 1
    doc     = "Memory that belongs to a GPU."
  }

  # Who: projects share the machine by their funding, users share within a project.
  fairshare "fair_tree" {}
  account "vision" {
    fairshare { shares = 50 }
    user "ana" {
      fairshare { shares = 1 }
    }
    user "bo" {
      fairshare { shares = 1 }
    }
    user "gus" {
      fairshare { shares = 1 }
    }
  }
  account "language" {
    fairshare { shares = 40 }
    user "cy" {
      fairshare { shares = 1 }
    }
    user "dee" {
      fairshare { shares = 1 }
    }
  }
  account "course" {
    fairshare { shares = 10 }
    user "eli" {
      fairshare { shares = 1 }
    }
    user "fay" {
      fairshare { shares = 1 }
    }

    limit "gpus" {
      count  = "gres/gpu"
      per    = "user"
      hard   = 1
      reason = "one GPU for each participant of the course"
    }
  }

  # What a job really occupies: memory blocks GPUs too.
  define "gpus_blocked" {
    value = "math.ceil(math.greatest(double(job.gpus), double(job.mem_mb) / double(param.MB_PER_GPU)))"
    doc   = "GPUs that no other job can use while the job runs."
  }
  define "gpu_hours" {
    value = "has(job.walltime_seconds) ? define.gpus_blocked * double(job.walltime_seconds) / 3600.0 : 0.0"
  }
  define "working_hours" {
    value = <<-CEL
      now.getDayOfWeek('Europe/Stockholm') in [1, 2, 3, 4, 5]
        && now.getHours('Europe/Stockholm') >= 8 && now.getHours('Europe/Stockholm') < 18
    CEL
  }

  # In which order.
  component "fairshare" {
    weight = 1000
    term "fairshare" { factor = "association.fairshare_factor" }
  }
  component "waiting" {
    cap = 720
    term "hours" {
      weight = 10
      factor = "double(job.queue_seconds) / 3600.0"
      doc    = "10 points an hour, for three days."
    }
  }
  component "interactive" {
    term "short" {
      weight = 300
      factor = "define.gpu_hours > 0.0 && define.gpu_hours <= 2.0 ? 1.0 : 0.0"
      doc    = "At most two GPU-hours: someone is waiting for the result."
    }
    term "by_day" {
      weight = 2000
      factor = "job.qos == 'interactive' && define.working_hours ? 1.0 : 0.0"
    }
  }
  component "waste" {
    term "blocked" {
      weight = -100
      factor = "define.gpus_blocked - double(job.gpus)"
      doc    = "For each GPU that a job's memory blocks and the job does not use."
    }
  }
  finish {
    floor    = 1
    rounding = "truncate"

    override "scavenger" {
      when  = "job.qos == 'scavenger'"
      value = "0"
      doc   = "Takes what no other job wants."
    }
  }

  # Who may start.
  hold "no_gpu" {
    when   = "job.gpus == 0"
    reason = "this machine is for GPU jobs"
  }
  hold "no_time_limit" {
    when   = "!has(job.walltime_seconds)"
    reason = "ask for a time limit"
  }
  hold "too_much_at_once" {
    when   = "job.qos != 'scavenger' && define.gpu_hours > double(param.GPU_HOURS_A_JOB)"
    reason = "over 384 GPU-hours: write checkpoints and submit it in parts"
  }
  user "DEFAULT" {
    limit "gpus" {
      count  = "gres/gpu"
      hard   = 16
      when   = "job.qos != 'scavenger'"
      reason = "a user may run on 16 GPUs"
    }
  }

  # When and where: the first job in line gets a reservation; on Monday mornings a node is for the course.
  backfill {
    algorithm         = "firstfit"
    reservation_depth = 1
  }
  reservation "course" {
    nodes    = ["g6"]
    days     = ["mon"]
    from     = "08:00"
    to       = "12:00"
    accounts = ["course"]
  }
}
