test "it rises to the last moment" {
  policy = "deadline.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "half" {
    user             = "ana"
    walltime_seconds = "1h"
    deadline         = "2026-11-21T01:00:00Z"
  }
  job "now" {
    user             = "ana"
    walltime_seconds = "1h"
    deadline         = "2026-11-20T13:00:00Z"
  }
  job "later" {
    user             = "ana"
    walltime_seconds = "1h"
    deadline         = "2026-11-29T12:00:00Z"
  }

  expect "job" "half" {
    term "house.deadline" { contribution = 1000 }
  }
  expect "job" "now" {
    term "house.deadline" { contribution = 2000 }
  }
  expect "job" "later" {
    term "house.deadline" { contribution = 0 }
  }
}
