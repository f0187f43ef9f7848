test "physics has used less than its share" {
  policy = "shares.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "p" {
    user    = "ana"
    account = "physics"
  }
  job "c" {
    user    = "ana"
    account = "chemistry"
  }

  usage {
    start   = "2026-11-20T12:00:00Z"
    total   = 1000
    account = { physics = 500, chemistry = 500 }
  }

  expect "account" "physics" {
    usage_percent = 50
    delta         = 10
  }
  expect "job" "p" {
    term "fairshare.account" { contribution = 100 }
  }
  expect "job" "c" {
    term "fairshare.account" { contribution = -100 }
  }
}
