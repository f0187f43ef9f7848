# The examples of the throttling chapter in which manual and program differ, on both sides. Which jobs
# run is given; what must come out is what keeps the next ones from starting.

test "THR-02: a class without limits takes those of CLASSCFG[DEFAULT]: 14 of 16 nodes leave 2" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]    MAXJOB=2   MAXNODE=30
    GROUPCFG[staff]   MAXJOB=5
    CLASSCFG[DEFAULT] MAXNODE=16
    CLASSCFG[batch]   MAXNODE=32
  END
  }

  job "running" {
    user             = "bob"
    group            = "users"
    partition        = "interactive"
    state            = "running"
    nodes            = 14
    start_time       = "2026-11-20T11:30:00Z"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "two" {
    user             = "steve"
    group            = "staff"
    partition        = "interactive"
    nodes            = 2
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "three" {
    user             = "steve"
    group            = "staff"
    partition        = "interactive"
    nodes            = 3
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  # The manual's queue shows a job over an active limit among the idle ones (queue_display).
  expect "counts" {
    running  = 1
    eligible = 2
    blocked  = 0
  }
  expect "job" "three" {
    why {
      object = "partition"
      name   = "interactive"
      limit  = "MAXNODE"
      value  = 16
      in_use = 14
    }
  }
}

test "THR-02: in the program CLASSCFG[DEFAULT] is a class of that name, and interactive is unlimited" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies; Maui 3.5"
  files = { "maui.cfg" = <<-END
    USERCFG[steve]    MAXJOB=2   MAXNODE=30
    GROUPCFG[staff]   MAXJOB=5
    CLASSCFG[DEFAULT] MAXNODE=16
    CLASSCFG[batch]   MAXNODE=32
  END
  }

  job "running" {
    user             = "bob"
    group            = "users"
    partition        = "interactive"
    state            = "running"
    nodes            = 14
    start_time       = "2026-11-20T11:30:00Z"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "three" {
    user             = "steve"
    group            = "staff"
    partition        = "interactive"
    nodes            = 3
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    running  = 1
    eligible = 1
    blocked  = 0
  }
}

test "THR-03: OMAXJOB leaves the user's two jobs in force, OMAXNODE replaces the class's nodes" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.2, throttling policies, override limits"
  files = { "maui.cfg" = <<-END
    SYSCFG          QLIST=hiprio QDEF=hiprio
    USERCFG[steve]  MAXJOB=2 MAXNODE=30
    GROUPCFG[staff] MAXJOB=5
    CLASSCFG[batch] MAXNODE=32
    QOSCFG[hiprio]  OMAXJOB=3 OMAXNODE=64
  END
  }

  job "running" {
    for_each         = range(1, 3)
    id               = "running${each.key}"
    user             = "steve"
    group            = "staff"
    partition        = "batch"
    state            = "running"
    nodes            = 20
    start_time       = "2026-11-20T11:30:00Z"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "third" {
    user             = "steve"
    group            = "staff"
    partition        = "batch"
    nodes            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "other" {
    user             = "bob"
    group            = "staff"
    partition        = "batch"
    nodes            = 25
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "third" {
    why {
      object = "user"
      name   = "steve"
      limit  = "MAXJOB"
      value  = 2
      in_use = 2
    }
  }
  expect "job" "other" {
    why {
      object = "partition"
      name   = "batch"
      limit  = "OMAXNODE"
      value  = 64
      in_use = 40
    }
  }
}

test "THR-03: in the program the override replaces the limits of user and group too" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.2, throttling policies, override limits; recorded from Maui 3.5"
  files = { "maui.cfg" = <<-END
    SYSCFG          QLIST=hiprio QDEF=hiprio
    USERCFG[steve]  MAXJOB=2 MAXNODE=30
    GROUPCFG[staff] MAXJOB=5
    CLASSCFG[batch] MAXNODE=32
    QOSCFG[hiprio]  OMAXJOB=3 OMAXNODE=64
  END
  }

  job "running" {
    for_each         = range(1, 4)
    id               = "running${each.key}"
    user             = "steve"
    group            = "staff"
    partition        = "batch"
    state            = "running"
    nodes            = 20
    start_time       = "2026-11-20T11:30:00Z"
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "fourth" {
    user             = "steve"
    group            = "staff"
    partition        = "batch"
    nodes            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "other" {
    user             = "bob"
    group            = "staff"
    partition        = "batch"
    nodes            = 1
    walltime_seconds = "1h"
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "job" "fourth" {
    state = "blocked"
    why {
      object = "user"
      name   = "steve"
      limit  = "OMAXJOB"
      value  = 3
      in_use = 3
    }
  }
  expect "job" "other" {
    state = "blocked"
    why {
      object = "group"
      name   = "staff"
      limit  = "OMAXJOB"
      value  = 3
      in_use = 3
    }
  }
}
