test "one for each participant, in a course" {
  policy = ["first-come.fairway.hcl", "course-seats.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "run" {
    user             = "ana"
    account          = "hpc101"
    state            = "running"
    procs            = 1
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
  }
  job "second" {
    user    = "ana"
    account = "hpc101"
  }
  job "bo" {
    user    = "bo"
    account = "hpc101"
  }
  job "elsewhere" {
    user    = "ana"
    account = "physics"
  }

  expect "job" "second" {
    state  = "blocked"
    reason = "one running job for each participant of a course"
  }
  expect "job" "bo" { state = "eligible" }
  expect "job" "elsewhere" { state = "eligible" }
}
