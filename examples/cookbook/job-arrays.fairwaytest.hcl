test "1024 tasks cost 100 points" {
  policy = "job-arrays.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "array" {
    user        = "ana"
    array_tasks = 1024
  }
  job "huge" {
    user        = "ana"
    array_tasks = 1000000
  }
  job "job" {
    user = "ana"
  }

  expect "job" "array" {
    term "house.large_array" { contribution = -100 }
  }
  expect "job" "huge" {
    term "house.large_array" { contribution = -150 }
  }
  expect "job" "job" {
    term "house.large_array" { contribution = 0 }
  }
}
