# The expansion factor. Queue time and limit are given as such.

test "XF-1h-q1, -q2, -q4, -q8, -q16: expansion factors of a job of 1 h after 1 to 16 h" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  tolerance = 0.005
  cite      = "Maui manual 5.1.2, service component, table of expansion factors"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
  END
  }

  job "XF-1h-q1" {
    user             = "u1"
    walltime_seconds = "1h"
    queue_seconds    = "1h"
  }
  job "XF-1h-q2" {
    user             = "u1"
    walltime_seconds = "1h"
    queue_seconds    = "2h"
  }
  job "XF-1h-q4" {
    user             = "u1"
    walltime_seconds = "1h"
    queue_seconds    = "4h"
  }
  job "XF-1h-q8" {
    user             = "u1"
    walltime_seconds = "1h"
    queue_seconds    = "8h"
  }
  job "XF-1h-q16" {
    user             = "u1"
    walltime_seconds = "1h"
    queue_seconds    = "16h"
  }

  expect "job" "XF-1h-q1" {
    term "service.xfactor" { factor = 2 }
  }
  expect "job" "XF-1h-q2" {
    term "service.xfactor" { factor = 3 }
  }
  expect "job" "XF-1h-q4" {
    term "service.xfactor" { factor = 5 }
  }
  expect "job" "XF-1h-q8" {
    term "service.xfactor" { factor = 9 }
  }
  expect "job" "XF-1h-q16" {
    term "service.xfactor" { factor = 17 }
  }
}

test "XF-4h-q1, -q2, -q4, -q8, -q16: expansion factors of a job of 4 h after 1 to 16 h" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  tolerance = 0.005
  cite      = "Maui manual 5.1.2, service component, table of expansion factors"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
  END
  }

  job "XF-4h-q1" {
    user             = "u1"
    walltime_seconds = "4h"
    queue_seconds    = "1h"
  }
  job "XF-4h-q2" {
    user             = "u1"
    walltime_seconds = "4h"
    queue_seconds    = "2h"
  }
  job "XF-4h-q4" {
    user             = "u1"
    walltime_seconds = "4h"
    queue_seconds    = "4h"
  }
  job "XF-4h-q8" {
    user             = "u1"
    walltime_seconds = "4h"
    queue_seconds    = "8h"
  }
  job "XF-4h-q16" {
    user             = "u1"
    walltime_seconds = "4h"
    queue_seconds    = "16h"
  }

  expect "job" "XF-4h-q1" {
    term "service.xfactor" { factor = 1.25 }
  }
  expect "job" "XF-4h-q2" {
    term "service.xfactor" { factor = 1.5 }
  }
  expect "job" "XF-4h-q4" {
    term "service.xfactor" { factor = 2 }
  }
  expect "job" "XF-4h-q8" {
    term "service.xfactor" { factor = 3 }
  }
  expect "job" "XF-4h-q16" {
    term "service.xfactor" { factor = 5 }
  }
}

test "XF-AKKA: (queue time + limit) / limit" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Akka user guide, How jobs are prioritized"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   100
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = "2h"
    queue_seconds    = "30m"
  }

  expect "job" "1" {
    priority = 125
    term "service.xfactor" { factor = 1.25 }
  }
}

# The program keeps the raw limit in the numerator: (60 + 30) / 60.
test "XF-MIN: a job shorter than XFMINWCLIMIT, as Maui counts it" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual appendix F, XFMINWCLIMIT, and 5.1.2"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
    XFMINWCLIMIT    60
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = 30
    queue_seconds    = 60
  }

  expect "job" "1" {
    score = 1.5
    term "service.xfactor" { factor = 1.5 }
  }
}

# The manual says 1 + queued / limit, the limit being at least XFMINWCLIMIT: 1 + 60 / 60.
test "XF-MIN (documented): a job shorter than XFMINWCLIMIT, as the manual counts it" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, XFMINWCLIMIT, and 5.1.2"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1
    XFMINWCLIMIT    60
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = 30
    queue_seconds    = 60
  }

  expect "job" "1" {
    score = 2
    term "service.xfactor" { factor = 2 }
  }
}

test "ORA-P-xfmin: XFMINWCLIMIT 2:00 is two hours" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1000
    XFMINWCLIMIT    2:00
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = 30
    queue_seconds    = 60
  }

  expect "job" "1" {
    score    = 12.5
    priority = 12
  }
}

test "ORA-P-xfmin2: a job as long as XFMINWCLIMIT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   1000
    XFMINWCLIMIT    2:00
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = "2h"
    queue_seconds    = 60
  }

  expect "job" "1" {
    score     = 1008.33
    priority  = 1008
    tolerance = 0.005
  }
}

# The factor is (60 + 100) / max(120, 100) = 1.333.
test "ORA-P-xf100: XFACTORCAP caps the factor, not its product with the weight" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   100
    XFACTORCAP      1
  END
  }

  job "1" {
    user             = "u1"
    walltime_seconds = 100
    queue_seconds    = 60
  }

  expect "job" "1" {
    priority = 100
    term "service.xfactor" { contribution = 100 }
  }
}

test "ORA-P-xfweight: XFWEIGHT of a QOS adds to XFACTORWEIGHT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT   100
    QOSCFG[hi]      XFWEIGHT=1000
    SYSCFG          QLIST=hi
  END
  }

  job "1" {
    user             = "u1"
    qos              = "hi"
    walltime_seconds = "1h"
    queue_seconds    = 60
  }

  expect "job" "1" {
    priority = 1118
    term "service.xfactor" { weight = 1100 }
  }
}
