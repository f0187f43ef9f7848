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
