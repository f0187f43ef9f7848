# Classic fairshare while jobs run: which usage a pass goes by (reference, slurm.md §11.1 and §11.26).

test "running jobs that come before a waiting job in the list count for its user, not for accounts" {
  policy    = ["fairshare_classic_running/slurm.conf", "fairshare_classic_running/accounts.cfg"]
  now       = 1795454875
  cite      = "recorded: fs-classic-running, 22.05.8"
  tolerance = 0.000001

  association "a/u02" { usage_seconds = 912 }
  association "b/u08" { usage_seconds = 912 }
  association "b/u05" { usage_seconds = 912 }
  association "a/u04" { usage_seconds = 912 }
  association "b/u06" { usage_seconds = 912 }
  association "c/u09" { usage_seconds = 912 }
  association "c/u12" { usage_seconds = 912 }
  job "1" {
    user       = "u02"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "2" {
    user       = "u08"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "3" {
    user       = "u05"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "4" {
    user       = "u04"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "5" {
    user       = "u06"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "6" {
    user       = "u09"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "7" {
    user       = "u12"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "8" {
    user      = "u11"
    account   = "c"
    partition = "main"
    procs     = 16
  }
  job "9" {
    user      = "u05"
    account   = "b"
    partition = "main"
    procs     = 16
  }
  job "11" {
    user      = "u03"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "13" {
    user      = "u02"
    account   = "a"
    partition = "main"
    procs     = 16
  }

  expect "association" "a" {
    effective_usage = 0
  }
  expect "association" "a/u02" {
    effective_usage = 0.122449
  }
  expect "association" "b/u05" {
    effective_usage = 0.107143
  }
  expect "association" "c/u12" {
    effective_usage = 0.107143
  }
  expect "job" "8" {
    priority = 1000000
  }
  expect "job" "9" {
    priority = 353553
  }
  expect "job" "11" {
    priority = 1000000
  }
}

test "a running job that comes after its user's waiting job counts in the next pass" {
  policy    = ["fairshare_classic_running/slurm.conf", "fairshare_classic_running/accounts.cfg"]
  now       = 1795454875
  cite      = "slurm.md §11.1"
  tolerance = 0.000001

  association "a/u02" { usage_seconds = 912 }
  association "b/u08" { usage_seconds = 912 }
  association "b/u05" { usage_seconds = 912 }
  association "a/u04" { usage_seconds = 912 }
  association "b/u06" { usage_seconds = 912 }
  association "c/u09" { usage_seconds = 912 }
  association "c/u12" { usage_seconds = 912 }
  job "2" {
    user       = "u08"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "3" {
    user       = "u05"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "4" {
    user       = "u04"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "5" {
    user       = "u06"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "6" {
    user       = "u09"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "7" {
    user       = "u12"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "9" {
    user      = "u05"
    account   = "b"
    partition = "main"
    procs     = 16
  }
  job "13" {
    user      = "u02"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "14" {
    user      = "u04"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "21" {
    user       = "u02"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }

  expect "association" "a/u02" {
    effective_usage = 0
  }
  expect "association" "a/u04" {
    effective_usage = 0.142857
  }
  expect "job" "9" {
    priority = 297301
  }
  expect "job" "13" {
    priority = 1000000
  }
}
