test "without a limit it waits" {
  policy = ["first-come.fairway.hcl", "time-limit.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "none" {
    user = "ana"
  }
  job "hour" {
    user             = "ana"
    walltime_seconds = "1h"
  }

  expect "job" "none" {
    state  = "held"
    reason = "ask for a time limit, as in --time=2:00:00"
  }
  expect "job" "hour" { state = "eligible" }
}
