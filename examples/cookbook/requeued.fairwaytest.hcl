test "each restart counts, to three" {
  policy = "requeued.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "0" {
    user = "ana"
  }
  job "1" {
    user     = "ana"
    restarts = 1
  }
  job "5" {
    user     = "ana"
    restarts = 5
  }

  expect "job" "0" {
    term "house.requeued" { contribution = 0 }
  }
  expect "job" "1" {
    term "house.requeued" { contribution = 250 }
  }
  expect "job" "5" {
    term "house.requeued" { contribution = 750 }
  }
}
