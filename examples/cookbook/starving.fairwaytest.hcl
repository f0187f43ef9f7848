test "a small job that has waited for eight days goes before a large one" {
  policy = "starving.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "large" {
    user          = "ana"
    procs         = 512
    queue_seconds = "1h"
  }
  job "small" {
    user          = "ana"
    procs         = 1
    queue_seconds = "8d"
  }
  job "other" {
    user          = "ana"
    procs         = 4
    queue_seconds = "9d"
  }

  expect "order" { jobs = ["other", "small", "large"] }
}
