test "a paper with a deadline goes before all others" {
  policy   = ["../site-component/slurm.conf", "4-change.fairway.hcl"]
  snapshot = "../site-component/queue.json"

  expect "job" "73" {
    rank     = 1
    priority = 100000
  }
}

test "age counts up to four days" {
  policy   = ["../site-component/slurm.conf", "4-change.fairway.hcl"]
  snapshot = "../site-component/queue.json"
  now      = "2026-11-21T20:00:00Z"

  expect "job" "74" {
    term "age.age" { factor = 0.5 }
  }
}
