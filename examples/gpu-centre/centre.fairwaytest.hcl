test "someone who waits for a result goes first by day" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "12" { rank = 1 }
}

test "not at night" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"
  now      = "2026-11-20T22:00:00Z"

  expect "job" "12" {
    term "interactive.by_day" { contribution = 0 }
  }
}

test "memory that blocks GPUs costs points" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "13" {
    term "waste.blocked" { contribution = -400 }
  }
}

test "one GPU in the course, sixteen elsewhere" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "15" {
    state  = "blocked"
    reason = "one GPU for each participant of the course"
  }
  expect "job" "10" {
    state  = "blocked"
    reason = "a user may run on 16 GPUs"
  }
}

test "a scavenger comes last and has no limit on GPUs" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "17" {
    state    = "eligible"
    priority = 0
  }
}

test "a job of more than 384 GPU-hours waits" {
  policy   = "centre.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "16" { state = "held" }
}
