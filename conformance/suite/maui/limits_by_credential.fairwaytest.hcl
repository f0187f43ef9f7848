# What is counted, and for which credentials. Which jobs start is given (`started`): as many as Maui
# started. What must come out is that no other job may start, or, where Maui started them all,
# that the last one may.

test "ORA-T-groupdef: DEFAULT of groups" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    GROUPCFG[DEFAULT] MAXJOB=2
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

test "ORA-T-acctdef: DEFAULT of accounts" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    ACCOUNTCFG[DEFAULT] MAXJOB=2
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
    account          = "a1"
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 2
  }
  expect "job" "3" {
    why {
      limit  = "MAXJOB"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-qosdef: DEFAULT of QOS holds for QOS hi" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] QLIST=hi
    QOSCFG[DEFAULT] MAXJOB=2
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
    qos              = "hi"
  }

  expect "counts" {
    running  = 2
    eligible = 0
    blocked  = 2
  }
  expect "job" "3" {
    why {
      limit  = "MAXJOB"
      value  = 2
      in_use = 2
    }
  }
}

test "ORA-T-class: a limit of the class that is called DEFAULT" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    CLASSCFG[DEFAULT] MAXJOB=2
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

test "ORA-T-sys: SYSCFG limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    SYSCFG MAXJOB=2
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

test "ORA-T-maxwctime: MAXWC is a number: 2:00:00 is two seconds" {
  policy = "maui.cfg"
  now    = "2026-11-20T12:00:00Z"
  cite   = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXWC=2:00:00
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
    running  = 0
    eligible = 0
    blocked  = 6
  }
  expect "job" "1" {
    why {
      limit  = "MAXWC"
      value  = 2
      in_use = 0
    }
  }
}

test "ORA-T-maxwc: MAXWC counts seconds" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXWC=7200
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
      limit  = "MAXWC"
      value  = 7200
      in_use = 7200
    }
  }
}

test "ORA-T-maxps: MAXPS counts processor-seconds" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXPS=10000
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
      limit  = "MAXPS"
      value  = 10000
      in_use = 7200
    }
  }
}

test "ORA-T-maxpe: MAXPE counts processor equivalents" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXPE=3
  END
  }

  node "n" {
    for_each = range(1, 9)
    id       = "n${each.key}"
    procs    = 4
    mem_mb   = 1024
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
    tasks            = 1
    procs_per_task   = 1
    mem_per_task_mb  = 0
  }

  expect "counts" {
    running  = 3
    eligible = 0
    blocked  = 3
  }
  expect "job" "4" {
    why {
      limit  = "MAXPE"
      value  = 3
      in_use = 3
    }
  }
}

test "ORA-T-mem: MAXMEM limits nothing" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXMEM=1
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
    mem_mb           = 10
  }

  expect "counts" {
    running  = 3
    eligible = 1
    blocked  = 0
  }
}

test "ORA-T-maxnode: MAXNODE does not count jobs that name no nodes" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXNODE=1
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

test "ORA-T-maxnodenr: MAXNODE counts the nodes that jobs ask for" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    USERCFG[u1] MAXNODE=2
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
