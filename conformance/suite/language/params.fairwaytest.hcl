# Parameters: declared with a type, or inherited from a scheduler's table.

test "a declared parameter has a default, and bounds" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      param "BONUS" {
        type    = "integer"
        default = 5
        max     = 100
      }
      component "a" {
        term "bonus" { factor = "param.BONUS" }
      }
    }
  END
  }

  job "1" { user = "amy" }

  expect "job" "1" { priority = 5 }
}

test "the test's params replace the policy's" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  params = { QUEUETIMEWEIGHT = 7 }
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "maui"
      params = { QUEUETIMEWEIGHT = 5 }
    }
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = "1m"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 7 }
}

test "a value out of bounds is an error" {
  policy = "site.fairway.hcl"
  params = { BONUS = 101 }
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      param "BONUS" {
        type    = "integer"
        default = 5
        max     = 100
      }
      component "a" {
        term "bonus" { factor = "param.BONUS" }
      }
    }
  END
  }

  expect "error" { code = "policy-out-of-range" }
}

test "an unknown parameter is an error" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "maui"
      params = { QUEUTIMEWEIGHT = 5 }
    }
  END
  }

  expect "error" {
    code = "unknown-param"
    line = 3
  }
}

test "an expression cannot read a parameter that is not declared" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "bonus" { factor = "param.BONUS" }
      }
    }
  END
  }

  expect "error" {
    code = "cel-unknown-param"
    line = 3
  }
}

test "durations and memory are written with units" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      param "SHORT" {
        type    = "duration"
        default = "2h"
      }
      param "BIG" {
        type    = "memory"
        default = "4G"
      }
      component "a" {
        term "short" { factor = "job.walltime_seconds <= param.SHORT ? 10.0 : 0.0" }
        term "big" { factor = "job.mem_mb >= param.BIG ? 1.0 : 0.0" }
      }
    }
  END
  }

  job "both" {
    user             = "amy"
    walltime_seconds = "2h"
    mem_mb           = "4G"
  }
  job "neither" {
    user             = "amy"
    walltime_seconds = "2h1m"
    mem_mb           = "4095M"
  }

  expect "job" "both" { priority = 11 }
  expect "job" "neither" { score = 0 }
}
