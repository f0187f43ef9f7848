test "by day it waits" {
  policy = ["first-come.fairway.hcl", "licence-hours.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "ansys" {
    user     = "ana"
    licenses = "ansys:2"
  }
  job "none" {
    user = "ana"
  }

  expect "job" "ansys" {
    state  = "held"
    reason = "ansys is for the office until 18:00 UTC"
  }
  expect "job" "none" { state = "eligible" }
}

test "at night it starts" {
  policy = ["first-come.fairway.hcl", "licence-hours.fairway.hcl"]
  now    = "2026-11-20T22:00:00Z"

  job "ansys" {
    user     = "ana"
    licenses = "ansys:2"
  }

  expect "job" "ansys" { state = "eligible" }
}
