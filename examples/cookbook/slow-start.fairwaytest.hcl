test "one, three, seven hours" {
  policy = "slow-start.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "1" {
    user          = "ana"
    queue_seconds = "1h"
  }
  job "3" {
    user          = "ana"
    queue_seconds = "3h"
  }
  job "7" {
    user          = "ana"
    queue_seconds = "7h"
  }

  expect "job" "1" {
    term "waiting.hours" { contribution = 100 }
  }
  expect "job" "3" {
    term "waiting.hours" { contribution = 200 }
  }
  expect "job" "7" {
    term "waiting.hours" { contribution = 300 }
  }
}
