# A define is a column of the policy's own.

test "a define is what its expression would be in its place" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      define "hours" {
        value = "double(job.walltime_seconds) / 3600.0"
      }
      define "long" {
        value = "define.hours > 10.0"
      }
      define "team" {
        value = "job.account + '/' + job.user"
      }
      component "c" {
        term "sum" { factor = "2.0 * define.hours - define.hours" }
        term "amy" {
          weight = 100
          factor = "define.team == 'a/amy' && !define.long"
        }
      }
      hold "long" {
        when = "define.long"
      }
    }
  END
  }

  job "1" {
    user             = "amy"
    account          = "a"
    walltime_seconds = 14400
  }
  job "2" {
    user             = "bob"
    account          = "a"
    walltime_seconds = 43200
  }

  expect "job" "1" {
    score = 104
    term "c.sum" { factor = 4 }
    term "c.amy" { factor = 1 }
  }
  expect "job" "2" {
    score = 12
    state = "held"
  }
}

test "a site changes a define of the base, and all that reads it" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "maui"
      params = { QUEUETIMEWEIGHT = 0, XFACTORWEIGHT = 1, RESWEIGHT = 0 }
      define "xfactor_limit" {
        override = true
        value    = "100.0"
      }
    }
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = 250
    walltime_seconds = 50
  }

  expect "job" "1" {
    term "service.xfactor" { factor = 3 }
  }
}

test "a define of the base is not changed by accident" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "maui"
      define "xfactor" {
        value = "1.0"
      }
    }
  END
  }

  expect "error" {
    code = "policy-needs-override"
    line = 3
  }
}
