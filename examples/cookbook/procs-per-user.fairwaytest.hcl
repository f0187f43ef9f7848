test "bo is at his limit, ana is not" {
  policy = ["first-come.fairway.hcl", "procs-per-user.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "ana run" {
    user             = "ana"
    state            = "running"
    procs            = 128
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
  }
  job "bo run" {
    user             = "bo"
    state            = "running"
    procs            = 128
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
  }
  job "ana" {
    user  = "ana"
    procs = 64
  }
  job "bo" {
    user  = "bo"
    procs = 1
  }

  expect "job" "ana" { state = "eligible" }
  expect "job" "bo" {
    state  = "blocked"
    reason = "a user may run on 128 processors"
  }
}
