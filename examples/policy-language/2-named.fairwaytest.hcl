test "patience counts for a day" {
  policy = ["../site-component/slurm.conf", "2-named.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "morning" {
    user        = "bo"
    partition   = "gpu"
    submit_time = "2026-11-20T09:00:00Z"
  }
  job "week" {
    user        = "bo"
    partition   = "gpu"
    submit_time = "2026-11-13T12:00:00Z"
  }

  expect "job" "morning" {
    term "house.patience" { contribution = 30 }
  }
  expect "job" "week" {
    term "house.patience" { contribution = 240 }
  }
}

test "a project has its points" {
  policy = ["../site-component/slurm.conf", "2-named.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"

  job "1" {
    user      = "bo"
    account   = "vision"
    partition = "gpu"
  }

  expect "job" "1" {
    term "house.project[vision]" { contribution = 500 }
    term "house.project[speech]" { contribution = 0 }
  }
}
