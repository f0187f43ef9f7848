# Priorities of credentials and what stands in for those without one.

test "CRED-01: priorities of users and groups" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, credential component"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    USERWEIGHT      1
    GROUPWEIGHT     1
    USERCFG[john]   PRIORITY=2000
    USERCFG[paul]   PRIORITY=-1000
    GROUPCFG[staff] PRIORITY=10000
  END
  }

  job "1" {
    user             = "john"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "paul"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "3" {
    user             = "paul"
    group            = "staff"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    score = 2000
    term "credential.user" { factor = 2000 }
  }
  expect "job" "2" { score = -1000 }
  expect "job" "3" {
    score = 9000
    term "credential.group" { factor = 10000 }
  }
  expect "order" { jobs = ["3", "1"] }
}

# u1's explicit 0 counts as none. Both jobs have the QOS DEFAULT.
test "ORA-P-credneg: users and groups fall back to DEFAULT, QOS do not" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT   0
    USERWEIGHT        1
    GROUPWEIGHT       1
    QOSWEIGHT         1
    USERCFG[DEFAULT]  PRIORITY=11
    USERCFG[u1]       PRIORITY=0
    USERCFG[u2]       PRIORITY=-4
    GROUPCFG[DEFAULT] PRIORITY=1000
    QOSCFG[DEFAULT]   PRIORITY=50000
  END
  }

  job "u1" {
    user             = "u1"
    group            = "g1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "u2" {
    user             = "u2"
    group            = "g1"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "u1" {
    priority = 51011
    term "credential.user" { factor = 11 }
  }
  expect "job" "u2" { priority = 50996 }
}

test "ORA-P-qosdef: a QOS has no fall-back" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    QOSWEIGHT       1
    QOSCFG[DEFAULT] PRIORITY=77
    SYSCFG          QLIST=hi
  END
  }

  job "1" {
    user             = "u1"
    qos              = "hi"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { score = 0 }
}

test "ORA-P-classprio: CLASSCFG[DEFAULT] is the class called DEFAULT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT   0
    CLASSWEIGHT       10
    CLASSCFG[DEFAULT] PRIORITY=7
  END
  }

  job "1" {
    user             = "u1"
    partition        = "DEFAULT"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    partition        = "batch"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 70 }
  expect "job" "2" { score = 0 }
}

test "Δ4 (documented): CLASSCFG[DEFAULT] is the default of all classes" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 3.5 and 6.2, credential DEFAULT"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT   0
    CLASSWEIGHT       10
    CLASSCFG[DEFAULT] PRIORITY=7
    CLASSCFG[fast]    PRIORITY=9
  END
  }

  job "1" {
    user             = "u1"
    partition        = "batch"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }
  job "2" {
    user             = "u1"
    partition        = "fast"
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 70 }
  expect "job" "2" { priority = 90 }
}
