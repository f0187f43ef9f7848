# Limits across credentials, and QOS that lift them. Which jobs start is given (`started`): as many as Maui
# started. What must come out is that no other job may start, or, where Maui started them all,
# that the last one may.

test "ORA-T-nodeidx: an index that MAXNODE does not know is not heeded, the limit is" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXNODE[CLASS]=2
  END
  }

  job "j" {
    for_each         = range(1, 5)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
    nodes            = 1
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 2
  }
  expect "job" "3" {
    why {
      limit  = "MAXNODE"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-cls2d: MAXJOB[USER] of a class counts each user" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXJOB[USER]=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 4
  }
  expect "job" "3" {
    why {
      limit  = "MAXJOB"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-cls2dname: MAXJOB[USER:u1] of a class limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXJOB[USER:u1]=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 5
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-clsprocu: MAXPROC[USER] of a class limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXPROC[USER]=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 5
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-clsprocpu: MAXPROCPERUSER of a class counts each user" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXPROCPERUSER=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 4
  }
  expect "job" "3" {
    why {
      limit  = "MAXPROCPERUSER"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-qosperuser: MAXJOBPERUSER of a QOS limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    QOSCFG[DEFAULT] MAXJOBPERUSER=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 5
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-grouplim: MAXJOB[GROUP] of a class limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXJOB[GROUP]=2
  END
  }

  job "j" {
    for_each         = range(1, 5)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 3
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-ign: IGNJOBPERUSER lifts the limits of all credentials" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    QOSCFG[DEFAULT] QFLAGS=IGNJOBPERUSER
    USERCFG[u1] MAXJOB=2
    GROUPCFG[g1] MAXJOB=3
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 5
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-flags: the attribute FLAGS of a QOS is not read" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    QOSCFG[DEFAULT] FLAGS=IGNJOBPERUSER
    USERCFG[u1] MAXJOB=2
  END
  }

  job "j" {
    for_each         = range(1, 7)
    id               = each.key
    user             = "u1"
    group            = "g1"
    partition        = "DEFAULT"
    procs            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 4
  }
  expect "job" "3" {
    why {
      limit  = "MAXJOB"
      value  = 2
      in_use = 2
    }
  }
}
