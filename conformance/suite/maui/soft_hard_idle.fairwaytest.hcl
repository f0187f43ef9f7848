# Soft and hard limits, limits on idle jobs and QOS overrides as Maui was seen to apply them.

test "ORA-T-softhard-none: without backfill no job starts beyond the soft limit" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[DEFAULT] MAXJOB=2,4
  END
  }

  job "j" {
    for_each         = range(1, 9)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "counts" {
    running = 2
    blocked = 6
  }
  expect "job" "3" {
    why {
      bound  = "soft"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-softhard-ff: with backfill jobs start up to the hard limit" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1", "2", "3", "4"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY FIRSTFIT
    USERCFG[DEFAULT] MAXJOB=2,4
  END
  }

  job "j" {
    for_each         = range(1, 9)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "counts" {
    running = 4
    blocked = 4
  }
  expect "job" "5" {
    why {
      bound  = "soft"
      value  = 2
      in_use = 4
    }
  }
}

test "ORA-T-idle: the hard number of an idle limit decides what is eligible" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXIJOB=1,3
  END
  }

  node "n01" { procs = 8 }
  job "full" {
    user             = "ops"
    state            = "running"
    procs            = 8
    walltime_seconds = "10h"
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "j" {
    for_each         = range(1, 6)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "counts" {
    eligible = 3
    blocked  = 2
  }
}

test "ORA-T-idle2: also when it is the smaller one" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXIJOB=3,1
  END
  }

  node "n01" { procs = 8 }
  job "full" {
    user             = "ops"
    state            = "running"
    procs            = 8
    walltime_seconds = "10h"
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "j" {
    for_each         = range(1, 6)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "counts" {
    eligible = 1
    blocked  = 4
  }
}

test "ORA-T-idlegroup: idle limits of the DEFAULT group hold for no group" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    GROUPCFG[DEFAULT] MAXIJOB=2
  END
  }

  node "n01" { procs = 8 }
  job "full" {
    user             = "ops"
    state            = "running"
    procs            = 8
    walltime_seconds = "10h"
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "j" {
    for_each         = range(1, 6)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    group            = "g1"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "counts" {
    eligible = 5
    blocked  = 0
  }
}

test "ORA-T-idleproc: a job that alone is larger than an idle limit is never eligible" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    USERCFG[DEFAULT] MAXIPROC=5
  END
  }

  node "n01" { procs = 32 }
  job "1" {
    user             = "u1"
    procs            = 32
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "1" {
    state  = "blocked"
    reason = "MAXIPROC"
  }
}

test "ORA-T-override: OMAXJOB of a QOS replaces the limits of user and group" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2
    GROUPCFG[staff] MAXJOB=5
    QOSCFG[hiprio]  OMAXJOB=3 OMAXNODE=64
    USERCFG[steve]  QLIST=hiprio
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "steve"
    group            = "staff"
    qos              = "hiprio"
    walltime_seconds = "1h"
  }

  expect "counts" {
    running = 3
    blocked = 3
  }
  expect "job" "4" {
    why {
      limit  = "OMAXJOB"
      value  = 3
      in_use = 3
    }
  }
}

# A user's second job, once blocked, keeps the queue time that it had when it last passed.
test "ORA-AGE: the clock of a blocked job stands still (ALWAYS)" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1"]
  files = { "maui.cfg" = <<-END
    JOBPRIOACCRUALPOLICY ALWAYS
    USERCFG[u1] MAXJOB=1
  END
  }

  job "j" {
    for_each         = range(1, 3)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "job" "2" { stored = 1 }
  step {
    now = "2026-11-20T12:01:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:02:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:03:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:04:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:05:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:06:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:07:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:08:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:09:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
}

test "ORA-AGE: the clock of a blocked job stands still (QUEUEPOLICY)" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1"]
  files = { "maui.cfg" = <<-END
    JOBPRIOACCRUALPOLICY QUEUEPOLICY
    USERCFG[u1] MAXJOB=1
  END
  }

  job "j" {
    for_each         = range(1, 3)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "job" "2" { stored = 1 }
  step {
    now = "2026-11-20T12:01:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:02:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:03:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:04:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:05:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:06:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:07:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:08:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:09:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
}

test "ORA-AGE: the clock of a blocked job stands still (FULLPOLICY)" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1"]
  files = { "maui.cfg" = <<-END
    JOBPRIOACCRUALPOLICY FULLPOLICY
    USERCFG[u1] MAXJOB=1
  END
  }

  job "j" {
    for_each         = range(1, 3)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  expect "job" "2" { stored = 1 }
  step {
    now = "2026-11-20T12:01:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:02:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:03:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:04:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:05:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:06:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:07:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:08:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
  step {
    now = "2026-11-20T12:09:00Z"
    expect "job" "2" {
      state  = "blocked"
      stored = 1
    }
  }
}

test "ORA-AGE-soft: over a soft limit only, it goes on" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  started   = ["1"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=1,2
  END
  }

  job "j" {
    for_each         = range(1, 3)
    id               = each.key
    submit_time      = "2026-11-20T11:59:00Z"
    user             = "u1"
    walltime_seconds = "1h"
  }

  step {
    now = "2026-11-20T12:01:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:02:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:03:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:04:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:05:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:06:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:07:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:08:00Z"
    expect "job" "2" { state = "blocked" }
  }
  step {
    now = "2026-11-20T12:09:00Z"
    expect "job" "2" { state = "blocked" }
  }
  # what it had gathered when the tenth iteration ended
  step {
    now = "2026-11-20T12:10:00Z"
    expect "job" "2" {
      term "service.queuetime" { factor = 10 }
    }
  }
}
