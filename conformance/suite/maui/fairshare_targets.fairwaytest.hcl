# Fairshare targets, and fairshare beside other components.

test "CASE-01: targets of accounts" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, case study 1"
  files = { "maui.cfg" = <<-END
    FSPOLICY DEDICATEDPS
    ACCOUNTCFG[Meteorology] FSTARGET=45
    ACCOUNTCFG[Statistics]  FSTARGET=35
  END
  }

  job "1" {
    user    = "u1"
    account = "Meteorology"
  }

  expect "account" "Meteorology" {
    target      = 45
    target_kind = "target"
  }
  expect "account" "Statistics" {
    target      = 35
    target_kind = "target"
  }
}

# The parts are given: a QOS priority, a user under its target by the number, a queue time. The
# page adds the last row up to 8699, fifty too little.
test "MDP-13703, MDP-13702, MDP-13153, MDP-13019: rows of a sample report of mdiag -p" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, mdiag -p"
  tolerance = 0.5
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
    QOSWEIGHT       1
    FSPOLICY        DEDICATEDPS
    FSINTERVAL      12:00:00
    FSWEIGHT        1
    FSUSERWEIGHT    1
    CREDWEIGHT      1
    USERCFG[DEFAULT] FSTARGET=50 QLIST=hi,lo
    QOSCFG[hi] PRIORITY=50
    QOSCFG[lo] PRIORITY=1
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u13703 = 32.4, u13702 = 45.5, u13153 = 38.4, u13019 = 24.6 }
  }
  job "13703" {
    user             = "u13703"
    qos              = "hi"
    queue_seconds    = 4152
    walltime_seconds = "1h"
  }
  job "13702" {
    user             = "u13702"
    qos              = "lo"
    queue_seconds    = 4404
    walltime_seconds = "1h"
  }
  job "13153" {
    user             = "u13153"
    qos              = "lo"
    queue_seconds    = 500820
    walltime_seconds = "1h"
  }
  job "13019" {
    user             = "u13019"
    qos              = "hi"
    queue_seconds    = 520440
    walltime_seconds = "1h"
  }

  expect "job" "13703" {
    score = 137
    term "credential.qos" { contribution = 50 }
    term "fairshare.fsuser" { contribution = 17.6 }
    term "service.queuetime" { contribution = 69.2 }
  }
  expect "job" "13702" {
    score = 79
    term "credential.qos" { contribution = 1 }
    term "fairshare.fsuser" { contribution = 4.5 }
    term "service.queuetime" { contribution = 73.4 }
  }
  expect "job" "13153" {
    score = 8360
    term "credential.qos" { contribution = 1 }
    term "fairshare.fsuser" { contribution = 11.6 }
    term "service.queuetime" { contribution = 8347 }
  }
  expect "job" "13019" {
    score = 8749
    term "credential.qos" { contribution = 50 }
    term "fairshare.fsuser" { contribution = 25.4 }
    term "service.queuetime" { contribution = 8674 }
  }
}
