test "what ends before it may start" {
  policy = ["first-come.fairway.hcl", "maintenance.fairway.hcl"]
  now    = "2026-11-29T12:00:00Z"

  job "day" {
    user             = "ana"
    walltime_seconds = "1d"
  }
  job "week" {
    user             = "ana"
    walltime_seconds = "7d"
  }

  expect "job" "day" { state = "eligible" }
  expect "job" "week" {
    state  = "held"
    reason = "would reach into the maintenance of 1 December, which ends at 19:00 UTC"
  }
}

test "afterwards nothing is held" {
  policy = ["first-come.fairway.hcl", "maintenance.fairway.hcl"]
  now    = "2026-12-01T20:00:00Z"

  job "week" {
    user             = "ana"
    walltime_seconds = "7d"
  }

  expect "job" "week" { state = "eligible" }
}
