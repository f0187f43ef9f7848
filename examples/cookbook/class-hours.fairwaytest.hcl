test "each course has its own points" {
  policy = "class-hours.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"

  job "1" {
    user    = "ana"
    account = "hpc101"
  }
  job "2" {
    user    = "ana"
    account = "bio7"
  }
  job "3" {
    user    = "ana"
    account = "physics"
  }

  expect "order" { jobs = ["1", "2", "3"] }
  expect "job" "2" {
    term "teaching.course[bio7]" { contribution = 200 }
  }
}

test "nothing in the evening" {
  policy = "class-hours.fairway.hcl"
  now    = "2026-11-20T18:00:00Z"

  job "1" {
    user    = "ana"
    account = "hpc101"
  }

  expect "job" "1" {
    term "teaching.course[hpc101]" { contribution = 0 }
  }
}
