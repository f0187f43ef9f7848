test "who waits longer goes first" {
  policy = "first-come.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "new" {
    user          = "ana"
    queue_seconds = "1m"
  }
  job "old" {
    user          = "ana"
    queue_seconds = "1h"
  }

  expect "order" { jobs = ["old", "new"] }
}
