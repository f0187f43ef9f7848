test "64 GB on four processors block twelve more" {
  policy = "memory-share.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "large" {
    user   = "ana"
    procs  = 4
    mem_mb = "64G"
  }
  job "fair" {
    user   = "ana"
    procs  = 16
    mem_mb = "64G"
  }

  expect "job" "large" {
    term "house.blocked_procs" { contribution = -60 }
  }
  expect "job" "fair" {
    term "house.blocked_procs" { contribution = 0 }
  }
}
