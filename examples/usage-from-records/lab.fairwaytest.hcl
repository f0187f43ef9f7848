# The same usage as records.csv, stated as windows.
test "who has used more of late comes later" {
  policy = "lab.fairway.hcl"
  now    = "2026-11-20T10:00:00Z"

  usage {
    start   = "2026-11-20T00:00:00Z"
    total   = 14400
    account = { physics = 14400 }
  }
  usage {
    start   = "2026-11-19T12:00:00Z"
    total   = 14400
    account = { chemistry = 14400 }
  }
  job "1" {
    account     = "physics"
    procs       = 4
    submit_time = "2026-11-20T09:00:00Z"
  }
  job "2" {
    account     = "chemistry"
    procs       = 4
    submit_time = "2026-11-20T09:30:00Z"
  }

  expect "job" "2" {
    rank     = 1
    priority = 166
  }
  expect "job" "1" {
    rank     = 2
    priority = -166
  }
}
