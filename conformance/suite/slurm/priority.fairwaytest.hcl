# The sum of the factors: truncation, bounds, nice, site factor, held and direct priorities.

test "prio-max-7000: every factor at 1" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=5000
    PriorityWeightJobSize=1000
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  association "a/u1" { fairshare_factor = 1.0 }
  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = "7d"
    nodes          = 100
    procs          = 1600
  }

  expect "job" "1" { priority = 7000 }
}

# The sum is truncated, not rounded: 5.95 and 5.00 are 5.
test "prio-digits-10: a small weight makes different factors equal" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "priority/multifactor page (26.05) and of November 2013"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=10
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  association "a/u1" { fairshare_factor = 0.59534 }
  association "a/u2" { fairshare_factor = 0.50002 }
  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
  }
  job "2" {
    user      = "u2"
    account   = "a"
    partition = "main"
  }

  expect "job" "1" { priority = 5 }
  expect "job" "2" { priority = 5 }
}

test "prio-digits-1000: a weight of 1000 keeps three digits" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "derived from prio-digits-10"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  association "a/u1" { fairshare_factor = 0.59534 }
  association "a/u2" { fairshare_factor = 0.50002 }
  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
  }
  job "2" {
    user      = "u2"
    account   = "a"
    partition = "main"
  }

  expect "job" "1" { priority = 595 }
  expect "job" "2" { priority = 500 }
}

test "prio-floor-one: a priority is at least 1" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    nice           = 10000
    accrue_seconds = "84h"
  }

  expect "job" "1" {
    priority = 1
    score    = -9500
  }
}

test "prio-nice-negative: nice is subtracted as it is" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    nice           = -100
    accrue_seconds = "84h"
  }

  expect "job" "1" { priority = 600 }
}

test "prio-site: the site factor is added as it is" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    nice           = 25
    site_factor    = -50
    accrue_seconds = "42h"
  }

  expect "job" "1" { priority = 175 }
}

test "prio-overflow: a priority is at most 2^32 - 1" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=4294967295
    PriorityWeightAge=4294967295
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  association "a/u1" { fairshare_factor = 1.0 }
  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = "7d"
  }

  expect "job" "1" {
    priority = 4294967295
    score    = 8589934590
  }
}

test "prio-held: a held job keeps priority 0" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    held           = true
    accrue_seconds = "7d"
  }

  expect "job" "1" {
    priority = 0
    state    = "held"
  }
}

test "prio-direct: a priority set by hand is frozen" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (priority_multifactor.c), recorded in the nice-site runs"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user              = "u1"
    account           = "a"
    partition         = "main"
    direct_priority   = true
    recorded_priority = 1234
    accrue_seconds    = "7d"
  }
  job "2" {
    user              = "u1"
    account           = "a"
    partition         = "main"
    recorded_priority = 1234
    accrue_seconds    = "7d"
  }

  expect "job" "1" { priority = 1234 }
  expect "job" "2" { priority = 1000 }
}

# 0.7 + 0.7 + 0.7 = 2.1; 420 s of 1000 minutes are 0.007.
test "prio-trunc-sum: the sum is truncated once" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (_get_priority_internal)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=1000
    PriorityWeightAge=100
    PriorityWeightFairshare=100
    PriorityWeightQOS=100
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  association "a/u1" { fairshare_factor = 0.007 }
  qos "low" { priority = 7 }
  qos "high" { priority = 1000 }
  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    qos            = "low"
    accrue_seconds = 420
  }

  expect "job" "1" { priority = 2 }
}

test "prio-multi-part: a job of several partitions shows the priority in the first" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (26.05); the whole array is compared in the recorded cases"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightPartition=1000
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16
    PartitionName=long Nodes=ALL PriorityJobFactor=10 PriorityTier=1
    PartitionName=short Nodes=ALL PriorityJobFactor=40 PriorityTier=2
  END
  }

  job "1" {
    user           = "u1"
    account        = "a"
    partition      = "short"
    partitions     = ["short", "long"]
    accrue_seconds = "84h"
  }
  job "2" {
    user           = "u1"
    account        = "a"
    partition      = "long"
    partitions     = ["long", "short"]
    accrue_seconds = "84h"
  }

  expect "job" "1" { priority = 1500 }
  expect "job" "2" { priority = 750 }
}
