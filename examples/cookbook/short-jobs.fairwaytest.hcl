test "an hour is short, more is not" {
  policy = "short-jobs.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "hour" {
    user             = "ana"
    walltime_seconds = "1h"
  }
  job "day" {
    user             = "ana"
    walltime_seconds = "1d"
  }
  job "none" {
    user = "ana"
  }

  expect "job" "hour" {
    term "house.short_jobs" { contribution = 300 }
  }
  expect "job" "day" {
    term "house.short_jobs" { contribution = 0 }
  }
  expect "job" "none" {
    term "house.short_jobs" { contribution = 0 }
  }
}
