# Soft and hard limits of the throttling chapter. The first running jobs have the highest priorities,
# so that the walks count them first. Over a soft limit a job is blocked and keeps its queue time; over
# the hard one it loses that too.

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
