test "who has used less of its share goes first" {
  policy   = "5-whole.fairway.hcl"
  snapshot = "5-queue.json"

  expect "order" { jobs = ["4", "5", "3"] }
}

test "a user who fills the machine waits" {
  policy   = "5-whole.fairway.hcl"
  snapshot = "5-queue.json"

  expect "job" "2" {
    state  = "blocked"
    reason = "a user may run on 64 processors"
  }
}

test "a job without a time limit waits" {
  policy   = "5-whole.fairway.hcl"
  snapshot = "5-queue.json"

  expect "job" "6" { state = "held" }
}

# Of any two jobs that are the same but for their age.
check "the older of two jobs never goes after the younger" {
  policy    = "5-whole.fairway.hcl"
  vary      = ["submit_time"]
  given     = "job['a'].submit_time < job['b'].submit_time && job['a'].rank > 0 && job['b'].rank > 0"
  condition = "job['a'].rank < job['b'].rank"
}
