test "bo has nothing running" {
  policy = "first-job.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "run" {
    user             = "ana"
    state            = "running"
    procs            = 1
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
  }
  job "ana" {
    user = "ana"
  }
  job "bo" {
    user = "bo"
  }

  expect "job" "ana" {
    term "house.nothing_runs" { contribution = 0 }
  }
  expect "job" "bo" {
    term "house.nothing_runs" { contribution = 400 }
  }
}
