# What is chosen outside of the policy: documented or observed, versions, parts left out.

test "semantics of the policy hold unless the run says otherwise" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use       = "maui"
      semantics = "documented"
      params    = { QUEUETIMEWEIGHT = 0, XFACTORWEIGHT = 1, XFMINWCLIMIT = 60 }
    }
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = 60
    walltime_seconds = 30
  }

  expect "job" "1" { score = 2 }
}

test "the run's semantics win" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use       = "maui"
      semantics = "documented"
      params    = { QUEUETIMEWEIGHT = 0, XFACTORWEIGHT = 1, XFMINWCLIMIT = 60 }
    }
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = 60
    walltime_seconds = 30
  }

  expect "job" "1" { score = 1.5 }
}

test "a site's own deviation" {
  policy     = "site.fairway.hcl"
  now        = "2026-11-20T12:00:00Z"
  deviations = ["rounding_of_hours"]
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      deviation "rounding_of_hours" {
        observed   = "hours are fractions"
        documented = "begun hours count"
      }
      component "a" {
        term "hours" {
          factor = "documented.rounding_of_hours ? math.ceil(double(job.walltime_seconds) / 3600.0) : double(job.walltime_seconds) / 3600.0"
        }
      }
    }
  END
  }

  job "1" {
    user             = "amy"
    walltime_seconds = "90m"
  }

  expect "job" "1" { score = 2 }
}

test "an unknown deviation is an error" {
  policy     = "site.fairway.hcl"
  deviations = ["xfactor_nominator"]
  files = { "site.fairway.hcl" = <<-END
    policy "site" { use = "maui" }
  END
  }

  expect "error" { code = "unknown-deviation" }
}

test "a component left out adds nothing, and the result says so" {
  policy  = "maui.cfg"
  now     = "2026-11-20T12:00:00Z"
  without = ["service"]
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 10
    USERWEIGHT      1
    USERCFG[amy]    PRIORITY=7
  END
  }

  job "1" {
    user             = "amy"
    queue_seconds    = "1h"
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 7 }
  expect "finding" { code = "left-out" }
}

test "what is not there cannot be left out" {
  policy  = "maui.cfg"
  without = ["servic"]
  files   = { "maui.cfg" = "QUEUETIMEWEIGHT 10\n" }

  expect "error" { code = "unknown-component" }
}

test "a Slurm version before 20.02 ages without slurmdbd" {
  policy        = "slurm.conf"
  now           = "2026-11-20T12:00:00Z"
  slurm_version = "19.05"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    PriorityMaxAge=7-0
    NodeName=n[1-4] CPUs=10
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "amy"
    partition      = "main"
    accrue_seconds = "84h"
  }

  expect "job" "1" { priority = 500 }
}

test "a Slurm version from 20.02 on does not" {
  policy        = "slurm.conf"
  now           = "2026-11-20T12:00:00Z"
  slurm_version = "20.02"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    PriorityMaxAge=7-0
    NodeName=n[1-4] CPUs=10
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "amy"
    partition      = "main"
    accrue_seconds = "84h"
  }

  expect "job" "1" { priority = 1 }
}

test "a version that never was is an error" {
  policy        = "slurm.conf"
  slurm_version = "20.03"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n1
    PartitionName=main Nodes=ALL
  END
  }

  expect "error" { code = "unknown-slurm-version" }
}
