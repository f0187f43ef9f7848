# A policy inherits by name: what it does not say stays as the base has it.

test "a component is added beside the inherited ones" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "maui"
      params = { QUEUETIMEWEIGHT = 10 }
      component "site" {
        weight = 2
        term "gpu" {
          weight = 100
          factor = "job.gpus > 0 ? 1.0 : 0.0"
        }
      }
    }
  END
  }

  job "gpu" {
    user             = "amy"
    gpus             = 1
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }
  job "cpu" {
    user             = "bob"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "gpu" {
    priority = 800
    term "service.queuetime" { contribution = 600 }
    term "site.gpu" { contribution = 200 }
  }
  expect "job" "cpu" { priority = 600 }
}

test "a term keeps what the site does not override, and remove takes one out" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "maui"
      params = { QUEUETIMEWEIGHT = 10, XFACTORWEIGHT = 1000 }
      component "service" {
        term "queuetime" { cap = 30 }
        term "xfactor" { remove = true }
      }
    }
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 300
    term "service.queuetime" {
      factor       = 60
      weight       = 10
      contribution = 300
    }
  }
}

test "a maui.cfg and a policy file are one policy" {
  policy = ["maui.cfg", "site.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"
  files = {
    "maui.cfg"         = <<-END
      QUEUETIMEWEIGHT 10
      USERWEIGHT      1
      USERCFG[amy]    PRIORITY=7
    END
    "site.fairway.hcl" = <<-END
      policy "site" {
        override = true
        params   = { QUEUETIMEWEIGHT = 20 }
        user "bob" { priority = 9 }
      }
    END
  }

  job "amy" {
    user             = "amy"
    queue_seconds    = "1m"
    walltime_seconds = "1h"
  }
  job "bob" {
    user             = "bob"
    queue_seconds    = "1m"
    walltime_seconds = "1h"
  }

  expect "job" "amy" { priority = 27 }
  expect "job" "bob" { priority = 29 }
}

test "a policy file may not shadow a maui.cfg by accident" {
  policy = ["maui.cfg", "site.fairway.hcl"]
  files = {
    "maui.cfg"         = "QUEUETIMEWEIGHT 10\n"
    "site.fairway.hcl" = <<-END
      policy "site" {
        params = { QUEUETIMEWEIGHT = 20 }
      }
    END
  }

  expect "error" {
    code = "needs-override"
    line = 2
  }
}

test "a later file may not shadow an earlier one by accident" {
  policy = ["one.fairway.hcl", "two.fairway.hcl"]
  files = {
    "one.fairway.hcl" = <<-END
      policy "site" {
        use    = "maui"
        params = { QUEUETIMEWEIGHT = 20 }
      }
    END
    "two.fairway.hcl" = <<-END
      policy "site" {
        params = { QUEUETIMEWEIGHT = 30 }
      }
    END
  }

  expect "error" {
    code = "policy-needs-override"
    line = 2
  }
}

test "a later file overrides where it says so" {
  policy = ["one.fairway.hcl", "two.fairway.hcl"]
  now    = "2026-11-20T12:00:00Z"
  files = {
    "one.fairway.hcl" = <<-END
      policy "site" {
        component "a" {
          weight = 3
          term "one" { factor = 1 }
        }
      }
    END
    "two.fairway.hcl" = <<-END
      policy "site" {
        component "a" {
          override = true
          weight   = 5
        }
      }
    END
  }

  job "1" { user = "amy" }

  expect "job" "1" { priority = 5 }
}

test "what is not there cannot be removed" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "maui"
      component "servce" { remove = true }
    }
  END
  }

  expect "error" {
    code = "policy-removes-nothing"
    line = 3
  }
}
