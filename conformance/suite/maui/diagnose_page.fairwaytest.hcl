# Rows of the sample report in the manual page of diagnose -p.

# The report prints expansion factors with two decimals; queue times and limits are chosen to give them.
test "DP-1300, DP-1301, DP-2068, DP-2067, DP-2059, DP-1260: the sample report of diagnose -p" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, diagnose -p"
  files = { "maui.cfg" = <<-END
    QOSWEIGHT       1000
    QUEUETIMEWEIGHT 2
    XFACTORWEIGHT   1000
    RESWEIGHT       800
    PROCWEIGHT      1
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1300" {
    user             = "u1"
    procs            = 64
    queue_seconds    = 60
    walltime_seconds = 172800
  }
  job "1301" {
    user             = "u1"
    procs            = 32
    queue_seconds    = 60
    walltime_seconds = 172800
  }
  job "2068" {
    user             = "u1"
    procs            = 16
    queue_seconds    = 60
    walltime_seconds = 172800
  }
  job "2067" {
    user             = "u1"
    procs            = 8
    queue_seconds    = 60
    walltime_seconds = 172800
  }
  job "2059" {
    user             = "u1"
    procs            = 4
    queue_seconds    = 80
    walltime_seconds = 640
  }
  job "1260" {
    user             = "u1"
    procs            = 1
    queue_seconds    = 315
    walltime_seconds = 78750
  }

  expect "job" "1300" {
    score     = 52203
    tolerance = 25
    term "resource.proc" { contribution = 51200 }
  }
  expect "job" "1301" {
    score     = 26603
    tolerance = 25
    term "resource.proc" { contribution = 25600 }
  }
  expect "job" "2068" {
    score     = 13802
    tolerance = 25
    term "resource.proc" { contribution = 12800 }
  }
  expect "job" "2067" {
    score     = 7403
    tolerance = 25
    term "resource.proc" { contribution = 6400 }
  }
  expect "job" "2059" {
    score     = 4328
    tolerance = 6
    term "resource.proc" { contribution = 3200 }
  }
  expect "job" "1260" {
    score     = 1814
    tolerance = 6
    term "resource.proc" { contribution = 800 }
  }
  expect "order" { jobs = ["1300", "1301", "2068", "2067", "2059", "1260"] }
}
