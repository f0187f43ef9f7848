# Where Maui's manual and the program rank jobs differently, and no other file has the case.

test "Δ6: a weight with a partition for an index ranks no job" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui's source: start priorities are always asked for the whole machine"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT       1
    QUEUETIMEWEIGHT[fast] 20
  END
  }

  job "fast" {
    user             = "u1"
    node_partitions  = ["fast"]
    queue_seconds    = "10m"
    walltime_seconds = "1h"
  }

  expect "job" "fast" { priority = 10 }
  expect "finding" { code = "deviation-matters" }
}

test "Δ6 (documented): weights are specified on a per partition basis" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2.2 and 7.2"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT       1
    QUEUETIMEWEIGHT[fast] 20
  END
  }

  job "fast" {
    user             = "u1"
    node_partitions  = ["fast"]
    queue_seconds    = "10m"
    walltime_seconds = "1h"
  }
  job "either" {
    user             = "u1"
    node_partitions  = ["fast", "slow"]
    queue_seconds    = "20m"
    walltime_seconds = "1h"
  }
  job "any" {
    user             = "u1"
    queue_seconds    = "30m"
    walltime_seconds = "1h"
  }

  expect "job" "fast" { priority = 200 }
  expect "job" "either" { priority = 20 }
  expect "job" "any" { priority = 30 }
  expect "order" { jobs = ["fast", "any", "either"] }
}

test "Δ7 (documented): UPROC and UJOB weigh what the job's user has running" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "the list of resource subcomponents; the program's sum leaves out the last two"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
    RESWEIGHT       1
    UPROCWEIGHT     -2
    UJOBWEIGHT      -10
  END
  }

  job "running" {
    user             = "u1"
    state            = "running"
    procs            = 8
    queue_seconds    = "3h"
    walltime_seconds = "1h"
  }
  job "second" {
    user             = "u1"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "first" {
    user             = "u2"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "second" {
    priority = 34
    term "resource.uproc" { factor = 8 }
    term "resource.ujob" { factor = 1 }
  }
  expect "job" "first" { priority = 60 }
}

test "Δ11 (documented): a queue-time target is written as a time" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, QOSQTTARGET: [[[DD:]HH:]MM:]SS"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT       0
    TARGETWEIGHT          1
    TARGETQUEUETIMEWEIGHT 100
    QOSQTTARGET[old]      2:00:00
    QOSCFG[new]           QTTARGET=2:00:00
    SYSCFG                QLIST=old,new
  END
  }

  job "old" {
    user             = "u1"
    qos              = "old"
    queue_seconds    = 7190
    walltime_seconds = "1h"
  }
  job "new" {
    user             = "u1"
    qos              = "new"
    queue_seconds    = 7190
    walltime_seconds = "1h"
  }

  expect "job" "old" {
    term "target.targetqueuetime" { factor = 0.01 }
  }
  expect "job" "new" {
    term "target.targetqueuetime" { factor = 0.01 }
  }
}

test "SPRI-03: setspri -r refuses 100000" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5, whose client takes 0 to 1000"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
  END
  }

  job "refused" {
    user                     = "u1"
    system_priority          = 100000
    system_priority_relative = true
    queue_seconds            = "1h"
    walltime_seconds         = "1h"
  }
  job "taken" {
    user                     = "u1"
    system_priority          = 1000
    system_priority_relative = true
    queue_seconds            = "1h"
    walltime_seconds         = "1h"
  }

  expect "job" "refused" { priority = 60 }
  expect "job" "taken" { priority = 1060 }
  expect "finding" { code = "system-priority-range" }
}

test "Δ29: the fraction of a cap is cut off" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui's source: caps are C longs; below 1 there is none"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 10
    QUEUETIMECAP    2.5
    XFACTORWEIGHT   100
    XFACTORCAP      0.5
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 220 }
}

test "Δ29 (documented): caps may have fractions" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, QUEUETIMECAP and XFACTORCAP: format DOUBLE"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 10
    QUEUETIMECAP    2.5
    XFACTORWEIGHT   100
    XFACTORCAP      0.5
  END
  }

  job "1" {
    user             = "u1"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 75 }
}

test "Δ28 (documented): a job that only a soft limit on running jobs stops is shown as idle" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "the Akka site's policy page"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXJOB=1,4
  END
  }

  job "1" {
    user             = "u1"
    state            = "running"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "2" { state = "eligible" }
}

test "Δ28: a job that a soft limit on running jobs stops is blocked" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5, showq of jobs over MAXJOB"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXJOB=1,4
  END
  }

  job "1" {
    user             = "u1"
    state            = "running"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    procs            = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "2" { state = "blocked" }
}
