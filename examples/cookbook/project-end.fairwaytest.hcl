test "eleven days before the end" {
  policy = "project-end.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "ending" {
    user    = "ana"
    account = "climate"
  }
  job "other" {
    user    = "ana"
    account = "genomics"
  }

  expect "job" "ending" {
    term "projects.last_weeks[climate]" { contribution = 400 }
  }
  expect "job" "other" {
    term "projects.last_weeks[genomics]" { contribution = 0 }
  }
}

test "not after it" {
  policy = "project-end.fairway.hcl"
  now    = "2026-12-02T00:00:00Z"

  job "ended" {
    user    = "ana"
    account = "climate"
  }

  expect "job" "ended" {
    term "projects.last_weeks[climate]" { contribution = 0 }
  }
}
