test "half the GPUs, half the points" {
  policy = "idle-gpus.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "half" {
    user      = "ana"
    nodes     = 2
    gpus      = 4
    exclusive = true
  }
  job "all" {
    user      = "ana"
    nodes     = 2
    gpus      = 8
    exclusive = true
  }
  job "shared" {
    user  = "ana"
    nodes = 2
    gpus  = 1
  }

  expect "job" "half" {
    term "house.idle_gpus" { contribution = -150 }
  }
  expect "job" "all" {
    term "house.idle_gpus" { contribution = 0 }
  }
  expect "job" "shared" {
    term "house.idle_gpus" { contribution = 0 }
  }
}
