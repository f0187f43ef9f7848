# The whole policy of a small cluster, from scratch: no scheduler's formula is inherited.
policy "heath" {
  doc = "Projects share by their funding; short jobs fill the gaps; no user floods the queue."

  # 1. Who: accounts with their shares, and the users in them.
  fairshare "fair_tree" {}
  account "physics" {
    fairshare { shares = 60 }
    user "ana" {
      fairshare { shares = 1 }
    }
    user "bo" {
      fairshare { shares = 1 }
    }
  }
  account "chemistry" {
    fairshare { shares = 40 }
    user "cy" {
      fairshare { shares = 1 }
    }
  }

  # 2. In which order: the sum of these parts.
  component "fairshare" {
    weight = 1000
    term "fairshare" { factor = "association.fairshare_factor" }
  }
  component "waiting" {
    cap = 480
    term "hours" {
      weight = 10
      factor = "job.queue_minutes / 60.0"
      doc    = "10 points an hour, for two days."
    }
  }
  component "short" {
    term "short" {
      weight = 200
      factor = "has(job.walltime_seconds) && job.walltime_seconds <= 3600 ? 1.0 : 0.0"
    }
  }
  finish {
    floor    = 0
    rounding = "truncate"
  }

  # 3. Who may start at all.
  user "DEFAULT" {
    limit "procs" {
      hard   = 64
      reason = "a user may run on 64 processors"
    }
    limit "idle_jobs" {
      hard   = 3
      reason = "three waiting jobs of a user count at a time"
    }
  }
  hold "no_time_limit" {
    when   = "!has(job.walltime_seconds)"
    reason = "ask for a time limit"
  }

  # 4. When and where: the first job in line gets a reservation, others start if they do not delay it.
  backfill {
    algorithm         = "firstfit"
    reservation_depth = 1
  }
  reservation "service" {
    days        = ["tue"]
    from        = "08:00"
    to          = "10:00"
    maintenance = true
  }
}
