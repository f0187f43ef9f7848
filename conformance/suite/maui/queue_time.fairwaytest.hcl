# Queue time, its cap, weights per QOS, and bypass.

test "APP-QT: QUEUETIMEWEIGHT counts minutes" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, QUEUETIMEWEIGHT"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 20
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = "4h20m"
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 5200
    term "service.queuetime" { contribution = 5200 }
  }
}

test "APP-QTCAP: QUEUETIMECAP caps the minutes before they are weighted" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, QUEUETIMECAP"
  files = { "maui.cfg" = <<-END
    QUEUETIMECAP    10000
    QUEUETIMEWEIGHT 10
  END
  }

  job "below" {
    user             = "u1"
    queue_seconds    = "40m"
    walltime_seconds = "1h"
  }
  job "above" {
    user             = "u1"
    queue_seconds    = "20000m"
    walltime_seconds = "1h"
  }

  expect "job" "below" {
    priority = 400
    term "service.queuetime" {
      factor       = 40
      contribution = 400
    }
  }
  expect "job" "above" { priority = 100000 }
}

test "SRV-01: QTWEIGHT of a QOS adds to QUEUETIMEWEIGHT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, service component"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 10
    QOSCFG[special] QTWEIGHT=5000
    SYSCFG          QLIST=special
  END
  }

  job "1" {
    user             = "u1"
    qos              = "special"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    term "service.queuetime" { weight = 5010 }
  }
  expect "job" "2" {
    term "service.queuetime" { weight = 10 }
  }
}

test "SRV-02: XFWEIGHT of a QOS adds to XFACTORWEIGHT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, service component"
  files = { "maui.cfg" = <<-END
    XFACTORWEIGHT 10
    QOSCFG[special] XFWEIGHT=5000
    SYSCFG          QLIST=special
  END
  }

  job "1" {
    user             = "u1"
    qos              = "special"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    term "service.xfactor" { weight = 5010 }
  }
  expect "job" "2" {
    term "service.xfactor" { weight = 10 }
  }
}

test "APP-QOSXF: QOSXFWEIGHT, the older way to write XFWEIGHT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, QOSXFWEIGHT"
  files = { "maui.cfg" = <<-END
    XFACTORWEIGHT        100
    QOSXFWEIGHT[special] 1000
    SYSCFG               QLIST=special
  END
  }

  job "1" {
    user             = "u1"
    qos              = "special"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    term "service.xfactor" { weight = 1100 }
  }
}

test "ORA-P-qtweight: QTWEIGHT of a QOS adds to the default weight 1" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QOSCFG[hi] QTWEIGHT=10
    SYSCFG     QLIST=hi
  END
  }

  job "1" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 11 }
}

test "ORA-P-bypass: each backfilled job that overtakes counts" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    USERWEIGHT      1
    QUEUETIMEWEIGHT 0
    BYPASSWEIGHT    5
    USERCFG[u2]     PRIORITY=500
  END
  }

  job "1" {
    user             = "u2"
    bypass_count     = 2
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 510
    term "service.bypass" { factor = 2 }
  }
}

test "ERR-5.1.3: 300 points of credential are 300 minutes in the queue" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 5.1.3; the page says five minutes, which its own weights do not give"
  files = { "maui.cfg" = <<-END
    USERWEIGHT      1
    USERCFG[john]   PRIORITY=300
    QUEUETIMEWEIGHT 1
  END
  }

  job "john" {
    user             = "john"
    queue_seconds    = 0
    walltime_seconds = "1h"
  }
  job "other" {
    user             = "paul"
    queue_seconds    = "300m"
    walltime_seconds = "1h"
  }
  job "younger" {
    user             = "paul"
    queue_seconds    = "299m"
    walltime_seconds = "1h"
  }

  expect "job" "john" { priority = 300 }
  expect "job" "other" { priority = 300 }
  expect "order" { jobs = ["john", "younger"] }
}
