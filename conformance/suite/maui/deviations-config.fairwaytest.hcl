# Names and values that are in Maui's manual, but that the program does not take.

test "Δ3: SYSTEMDEFAULTJOBWALLTIME is no parameter, and a job without a limit counts with 0" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5, jobs without a limit"
  files = { "maui.cfg" = <<-END
    SYSTEMDEFAULTJOBWALLTIME 1:00:00:00
    QUEUETIMEWEIGHT          0
    WALLTIMEWEIGHT           1
  END
  }

  job "1" {
    user          = "u1"
    queue_seconds = "1h"
  }

  expect "job" "1" {
    term "resource.walltime" { factor = 0 }
  }
  expect "finding" { code = "maui-documented-only" }
}

test "Δ3 (documented): SYSTEMDEFAULTJOBWALLTIME is the limit of jobs that give none" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, SYSTEMDEFAULTJOBWALLTIME: the example of one day"
  files = { "maui.cfg" = <<-END
    SYSTEMDEFAULTJOBWALLTIME      1:00:00:00
    CLASSCFG[short]               DEFAULT.WCLIMIT=1:00:00
    QUEUETIMEWEIGHT               0
    RESWEIGHT                     1
    WALLTIMEWEIGHT                1
  END
  }

  job "none" {
    user          = "u1"
    queue_seconds = "1h"
  }
  job "class" {
    user          = "u1"
    partition     = "short"
    queue_seconds = "1h"
  }
  job "own" {
    user             = "u1"
    queue_seconds    = "1h"
    walltime_seconds = 60
  }

  expect "job" "none" { priority = 86400 }
  expect "job" "class" { priority = 3600 }
  expect "job" "own" { priority = 60 }
}

test "Δ3 (documented): the chapters' names of weights and caps" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.3 (SERVCAP), 6.1 (SERVWEIGHT) and appendix F (MEMORYWEIGHT, TARGWEIGHT)"
  files = { "maui.cfg" = <<-END
    SERVWEIGHT      2
    SERVCAP         100
    QUEUETIMEWEIGHT 1
    RESWEIGHT       1
    MEMORYWEIGHT    10
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = "100h"
    walltime_seconds = "1h"
    mem_mb           = 5
  }

  expect "job" "1" { priority = 150 }
}

test "Δ3: the chapters' names of weights and caps are ignored" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5, which keeps SERVICEWEIGHT at 1 without a cap"
  files = { "maui.cfg" = <<-END
    SERVWEIGHT      2
    SERVCAP         100
    QUEUETIMEWEIGHT 1
    MEMORYWEIGHT    10
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = "100h"
    walltime_seconds = "1h"
    mem_mb           = 5
  }

  expect "job" "1" { priority = 6000 }
}

test "Δ22, Δ23, Δ24, Δ25: what backfill and reservations make of such lines depends on the choice" {
  policy    = "maui.cfg"
  semantics = "observed"
  cite      = "Maui manual 7.1.5, 7.3, 8.2 and appendix F; recorded: Maui 3.5, whose GREEDY starts nothing and whose metric stays PROCS"
  files = { "maui.cfg" = <<-END
    QOSCFG[hi]     QFLAGS=NORESERVATION
    BACKFILLPOLICY GREEDY
    SRCFG[night]   PERIOD=WEEK STARTTIME=20:00:00 ENDTIME=24:00:00
    BACKFILLMETRIC PE
  END
  }

  expect "finding" {
    code = "deviation-matters"
    line = 1
  }
  expect "finding" {
    code = "deviation-matters"
    line = 2
  }
  expect "finding" {
    code = "deviation-matters"
    line = 3
  }
  expect "finding" {
    code = "deviation-matters"
    line = 4
  }
  expect "finding" {
    code = "maui-bad-enum"
    line = 4
  }
}
