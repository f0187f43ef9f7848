test "of ten jobs eight count" {
  policy = "idle-jobs.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "j" {
    user          = "ana"
    for_each      = range(1, 11)
    id            = each.key
    queue_seconds = "1h"
  }

  expect "counts" {
    eligible = 8
    blocked  = 2
  }
}
