# Holds with a phase refuse entries of jobs, in a policy of any scheduler.

test "phase: a job is blocked where all its entries are refused" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "size" {
        term "procs" { factor = "job.procs" }
      }
      hold "held" {
        when   = "job.procs == 1"
        reason = "too small"
      }
      hold "small_partition" {
        phase   = "queue"
        setting = "partition.procs"
        when    = "has(partition.procs) && job.procs > partition.procs"
        reason  = "more than the {partition.procs} of {partition.name}"
        text    = "it asks for {job.procs} processors"
      }
      hold "no_account" {
        phase = "start"
        when  = "job.account == ''"
      }
      partition "small" { procs = 8 }
      partition "large" { procs = 64 }
    }
  END
  }

  job "held" {
    procs     = 1
    partition = "small"
    account   = "physics"
  }
  job "fits" {
    procs     = 8
    partition = "small"
    account   = "physics"
  }
  job "refused" {
    procs     = 9
    partition = "small"
  }
  job "elsewhere" {
    procs      = 9
    partitions = ["small", "large"]
    account    = "physics"
  }
  job "later" {
    procs     = 4
    partition = "small"
  }

  expect "job" "held" {
    state  = "held"
    reason = "too small"
  }
  expect "job" "fits" { state = "eligible" }
  expect "job" "refused" {
    state  = "blocked"
    reason = "more than the 8 of small"
  }
  expect "job" "elsewhere" { state = "eligible" }
  expect "job" "later" {
    state  = "blocked"
    reason = "no_account"
  }
}

test "unknown: a hold refuses no job if it reads something of it that no input states" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "wait" {
        term "wait" { factor = "job.queue_minutes" }
      }
      hold "long" {
        phase = "queue"
        when  = "job.walltime_seconds > 3600"
      }
    }
  END
  }

  job "unknown" { submit_time = "2026-11-20T11:00:00Z" }
  job "long" {
    submit_time      = "2026-11-20T11:00:00Z"
    walltime_seconds = "2h"
  }

  expect "job" "unknown" { state = "eligible" }
  expect "job" "long" {
    state  = "blocked"
    reason = "long"
  }
}

test "maui: holds with a phase are asked before the walk of the queue" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "maui"
      hold "wide" {
        phase  = "queue"
        when   = "job.procs > 16"
        reason = "wide"
      }
    }
  END
  }

  node "n1" { procs = 64 }
  job "narrow" {
    procs            = 16
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "wide" {
    procs            = 17
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "narrow" { state = "eligible" }
  expect "job" "wide" {
    state  = "blocked"
    reason = "wide"
  }
}

test "slurm: the library's holds are overridden, removed and followed by the site's" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "slurm"
      hold "partition_time_limit" { reason = "ask for less" }
      hold "partition_nodes_max" { remove = true }
      hold "one_gpu_at_least" {
        phase  = "queue"
        when   = "partition.name == 'gpu' && job.gpus == 0"
        reason = "NoGPU"
        text   = "partition {partition.name} is for jobs with GPUs"
      }
      partition "gpu" {
        nodes_max            = 1
        walltime_max_seconds = "1h"
      }
    }
  END
  }

  job "long" {
    partition        = "gpu"
    gpus             = 1
    walltime_seconds = "2h"
  }
  job "wide" {
    partition        = "gpu"
    gpus             = 1
    nodes            = 2
    walltime_seconds = "1h"
  }
  job "without" {
    partition        = "gpu"
    walltime_seconds = "1h"
  }

  expect "job" "long" {
    state  = "blocked"
    reason = "ask_for_less"
  }
  expect "job" "wide" { state = "eligible" }
  expect "job" "without" {
    state  = "blocked"
    reason = "NoGPU"
  }
}
