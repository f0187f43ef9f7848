test "two hours are long for a job of an hour, and short for one of a day" {
  policy = "expansion-factor.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "hour" {
    user             = "ana"
    walltime_seconds = "1h"
    queue_seconds    = "2h"
  }
  job "day" {
    user             = "ana"
    walltime_seconds = "1d"
    queue_seconds    = "2h"
  }

  expect "job" "hour" {
    term "waiting.expansion_factor" { contribution = 300 }
  }
  expect "order" { jobs = ["hour", "day"] }
}

test "the cap holds" {
  policy = "expansion-factor.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "minute" {
    user             = "ana"
    walltime_seconds = 60
    queue_seconds    = "10h"
  }

  expect "job" "minute" {
    term "waiting.expansion_factor" { contribution = 2000 }
  }
}
