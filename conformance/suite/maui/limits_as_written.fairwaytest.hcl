# How limits are written. Which jobs start is given (`started`): as many as Maui
# started. What must come out is that no other job may start, or, where Maui started them all,
# that the last one may.

test "ORA-T-eq: a limit after = is not read" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1]=MAXJOB=2
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

test "ORA-T-eqws: two blanks before a limit" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1]  MAXJOB=2
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

test "ORA-T-leadws: blanks before the line" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
       USERCFG[u1]  MAXJOB=2
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

test "ORA-T-lowerattr: an attribute in lower case is not read" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1]  maxjob=2
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

test "ORA-T-tailcomment: what is in a comment does not count" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1]  PRIORITY=3 MAXJOB=2 # note MAXJOB=4
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

test "ORA-T-merge: lines of one user add up, and the last of one limit counts" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=2
    USERCFG[u1] MAXPROC=5
    USERCFG[u1] MAXJOB=3
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
    running  = 3
    eligible = 0
    blocked  = 3
  }
  expect "job" "4" {
    why {
      limit  = "MAXJOB"
      value  = 3
      in_use = 3
    }
  }
}

test "ORA-T-pluseq: += sets, it does not add" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=2
    USERCFG[u1] MAXJOB+=3
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
    running  = 3
    eligible = 0
    blocked  = 3
  }
  expect "job" "4" {
    why {
      limit  = "MAXJOB"
      value  = 3
      in_use = 3
    }
  }
}

test "ORA-T-cont: a line goes on after a backslash" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] PRIORITY=1 \
      MAXJOB=2
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

test "ORA-T-order: the DEFAULT line may come last" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=4
    USERCFG[DEFAULT] MAXJOB=2
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
    running  = 4
    eligible = 0
    blocked  = 2
  }
  expect "job" "5" {
    why {
      limit  = "MAXJOB"
      value  = 4
      in_use = 4
    }
  }
}

test "ORA-T-neg1: a limit of -1 is none, also against DEFAULT" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[DEFAULT] MAXJOB=2
    USERCFG[u1] MAXJOB=-1
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

test "ORA-T-zero: a limit of 0 leaves DEFAULT in force" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[DEFAULT] MAXJOB=2
    USERCFG[u1] MAXJOB=0
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

test "ORA-T-softhard42: a soft limit above the hard one is the one that counts" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=4,2
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
    running  = 4
    eligible = 0
    blocked  = 2
  }
  expect "job" "5" {
    why {
      limit  = "MAXJOB"
      value  = 4
      in_use = 4
    }
  }
}

test "ORA-T-hard0: a hard limit of 0 takes the soft one with it" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXJOB=2,0
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
