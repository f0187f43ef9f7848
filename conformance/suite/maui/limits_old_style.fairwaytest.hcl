# Limits of Maui 3.0. Which jobs start is given (`started`): as many as Maui
# started. What must come out is that no other job may start, or, where Maui started them all,
# that the last one may.

test "ORA-T-oldjob: MAXJOBPERUSERCOUNT limits without its POLICY" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    MAXJOBPERUSERCOUNT 2
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

test "ORA-T-oldoff: MAXJOBPERUSERPOLICY OFF takes it back" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    MAXJOBPERUSERCOUNT 2
    MAXJOBPERUSERPOLICY OFF
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

test "ORA-T-oldnode: MAXPROCPERGROUPCOUNT limits nodes" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    MAXPROCPERGROUPCOUNT 2
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

test "ORA-T-oldnode0: MAXPROCPERGROUPCOUNT does not count jobs that name no nodes" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  cite    = "recorded from Maui 3.5 in simulation"
  started = ["1", "2", "3", "4", "5"]
  files = { "maui.cfg" = <<-END
    BACKFILLPOLICY NONE
    MAXPROCPERGROUPCOUNT 2
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
