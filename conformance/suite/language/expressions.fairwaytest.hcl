# Expressions: errors are values, caps bound from above, what has no kernel still runs.

test "a job whose expression fails has no priority, and a finding names it" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "share" { factor = "double(100 / job.nodes)" }
      }
    }
  END
  }

  job "good" {
    user  = "amy"
    nodes = 4
  }
  job "zero" {
    user  = "amy"
    nodes = 0
  }

  expect "job" "good" { priority = 25 }
  expect "finding" {
    code = "expression-failed"
    line = 3
  }
  assert { condition = "job['zero'].rank == 0" }
}

test "an error does not matter where the other side decides" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "or" { factor = "100 / job.nodes > 10 || job.user == 'amy' ? 1.0 : 0.0" }
        term "and" { factor = "100 / job.nodes > 10 && job.user == 'bob' ? 0.0 : 2.0" }
        term "if" { factor = "job.nodes == 0 ? 4.0 : 100.0 / double(job.nodes)" }
      }
    }
  END
  }

  job "1" {
    user  = "amy"
    nodes = 0
  }

  expect "job" "1" { priority = 7 }
}

test "int and double do not mix" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "x" { factor = "job.procs * 1.5" }
      }
    }
  END
  }

  expect "error" {
    code = "cel-type"
    line = 3
  }
}

test "an unknown column is an error at its place" {
  policy = "site.fairway.hcl"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "x" {
          factor = <<-CEL
            job.procs > 4
              ? 1.0 : job.proc
          CEL
        }
      }
    }
  END
  }

  expect "error" {
    code = "cel-unknown-column"
    line = 6
  }
}

test "a list is looked at once for each list there is" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "features" { factor = "double(job.features.filter(f, f.startsWith('gpu')).size())" }
      }
    }
  END
  }

  job "1" {
    user     = "amy"
    features = ["gpu", "gpu80g", "ib"]
  }
  job "2" {
    user     = "amy"
    features = ["ib"]
  }

  expect "job" "1" { priority = 2 }
  expect "job" "2" { score = 0 }
}

test "what has no kernel is evaluated job by job and says so" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "name" { factor = "(job.user + '-' + job.account + string(job.nice)).startsWith('amy-phys') ? 5.0 : 0.0" }
      }
    }
  END
  }

  job "1" {
    user    = "amy"
    account = "phys1"
  }
  job "2" {
    user    = "amy"
    account = "chem"
  }

  expect "job" "1" { priority = 5 }
  expect "job" "2" { score = 0 }
  expect "finding" {
    code = "not-vectorized"
    line = 3
  }
}

test "caps bound from above only, and 0 is none" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        weight = 2
        cap    = 50
        term "capped" {
          weight = 10
          cap    = 4
          factor = "job.nice"
        }
        term "free" {
          cap    = 0
          factor = "job.nodes"
        }
      }
      finish { floor = -1000 }
    }
  END
  }

  job "below" {
    user  = "amy"
    nice  = 3
    nodes = 1
  }
  job "term" {
    user  = "amy"
    nice  = 5
    nodes = 2
  }
  job "component" {
    user  = "amy"
    nice  = 5
    nodes = 20
  }
  job "negative" {
    user  = "amy"
    nice  = -60
    nodes = 0
  }

  expect "job" "below" { priority = 62 }
  expect "job" "term" { priority = 84 }
  expect "job" "component" { priority = 100 }
  expect "job" "negative" {
    score    = -1200
    priority = -1000
  }
}

test "time of day comes from the snapshot's clock" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T22:30:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "night" { factor = "now.getHours() >= 20 || now.getHours() < 6 ? 3.0 : 1.0" }
      }
    }
  END
  }

  job "1" { user = "amy" }

  expect "job" "1" { priority = 3 }
}

test "an infinite score is none: the job has no priority, others keep theirs" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "gpu" { factor = "100.0 / double(job.gpus)" }
        term "log" { factor = "ln(double(job.nodes))" }
      }
    }
  END
  }

  job "two" {
    user  = "amy"
    gpus  = 2
    nodes = 1
  }
  job "none" {
    user  = "amy"
    gpus  = 0
    nodes = 1
  }
  job "log" {
    user  = "amy"
    gpus  = 1
    nodes = 0
  }

  expect "job" "two" {
    priority = 50
    rank     = 1
  }
  expect "job" "none" {
    state  = "blocked"
    reason = "has no priority, as an expression failed for it"
  }
  expect "job" "log" { state = "blocked" }
  expect "finding" {
    code = "priority-infinite"
  }
}

test "clamp bounds an infinity, as its author says; a cap does not, and the job has no priority" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "a" {
        term "clamped" { factor = "clamp(ln(double(job.gpus)), -5.0, 5.0)" }
        term "capped" {
          cap    = 7
          factor = "100.0 / double(job.nodes)"
        }
      }
      component "b" {
        cap = 10
        term "of a sum" { factor = "1.0 / double(job.procs - 1)" }
      }
    }
  END
  }

  job "clamped" {
    user  = "amy"
    gpus  = 0
    nodes = 50
    procs = 3
  }
  job "capped" {
    user  = "amy"
    gpus  = 1
    nodes = 0
    procs = 3
  }
  job "capped sum" {
    user  = "amy"
    gpus  = 1
    nodes = 50
    procs = 1
  }

  expect "job" "clamped" {
    priority = -2
    rank     = 1
  }
  expect "job" "capped" {
    state  = "blocked"
    reason = "has no priority, as an expression failed for it"
  }
  expect "job" "capped sum" { state = "blocked" }
  expect "finding" {
    code = "priority-infinite"
  }
}
