# Of last week's usage a half is left: physics has used 40000/2 + 5000, ana 30000/2 + 5000 of it.
test "stated usage decays" {
  policy = "stated.fairway.hcl"
  now    = "2026-11-20T10:00:00Z"

  job "1" {
    user        = "ana"
    account     = "physics"
    procs       = 4
    submit_time = "2026-11-20T09:00:00Z"
  }
  job "2" {
    user        = "bo"
    account     = "chemistry"
    procs       = 4
    submit_time = "2026-11-20T09:30:00Z"
  }

  expect "association" "physics" { usage = 25000 }
  expect "association" "physics/ana" { usage = 20000 }
  expect "association" "chemistry" { usage = 4000 }
  expect "job" "2" { rank = 1 }
}

# A week later half of that is left.
test "and goes on to decay" {
  policy = "stated.fairway.hcl"
  now    = "2026-11-27T10:00:00Z"

  job "1" {
    user        = "ana"
    account     = "physics"
    procs       = 4
    submit_time = "2026-11-20T09:00:00Z"
  }

  expect "association" "physics" { usage = 12500 }
  expect "association" "chemistry/bo" { usage = 2000 }
}
