# Limits of the policy language: in a policy from scratch, and on top of a scheduler's.

test "a policy from scratch: counts, phases, names, conditions, reasons" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "c" {
        term "age" { factor = "job.queue_minutes" }
      }
      limit "job_procs" { hard = 64, reason = "too large" }
      limit "night" {
        count = "procs"
        per   = "class"
        hard  = 8
        when  = "job.walltime_seconds > 3600"
      }
      user "DEFAULT" {
        limit "idle_jobs" { hard = 2 }
        limit "mem" { hard = "4G" }
      }
      user "amy" {
        limit "idle_jobs" { hard = "none" }
      }
      account "physics" {
        user "bob" {
          limit "jobs" { hard = 1 }
        }
      }
    }
  END
  }

  job "running" {
    user             = "bob"
    account          = "physics"
    partition        = "p"
    state            = "running"
    procs            = 6
    mem_mb           = 3000
    walltime_seconds = 7200
    start_time       = "2026-11-20T11:00:00Z"
    submit_time      = "2026-11-20T10:00:00Z"
  }
  job "large" {
    user             = "amy"
    partition        = "p"
    procs            = 65
    mem_mb           = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:01:00Z"
  }
  job "long" {
    user             = "amy"
    partition        = "p"
    procs            = 3
    mem_mb           = 1
    walltime_seconds = 7200
    submit_time      = "2026-11-20T11:02:00Z"
  }
  job "short" {
    user             = "amy"
    partition        = "p"
    procs            = 3
    mem_mb           = 1
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:03:00Z"
  }
  job "elsewhere" {
    user             = "amy"
    partition        = "q"
    procs            = 3
    mem_mb           = 1
    walltime_seconds = 7200
    submit_time      = "2026-11-20T11:04:00Z"
  }
  job "amys third" {
    user             = "amy"
    partition        = "p"
    procs            = 1
    mem_mb           = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:05:00Z"
  }
  job "second of physics" {
    user             = "bob"
    account          = "physics"
    partition        = "p"
    procs            = 1
    mem_mb           = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:06:00Z"
  }
  job "of chemistry" {
    user             = "bob"
    account          = "chemistry"
    partition        = "p"
    procs            = 1
    mem_mb           = 1000
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:07:00Z"
  }
  job "too much memory" {
    user             = "bob"
    partition        = "p"
    procs            = 1
    mem_mb           = 1097
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:08:00Z"
  }
  job "bobs second idle" {
    user             = "bob"
    partition        = "p"
    procs            = 1
    mem_mb           = 1096
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:09:00Z"
  }
  job "bobs third idle" {
    user             = "bob"
    partition        = "p"
    procs            = 1
    mem_mb           = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:10:00Z"
  }

  expect "counts" {
    running  = 1
    eligible = 5
    blocked  = 5
  }
  expect "job" "large" {
    state  = "blocked"
    reason = "too large"
  }
  expect "job" "long" {
    state  = "blocked"
    reason = "night"
    why {
      object  = "partition"
      name    = "p"
      value   = 8
      in_use  = 6
      request = 3
    }
  }
  expect "job" "short" { state = "eligible" }
  expect "job" "elsewhere" { state = "eligible" }
  expect "job" "amys third" { state = "eligible" }
  expect "job" "second of physics" {
    state = "blocked"
    why {
      object = "user"
      name   = "bob"
      limit  = "jobs"
      value  = 1
      in_use = 1
    }
  }
  expect "job" "of chemistry" { state = "eligible" }
  expect "job" "too much memory" {
    state  = "blocked"
    reason = "mem"
    why {
      value  = 4096
      in_use = 3000
    }
  }
  expect "job" "bobs second idle" { state = "eligible" }
  expect "job" "bobs third idle" {
    state  = "blocked"
    reason = "idle_jobs"
    why {
      name   = "bob"
      value  = 2
      in_use = 2
    }
  }
}

test "on top of a maui.cfg: a limit is replaced where the policy says so, and added where there was none" {
  policy = ["maui.cfg", "site.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"
  files = {
    "maui.cfg"         = <<-END
      USERCFG[amy] MAXIJOB=1
      USERCFG[bob] MAXIJOB=1
    END
    "site.fairway.hcl" = <<-END
      policy "site" {
        override = true
        user "amy" {
          limit "idle_jobs" { hard = 2 }
        }
        class "DEFAULT" {
          limit "job_procs" { hard = 4 }
        }
      }
    END
  }

  job "amy" {
    for_each         = range(1, 4)
    id               = "amy${each.key}"
    user             = "amy"
    partition        = "batch"
    procs            = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "bob" {
    for_each         = range(1, 3)
    id               = "bob${each.key}"
    user             = "bob"
    partition        = "batch"
    procs            = 1
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:00:00Z"
  }
  job "large" {
    user             = "cat"
    partition        = "batch"
    procs            = 5
    walltime_seconds = 60
    submit_time      = "2026-11-20T11:00:00Z"
  }

  expect "counts" {
    eligible = 3
    blocked  = 3
  }
  expect "job" "amy3" {
    state = "blocked"
    why {
      limit  = "idle_jobs"
      value  = 2
      in_use = 2
    }
  }
  expect "job" "bob2" {
    state = "blocked"
    why {
      limit  = "MAXIJOB"
      value  = 1
      in_use = 1
    }
  }
  expect "job" "large" { state = "blocked" }
}
