test "a job without GPUs belongs elsewhere" {
  policy = ["first-come.fairway.hcl", "wrong-partition.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "cpu" {
    user      = "ana"
    partition = "gpu"
  }
  job "gpu" {
    user      = "ana"
    partition = "gpu"
    gpus      = 1
  }

  expect "job" "cpu" {
    state  = "held"
    reason = "partition gpu is for jobs with GPUs: use batch"
  }
  expect "job" "gpu" { state = "eligible" }
}
