# The promises of the house rules.

test "a small GPU job overtakes at night" {
  policy   = ["slurm.conf", "site.fairway.hcl"]
  snapshot = "queue.json"
  cite     = "minutes of the user meeting, 3 November"

  expect "job" "72" {
    rank = 1
    term "house.small_gpu_jobs_at_night" { contribution = 800 }
  }
  expect "order" { jobs = ["72", "73"] }
}

test "not by day" {
  policy   = ["slurm.conf", "site.fairway.hcl"]
  snapshot = "queue.json"
  now      = "2026-11-21T10:00:00Z"

  expect "order" { jobs = ["73", "71", "72"] }
  expect "job" "72" {
    term "house.small_gpu_jobs_at_night" { contribution = 0 }
  }
}

test "idle GPUs cost at most 300" {
  policy = ["slurm.conf", "site.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "half" {
    user             = "ana"
    partition        = "gpu"
    walltime_seconds = "1h"
    nodes            = 2
    gpus             = 4
    exclusive        = true
  }
  job "none" {
    user             = "ana"
    partition        = "gpu"
    walltime_seconds = "1h"
    nodes            = 2
    exclusive        = true
  }

  expect "job" "half" {
    term "house.idle_gpus" { contribution = -150 }
  }
  expect "job" "none" {
    term "house.idle_gpus" { contribution = -300 }
  }
}

test "a job without a time limit waits" {
  policy   = ["slurm.conf", "site.fairway.hcl"]
  snapshot = "queue.json"

  expect "job" "75" {
    state  = "held"
    reason = "ask for a time limit"
  }
}
