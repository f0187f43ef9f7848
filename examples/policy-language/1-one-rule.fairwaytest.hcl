test "a job with one GPU gets 3000 points" {
  policy = ["../site-component/slurm.conf", "1-one-rule.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "one" {
    user      = "bo"
    partition = "gpu"
    gpus      = 1
  }
  job "four" {
    user      = "bo"
    partition = "gpu"
    gpus      = 4
  }

  expect "job" "one" {
    rank = 1
    term "house.small_gpu_jobs" { contribution = 3000 }
  }
  expect "job" "four" {
    term "house.small_gpu_jobs" { contribution = 0 }
  }
}
