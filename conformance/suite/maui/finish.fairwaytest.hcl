# From the sum to the stored priority: floor, ceiling, system priority.

test "ORA-P-neg: a priority is at least 1" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    USERCFG[u1]     PRIORITY=-5000
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    score    = -5000
    priority = 1
  }
}

test "Δ12 (documented): a priority is at least 0" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.1"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    USERCFG[u1]     PRIORITY=-5000
    REJECTNEGPRIOJOBS FALSE
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    score    = -5000
    priority = 0
  }
}

test "Δ26: jobs of negative priority are not rejected unless asked for" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: showconfig of Maui 3.5"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    USERCFG[u1]     PRIORITY=-5000
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 1
    state    = "eligible"
  }
}

test "Δ26 (documented): jobs of negative priority are rejected unless allowed" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, REJECTNEGPRIOJOBS"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    USERCFG[u1]     PRIORITY=-5000
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = -5000
    state    = "blocked"
  }
}

test "ORA-P-upper: a priority is at most 10^9" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    USERCFG[u1]     PRIORITY=2000000000
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 1000000000 }
}

test "SPRI-01: setspri 5" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, setspri, and 5.1.5"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
  END
  }

  job "1" {
    user             = "u1"
    system_priority  = 5
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    queue_seconds    = "1000h"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 1000000005 }
  expect "order" { jobs = ["1", "2"] }
}

test "SPRI-02: setspri 10" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, setspri, and 5.1.5"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
  END
  }

  job "1" {
    user             = "u1"
    system_priority  = 10
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    queue_seconds    = "1000h"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 1000000010 }
  expect "order" { jobs = ["1", "2"] }
}

test "SPRI-03 (documented): setspri -r adds" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, setspri -r; the program takes 0 to 1000 only, which its client command checks"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
  END
  }

  job "1" {
    user                     = "u1"
    system_priority          = 100000
    system_priority_relative = true
    queue_seconds            = "1h"
    walltime_seconds         = "1h"
  }

  expect "job" "1" {
    priority = 100060
    score    = 60
  }
}

test "ORA-SPRI: the system priority is not part of the score" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
  END
  }

  job "1" {
    user             = "u1"
    system_priority  = 5
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 1000000005
    score    = 0
  }
}
