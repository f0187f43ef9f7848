# How lines of maui.cfg become weights.

# An indented name and one in lower case are not seen, 010 is octal, fractions are cut off,
# a negative weight is none here, 2:30 is hours and minutes, and the last index written stays in force.
# The lines that set nothing a priority depends on are left to the tests of the reader.
test "ORA-CFG: what Maui makes of unusual lines" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
      PROCWEIGHT 5
    procweight 6
    MEMWEIGHT 010
    DISKWEIGHT 10.9
    SWAPWEIGHT -1
    PEWEIGHT=7
    ENABLENEGJOBPRIORITY on
    REJECTNEGPRIOJOBS ON # x
    XFACTORWEIGHT 1
    XFMINWCLIMIT 2:30
    QUEUETIMECAP \
      44
    QUEUETIMEWEIGHT[1] 8
    QUEUETIMEWEIGHT 3
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    queue_seconds    = "100m"
    walltime_seconds = "50m"
    procs            = 4
    mem_mb           = 1
  }

  expect "job" "1" {
    term "resource.proc" { weight = 0 }
    term "resource.mem" { weight = 8 }
    term "resource.disk" { weight = 10 }
    term "resource.swap" { weight = 0 }
    term "resource.pe" { weight = 7 }
    term "service.queuetime" {
      weight       = 1
      contribution = 44
    }
    term "service.xfactor" { factor = 1 }
  }
}

test "Δ1 (documented): names of parameters in any case" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 3.4"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    ResWeight       1
    procweight      6
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    procs            = 4
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 24 }
}

test "Δ2 (documented): 2:30 is minutes and seconds" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 3.4, time format"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
    XFMINWCLIMIT    2:30
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 150
    walltime_seconds = 60
  }

  expect "job" "1" {
    term "service.xfactor" { factor = 2 }
  }
}

test "deviations: following the manual in one point alone" {
  policy     = "maui.cfg"
  now        = "2026-11-20T12:00:00Z"
  semantics  = "observed"
  deviations = ["xfactor_numerator"]
  cite       = "this project: xfactor_numerator alone leaves the floor at 1"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
    XFMINWCLIMIT    60
    USERWEIGHT      1
    USERCFG[u2]     PRIORITY=-100
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = 30
    queue_seconds    = 60
  }
  job "2" {
    user             = "u2"
    walltime_seconds = 30
    queue_seconds    = 60
  }

  expect "job" "1" { score = 2 }
  expect "job" "2" { priority = 1 }
}
