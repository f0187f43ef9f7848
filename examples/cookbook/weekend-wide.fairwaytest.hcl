test "half the machine on a Saturday" {
  policy = "weekend-wide.fairway.hcl"
  now    = "2026-11-21T12:00:00Z"

  job "half" {
    user  = "ana"
    procs = 64
  }

  node "n1" { procs = 128 }

  expect "job" "half" {
    term "house.wide_at_weekend" { contribution = 500 }
  }
}

test "nothing on a Friday" {
  policy = "weekend-wide.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "half" {
    user  = "ana"
    procs = 64
  }

  node "n1" { procs = 128 }

  expect "job" "half" {
    term "house.wide_at_weekend" { contribution = 0 }
  }
}
