# The policy page of the Akka cluster, and its numbers seen in Maui.

test "AKKA-01: 69896 and 28800 processor-seconds exceed the soft limit of 72000, not the hard one" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Akka, HPC2N: scheduling policy page"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXPS=72000,1080000
  END
  }

  job "run" {
    user             = "u1"
    state            = "running"
    procs            = 2
    walltime_seconds = 36000
    start_time       = "2026-11-20T11:42:28Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "1" {
    user             = "u1"
    procs            = 8
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "1" {
    stored = 60 # the hard limit would have cost it the queue time
    why {
      object  = "user"
      name    = "u1"
      limit   = "MAXPS"
      bound   = "soft"
      value   = 72000
      in_use  = 69896
      request = 28800
    }
  }
}

test "AKKA-02: of ten jobs eight are idle and two blocked" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Akka, HPC2N: scheduling policy page"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXPS=72000,1080000 MAXIJOB=8
  END
  }

  job "j" {
    for_each         = range(1, 11)
    id               = each.key
    user             = "u1"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    eligible = 8
    blocked  = 2
  }
  expect "job" "9" {
    state  = "blocked"
    reason = "MAXIJOB"
  }
}

test "AKKA-03: one runs, eight are idle, eight blocked" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Akka, HPC2N: scheduling policy page"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXPS=72000,1080000 MAXIJOB=8
  END
  }

  job "run" {
    user             = "u1"
    state            = "running"
    procs            = 2
    walltime_seconds = 36000
    start_time       = "2026-11-20T11:42:28Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "j" {
    for_each         = range(1, 17)
    id               = each.key
    user             = "u1"
    procs            = 8
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running  = 1
    eligible = 8
    blocked  = 8
  }
}

test "AKKA-03: Maui 3.5 shows jobs over the soft MAXPS as blocked (Δ28)" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXPS=72000,1080000 MAXIJOB=8
  END
  }

  job "run" {
    user             = "u1"
    state            = "running"
    procs            = 2
    walltime_seconds = 36000
    start_time       = "2026-11-20T11:42:28Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "j" {
    for_each         = range(1, 17)
    id               = each.key
    user             = "u1"
    procs            = 8
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running  = 1
    eligible = 0
    blocked  = 16
  }
}

test "AKKA-04: the soft limit is a fifth of the project's monthly seconds, the hard one three times that" {
  policy = "akka.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "Akka, HPC2N: scheduling policy page"
  files = { "akka.fairway.hcl" = <<-END
    policy "akka" {
      use = "maui"
      locals {
        monthly_seconds = 360000
        soft            = local.monthly_seconds / 5
      }
      account "snic" {
        limit "proc_seconds" {
          soft = local.soft
          hard = 3 * local.soft
        }
      }
    }
  END
  }

  job "run" {
    user             = "u1"
    account          = "snic"
    state            = "running"
    procs            = 1
    walltime_seconds = 72000
    start_time       = "2026-11-20T12:00:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "1" {
    user             = "u1"
    account          = "snic"
    procs            = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "2" {
    user             = "u1"
    account          = "snic"
    procs            = 40
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "1" {
    stored = 60
    why {
      object  = "account"
      name    = "snic"
      bound   = "soft"
      value   = 72000
      in_use  = 72000
      request = 60
    }
  }
  expect "job" "2" {
    stored = 60
    why {
      object  = "account"
      bound   = "soft"
      value   = 72000
      in_use  = 72000
      request = 144000
    }
  }
}

test "ORA-T-akka: 1 of 18 run, BACKFILLPOLICY NONE" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[DEFAULT] MAXPS=72000,1080000 MAXIJOB=8
  END
  }

  node "n01" { procs = 32 }
  job "run" {
    user             = "u1"
    state            = "running"
    procs            = 2
    walltime_seconds = 36000
    start_time       = "2026-11-20T11:42:28Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "j" {
    for_each         = range(1, 18)
    id               = each.key
    user             = "u1"
    procs            = 8
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running = 1
    blocked = 17
  }
}

test "ORA-T-akka: 4 of 18 run, BACKFILLPOLICY FIRSTFIT" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY FIRSTFIT
    USERCFG[DEFAULT] MAXPS=72000,1080000 MAXIJOB=8
  END
  }

  node "n01" { procs = 32 }
  job "run" {
    user             = "u1"
    state            = "running"
    procs            = 2
    walltime_seconds = 36000
    start_time       = "2026-11-20T11:42:28Z"
    submit_time      = "2026-11-20T06:00:00Z"
  }
  job "j" {
    for_each         = range(1, 18)
    id               = each.key
    user             = "u1"
    procs            = 8
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running = 4
    blocked = 14
  }
}
