test "at half past eight in the evening" {
  policy = "gpu-nights.fairway.hcl"
  now    = "2026-11-20T19:30:00Z"

  job "small" {
    user = "ana"
    gpus = 1
  }
  job "large" {
    user = "ana"
    gpus = 8
  }

  expect "job" "small" {
    term "house.small_gpu_jobs_at_night" { contribution = 500 }
  }
  expect "job" "large" {
    term "house.small_gpu_jobs_at_night" { contribution = 0 }
  }
}

test "not at noon" {
  policy = "gpu-nights.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "small" {
    user = "ana"
    gpus = 1
  }

  expect "job" "small" {
    term "house.small_gpu_jobs_at_night" { contribution = 0 }
  }
}
