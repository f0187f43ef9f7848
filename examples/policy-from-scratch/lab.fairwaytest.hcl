test "the classroom goes before the batch queue during classes" {
  policy   = "lab.fairway.hcl"
  snapshot = "queue.csv"
  now      = "2026-11-20T10:00:00Z"

  expect "order" { jobs = ["16", "11", "13", "14", "12"] }
  assert {
    condition = "job['11'].priority > job['12'].priority + 400"
    message   = "a class must not wait for homework"
  }
}

test "waiting counts for two days at most" {
  policy = "lab.fairway.hcl"
  now    = "2026-11-20T10:00:00Z"

  job "week" {
    user          = "ana"
    procs         = 1
    queue_seconds = "7d"
  }

  expect "job" "week" { priority = 580 }
}
