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

test "queue-limited-entry: a job has the place of the best entry by which it may start" {
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

test "queue-preempt-qos: a job whose QOS may preempt another's comes before it, whatever tier and priority" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (job_scheduler.c, preempt/qos)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      PreemptType=preempt/qos
      PreemptMode=REQUEUE
      NodeName=n[001-100] CPUs=16
      PartitionName=p Nodes=ALL
      PartitionName=q Nodes=ALL PriorityTier=2
    END
    "accounts.cfg" = <<-END
      Cluster - 'c'
      QOS - 'high':Preempt='low'
      QOS - 'low'
      QOS - 'inside':PreemptMode='requeue,within'
    END
  }

  job "low-in-tier" {
    user              = "amy"
    partition         = "q"
    qos               = "low"
    direct_priority   = true
    recorded_priority = 900
  }
  job "high" {
    user              = "amy"
    partition         = "p"
    qos               = "high"
    direct_priority   = true
    recorded_priority = 10
  }
  job "low" {
    user              = "amy"
    partition         = "p"
    qos               = "low"
    direct_priority   = true
    recorded_priority = 5
    reservation       = "maint"
  }

  expect "order" { jobs = ["high", "low", "low-in-tier"] }
}

test "queue-preempt-within: among jobs of a QOS that preempt each other priority comes before tiers" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "slurm.conf manual (PreemptMode=WITHIN)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      PreemptType=preempt/qos
      PreemptMode=REQUEUE
      NodeName=n[001-100] CPUs=16
      PartitionName=p Nodes=ALL
      PartitionName=q Nodes=ALL PriorityTier=2
    END
    "accounts.cfg" = <<-END
      Cluster - 'c'
      QOS - 'inside':PreemptMode='requeue,within'
    END
  }

  job "tier" {
    user              = "amy"
    partition         = "q"
    qos               = "inside"
    direct_priority   = true
    recorded_priority = 5
  }
  job "priority" {
    user              = "amy"
    partition         = "p"
    qos               = "inside"
    direct_priority   = true
    recorded_priority = 10
  }

  expect "order" { jobs = ["priority", "tier"] }
}

test "queue-preempt-tier: a higher tier comes before a reservation where the partitions share nodes" {
  policy = "slurm.conf"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (job_scheduler.c, preempt/partition_prio)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    PreemptType=preempt/partition_prio
    PreemptMode=REQUEUE
    NodeName=n[001-100] CPUs=16
    PartitionName=p Nodes=n[001-050]
    PartitionName=q Nodes=n[001-050] PriorityTier=2
    PartitionName=r Nodes=n[051-100] PriorityTier=2
  END
  }

  node "n001" { partitions = ["p", "q"] }
  node "n051" { partitions = ["r"] }
  job "reserved" {
    user        = "amy"
    partition   = "p"
    reservation = "maint"
  }
  job "shares" {
    user      = "amy"
    partition = "q"
  }
  job "apart" {
    user      = "amy"
    partition = "r"
  }

  expect "order" { jobs = ["shares", "reserved", "apart"] }
}

test "queue-preempt-off: without a mode nothing is preempted" {
  policy = "slurm.conf"
  now    = "2026-11-20T12:00:00Z"
  cite   = "slurm.conf manual (PreemptMode)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    PreemptType=preempt/partition_prio
    PreemptMode=OFF
    NodeName=n[001-100] CPUs=16
    PartitionName=p Nodes=ALL
    PartitionName=q Nodes=ALL PriorityTier=2
  END
  }

  job "reserved" {
    user        = "amy"
    partition   = "p"
    reservation = "maint"
  }
  job "tier" {
    user      = "amy"
    partition = "q"
  }

  expect "order" { jobs = ["reserved", "tier"] }
}

test "queue-expedited: a job whose requeue is expedited comes before all others" {
  policy = "slurm.conf"
  now    = "2026-11-20T12:00:00Z"
  cite   = "sbatch manual of 25.11 (--requeue=expedite)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[001-100] CPUs=16
    PartitionName=p Nodes=ALL
    PartitionName=q Nodes=ALL PriorityTier=2
  END
  }

  job "reserved" {
    user        = "amy"
    partition   = "q"
    reservation = "maint"
  }
  job "expedited" {
    user       = "amy"
    partition  = "p"
    state_word = "PENDING,EXPEDITING"
  }

  expect "order" { jobs = ["expedited", "reserved"] }
}
