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

# Limits come in pairs, soft and hard. The first running jobs have the highest priorities, so that
# the walks count them first. Over a soft limit a job is blocked and keeps its queue time; over the hard
# one it loses that too.
test "THR-07: soft MAXJOB of a user" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 3)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "steve"
    group            = "g"
    partition        = "x"
  }
  job "c" {
    user             = "steve"
    group            = "g"
    partition        = "x"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 60
    why {
      object = "user"
      name   = "steve"
      limit  = "MAXJOB"
      bound  = "soft"
      value  = 2
      in_use = 2
    }
  }
}

test "THR-07: hard MAXJOB of a user" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 5)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "steve"
    group            = "g"
    partition        = "x"
  }
  job "c" {
    user             = "steve"
    group            = "g"
    partition        = "x"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 1
    why {
      object = "user"
      name   = "steve"
      limit  = "MAXJOB"
      bound  = "soft"
      value  = 2
      in_use = 4
    }
  }
}

test "THR-07: soft MAXNODE of a user" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 2)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "steve"
    group            = "g"
    partition        = "x"
    nodes            = 15
    procs            = 15
  }
  job "c" {
    user             = "steve"
    group            = "g"
    partition        = "x"
    walltime_seconds = "1h"
    nodes            = 1
    procs            = 1
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 60
    why {
      object = "user"
      name   = "steve"
      limit  = "MAXNODE"
      bound  = "soft"
      value  = 15
      in_use = 15
    }
  }
}

test "THR-07: soft MAXJOB of a group" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 3)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u"
    group            = "staff"
    partition        = "x"
  }
  job "c" {
    user             = "v"
    group            = "staff"
    partition        = "x"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 60
    why {
      object = "group"
      name   = "staff"
      limit  = "MAXJOB"
      bound  = "soft"
      value  = 2
      in_use = 2
    }
  }
}

test "THR-07: hard MAXJOB of a group" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 6)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u"
    group            = "staff"
    partition        = "x"
  }
  job "c" {
    user             = "v"
    group            = "staff"
    partition        = "x"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 1
    why {
      object = "group"
      name   = "staff"
      limit  = "MAXJOB"
      bound  = "soft"
      value  = 2
      in_use = 5
    }
  }
}

test "THR-07: soft MAXNODE of a class" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 2)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u"
    group            = "g"
    partition        = "batch"
    nodes            = 12
    procs            = 12
  }
  job "c" {
    user             = "v"
    group            = "g"
    partition        = "batch"
    walltime_seconds = "1h"
    nodes            = 1
    procs            = 1
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 60
    why {
      object = "partition"
      name   = "batch"
      limit  = "MAXNODE"
      bound  = "soft"
      value  = 12
      in_use = 12
    }
  }
}

test "THR-07: hard MAXNODE of a class" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, hard and soft limits"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]  MAXJOB=2,4 MAXNODE=15,30
    GROUPCFG[staff] MAXJOB=2,5
    CLASSCFG[batch] MAXNODE=12,32
    QOSCFG[hiprio]  MAXJOB=3,5 MAXNODE=32,64
  END
  }

  job "jr" {
    for_each         = range(1, 2)
    id               = "r${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u"
    group            = "g"
    partition        = "batch"
    nodes            = 32
    procs            = 32
  }
  job "c" {
    user             = "v"
    group            = "g"
    partition        = "batch"
    walltime_seconds = "1h"
    nodes            = 1
    procs            = 1
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "c" {
    stored = 1
    why {
      object = "partition"
      name   = "batch"
      limit  = "MAXNODE"
      bound  = "soft"
      value  = 12
      in_use = 32
    }
  }
}

test "THR-08: the old names set the soft and the hard number of all users" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui 3.0.6 manual, throttling policies"
  files = { "maui.cfg" = <<-END
    MAXNODEPERUSERCOUNT  16
    SMAXNODEPERUSERCOUNT 8
  END
  }

  job "jsoft" {
    for_each         = range(1, 2)
    id               = "soft${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u1"
    nodes            = 8
    procs            = 8
  }
  job "u1" {
    user             = "u1"
    nodes            = 1
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "jhard" {
    for_each         = range(1, 2)
    id               = "hard${each.key}"
    state            = "running"
    walltime_seconds = "1h"
    start_time       = "2026-11-20T11:30:00Z"
    submit_time      = "2026-11-20T06:00:00Z"
    user             = "u2"
    nodes            = 16
    procs            = 16
  }
  job "u2" {
    user             = "u2"
    nodes            = 1
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "u1" {
    stored = 60
    why {
      object = "user"
      name   = "u1"
      bound  = "soft"
      value  = 8
      in_use = 8
    }
  }
  expect "job" "u2" {
    stored = 1
    why {
      object = "user"
      name   = "u2"
      bound  = "soft"
      value  = 8
      in_use = 16
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
