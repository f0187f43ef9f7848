# Throttling policies: the examples of the manual's chapter. Which jobs run or start is given; what
# must come out is which of the others may.

test "THR-01: a user's own MAXJOB, and DEFAULT for others" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies"
  started   = ["john1", "john2", "john3", "john4", "john5", "john6", "john7", "john8", "mary1", "mary2", "mary3", "mary4"]
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXJOB=4
    USERCFG[john]    MAXJOB=8
  END
  }

  job "jjohn" {
    for_each         = range(1, 11)
    id               = "john${each.key}"
    user             = "john"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "jmary" {
    for_each         = range(1, 7)
    id               = "mary${each.key}"
    user             = "mary"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running = 12
  }
  expect "job" "john9" {
    why {
      object = "user"
      name   = "john"
      limit  = "MAXJOB"
      value  = 8
      in_use = 8
    }
  }
  expect "job" "mary5" {
    why {
      object = "user"
      name   = "mary"
      limit  = "MAXJOB"
      value  = 4
      in_use = 4
    }
  }
}

test "THR-04: a MAXPS of 57600 holds both jobs" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies, MAXPS"
  files = { "maui.cfg" = <<-END
    USERCFG[u1] MAXPS=57600
  END
  }

  job "1" {
    user             = "u1"
    state            = "running"
    procs            = 4
    walltime_seconds = "2h"
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "2" {
    user             = "u1"
    procs            = 2
    walltime_seconds = 21600
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "2" { state = "eligible" }
}

test "THR-04: a MAXPS of 57599 does not hold both jobs" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies, MAXPS"
  files = { "maui.cfg" = <<-END
    USERCFG[u1] MAXPS=57599
  END
  }

  job "1" {
    user             = "u1"
    state            = "running"
    procs            = 4
    walltime_seconds = "2h"
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "2" {
    user             = "u1"
    procs            = 2
    walltime_seconds = 21600
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "2" {
    why {
      limit   = "MAXPS"
      value   = 57599
      in_use  = 14400
      request = 43200
    }
  }
}

test "THR-05: twenty idle jobs of a user are eligible" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies, idle jobs"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXIJOB=20
  END
  }

  job "j" {
    for_each         = range(1, 26)
    id               = each.key
    user             = "u1"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    eligible = 20
    blocked  = 5
  }
  expect "job" "21" {
    state  = "blocked"
    reason = "MAXIJOB"
  }
}

test "THR-06: backfill starts jobs up to the hard limit, and no more" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  started   = ["1", "2", "3", "4", "5", "6", "7", "8"]
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXJOB=2,8
    BACKFILLPOLICY   FIRSTFIT
  END
  }

  job "j" {
    for_each         = range(1, 13)
    id               = each.key
    user             = "u1"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running = 8
  }
  expect "job" "9" {
    why {
      limit  = "MAXJOB"
      bound  = "soft"
      value  = 2
      in_use = 8
    }
  }
}

test "APP-SYSPS-1: a job of 64 processors for 1800 s does not pass SYSTEMMAXPROCSECONDPERJOB" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, SYSTEMMAXPROCSECONDPERJOB"
  files = { "maui.cfg" = <<-END
    SYSTEMMAXPROCSECONDPERJOB 86400
  END
  }

  node "n01" { procs = 128 }
  job "1" {
    user             = "u1"
    procs            = 64
    walltime_seconds = 1800
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "1" {
    why {
      value   = 86400
      request = 115200
    }
  }
}

test "APP-SYSPS-2: a job of 2 processors for 43200 s passes SYSTEMMAXPROCSECONDPERJOB" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, SYSTEMMAXPROCSECONDPERJOB"
  files = { "maui.cfg" = <<-END
    SYSTEMMAXPROCSECONDPERJOB 86400
  END
  }

  node "n01" { procs = 128 }
  job "1" {
    user             = "u1"
    procs            = 2
    walltime_seconds = 43200
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "1" { state = "eligible" }
}
