test "what may not start says why" {
  policy = ["../site-component/slurm.conf", "3-holds.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "long" {
    user             = "cy"
    account          = "speech"
    partition        = "gpu"
    gpus             = 1
    walltime_seconds = "2d"
  }
  job "odd" {
    user             = "cy"
    account          = "speech"
    partition        = "gpu"
    procs            = 12
    walltime_seconds = "1h"
  }
  job "fine" {
    user             = "bo"
    account          = "vision"
    partition        = "gpu"
    gpus             = 2
    walltime_seconds = "2d"
  }

  expect "job" "long" {
    state  = "held"
    reason = "only vision may ask for more than a day"
  }
  expect "job" "odd" {
    state  = "held"
    reason = "gpu is for jobs with GPUs: use partition long"
  }
  expect "job" "fine" { state = "eligible" }
}
