# The target component: how near a job is to the service its QOS promises.

# The program compares the target with a date instead of a duration (Δ11).
test "ORA-P-tgt: a queue-time target counts at once, whatever it is" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT       0
    TARGETQUEUETIMEWEIGHT 1
    QOSCFG[hi]            QTTARGET=86400
    SYSCFG                QLIST=hi
  END
  }

  job "1" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority  = 99999999
    score     = 100000000
    tolerance = 1e-06
  }
}

test "Δ11 (documented): a queue-time target counts as it comes near" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, target component"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT       0
    TARGETWEIGHT          1
    TARGETQUEUETIMEWEIGHT 1
    QOSCFG[hi]            QTTARGET=86400
    SYSCFG                QLIST=hi
  END
  }

  job "far" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "near" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 86399
    walltime_seconds = "1h"
  }
  job "past" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 90000
    walltime_seconds = "1h"
  }

  expect "job" "far" {
    tolerance = 1e-15
    term "target.targetqueuetime" { factor = 1.3414543908994876e-10 }
  }
  expect "job" "near" {
    term "target.targetqueuetime" { factor = 1 }
  }
  expect "job" "past" {
    tolerance = 1e-06
    term "target.targetqueuetime" { factor = 100000000.0 }
  }
}
