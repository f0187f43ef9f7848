# From the sum to the priority: bounds, overrides, rounding; and holds.

test "rounding: truncate" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "half" { factor = "double(job.nice) / 2.0" }
      }
      finish { rounding = "truncate" }
    }
  END
  }

  job "up" {
    user = "amy"
    nice = 5
  }
  job "down" {
    user = "amy"
    nice = -5
  }

  expect "job" "up" {
    score    = 2.5
    priority = 2
  }
  expect "job" "down" { priority = -2 }
}

test "rounding: floor" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "half" { factor = "double(job.nice) / 2.0" }
      }
      finish { rounding = "floor" }
    }
  END
  }

  job "up" {
    user = "amy"
    nice = 5
  }
  job "down" {
    user = "amy"
    nice = -5
  }

  expect "job" "up" { priority = 2 }
  expect "job" "down" { priority = -3 }
}

test "rounding: nearest, halves away from zero" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "half" { factor = "double(job.nice) / 2.0" }
      }
      finish { rounding = "nearest" }
    }
  END
  }

  job "up" {
    user = "amy"
    nice = 5
  }
  job "down" {
    user = "amy"
    nice = -5
  }

  expect "job" "up" { priority = 3 }
  expect "job" "down" { priority = -3 }
}

test "the first override whose condition holds decides" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "procs" { factor = "job.procs" }
      }
      finish {
        ceiling = 100
        override "urgent" {
          when  = "job.qos == 'urgent'"
          value = "score + 1000.0"
        }
        override "any_qos" {
          when  = "job.qos != ''"
          value = "7"
        }
      }
    }
  END
  }

  job "urgent" {
    user  = "amy"
    qos   = "urgent"
    procs = 200
  }
  job "low" {
    user  = "amy"
    qos   = "low"
    procs = 200
  }
  job "none" {
    user  = "amy"
    procs = 200
  }

  expect "job" "urgent" {
    score    = 200
    priority = 1100
  }
  expect "job" "low" { priority = 7 }
  expect "job" "none" { priority = 100 }
  expect "order" { jobs = ["urgent", "none", "low"] }
}

test "a hold keeps a job from the ranking and says why" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "procs" { factor = "job.procs" }
      }
      hold "too_long" {
        when   = "job.walltime_seconds > 432000"
        reason = "walltime over 5 days"
      }
    }
  END
  }

  job "short" {
    user             = "amy"
    procs            = 1
    walltime_seconds = "5d"
  }
  job "long" {
    user             = "amy"
    procs            = 9
    walltime_seconds = "5d1m"
  }

  expect "job" "short" {
    state = "eligible"
    rank  = 1
  }
  expect "job" "long" {
    state  = "held"
    reason = "walltime over 5 days"
    rank   = 0
  }
}

# Nothing here says association.fairshare_factor, without which neither override could be computed.
test "an override that applies to no job asks for no column" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      param "BY_SHARE" {
        type    = "bool"
        default = false
      }
      component "a" {
        term "nice" { factor = "double(job.nice)" }
      }
      finish {
        override "by_share" {
          when  = "param.BY_SHARE"
          value = "association.fairshare_factor"
        }
        override "all" {
          when  = "true"
          value = "score + 1.0"
        }
        override "rest" {
          when  = "job.nice > 0"
          value = "association.fairshare_factor"
        }
      }
    }
  END
  }

  job "up" {
    user = "amy"
    nice = 5
  }

  expect "job" "up" { priority = 6 }
}
