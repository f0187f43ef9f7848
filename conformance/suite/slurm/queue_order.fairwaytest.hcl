# The order in which slurmctld tries jobs.

test "queue-order: tier, then priority, then submit time, then id" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (job_scheduler.c), without the job in a reservation"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=ACCRUE_ALWAYS
    NodeName=n[001-100] CPUs=16
    PartitionName=t1 Nodes=ALL PriorityTier=1
    PartitionName=t2 Nodes=ALL PriorityTier=2
  END
  }

  job "10" {
    user              = "u1"
    account           = "a"
    partition         = "t1"
    direct_priority   = true
    recorded_priority = 900
    submit_time       = "2026-11-20T00:00:05Z"
  }
  job "11" {
    user              = "u1"
    account           = "a"
    partition         = "t2"
    direct_priority   = true
    recorded_priority = 100
    submit_time       = "2026-11-20T00:00:06Z"
  }
  job "12" {
    user              = "u1"
    account           = "a"
    partition         = "t1"
    direct_priority   = true
    recorded_priority = 900
    submit_time       = "2026-11-20T00:00:04Z"
  }
  job "9" {
    user              = "u1"
    account           = "a"
    partition         = "t1"
    direct_priority   = true
    recorded_priority = 900
    submit_time       = "2026-11-20T00:00:05Z"
  }
  job "13" {
    user              = "u1"
    account           = "a"
    partition         = "t1"
    direct_priority   = true
    recorded_priority = 10
    reservation       = "maint"
    submit_time       = "2026-11-20T00:00:01Z"
  }

  expect "order" { jobs = ["13", "11", "12", "9", "10"] }
}

test "queue-limited-entry: a job stands where the best of its entries does by which it may start" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (build_job_queue, acct_policy.c)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "slurm"
      params = {
        AccountingStorageEnforce = "limits"
        PriorityWeightPartition  = 1000
      }
      qos "few" { limit "MaxJobsPU" { hard = 1 } }
      partition "fast" {
        priority_job_factor = 10
        qos                 = "few"
      }
      partition "slow" { priority_job_factor = 1 }
      partition "mid" { priority_job_factor = 5 }
      account "a" {
        user "amy" {}
        user "bob" {}
      }
    }
  END
  }

  job "running" {
    user       = "amy"
    account    = "a"
    partition  = "fast"
    state      = "running"
    start_time = "2026-11-20T11:00:00Z"
  }
  job "limited" {
    user       = "amy"
    account    = "a"
    partition  = "fast"
    partitions = ["fast", "slow"]
  }
  job "free" {
    user       = "bob"
    account    = "a"
    partition  = "fast"
    partitions = ["fast", "slow"]
  }
  job "between" {
    user      = "bob"
    account   = "a"
    partition = "mid"
  }
  job "limited-everywhere" {
    user      = "amy"
    account   = "a"
    partition = "fast"
  }

  expect "order" { jobs = ["free", "limited-everywhere", "between", "limited"] }
  expect "job" "limited" { state = "eligible" }
  expect "job" "limited-everywhere" { reason = "QOSMaxJobsPerUserLimit" }
}
