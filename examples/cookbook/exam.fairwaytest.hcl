test "one processor in an exam before 512 elsewhere" {
  policy = "exam.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "exam" {
    user  = "ana"
    procs = 1
    qos   = "exam"
  }
  job "large" {
    user  = "ana"
    procs = 512
  }

  expect "job" "exam" {
    priority = 1000000
    rank     = 1
  }
}
