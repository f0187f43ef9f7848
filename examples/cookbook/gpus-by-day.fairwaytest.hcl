test "four are enough by day" {
  policy = ["first-come.fairway.hcl", "gpus-by-day.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "run" {
    user             = "ana"
    state            = "running"
    gpus             = 4
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
  }
  job "next" {
    user = "ana"
    gpus = 1
  }

  expect "job" "next" {
    state  = "blocked"
    reason = "four GPUs for each user until 20:00 UTC"
  }
}

test "at night more may run" {
  policy = ["first-come.fairway.hcl", "gpus-by-day.fairway.hcl"]
  now    = "2026-11-20T21:00:00Z"

  job "run" {
    user             = "ana"
    state            = "running"
    gpus             = 4
    walltime_seconds = "1h"
    start_time       = "2026-11-20T20:30:00Z"
  }
  job "next" {
    user = "ana"
    gpus = 1
  }

  expect "job" "next" { state = "eligible" }
}
