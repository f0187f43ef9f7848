test "wide or long, not both" {
  policy = ["first-come.fairway.hcl", "node-hours.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "wide" {
    user             = "ana"
    procs            = 1000
    walltime_seconds = "20h"
  }
  job "long" {
    user             = "ana"
    procs            = 100
    walltime_seconds = "7d"
  }
  job "both" {
    user             = "ana"
    procs            = 1000
    walltime_seconds = "21h"
  }

  expect "job" "wide" { state = "eligible" }
  expect "job" "long" { state = "eligible" }
  expect "job" "both" {
    state  = "held"
    reason = "a job may take 20,000 processor-hours: ask for less time or fewer processors"
  }
}
