# What a running job is charged: a hundred seconds of it, without decay.

test "billing-sum-job1: memory bills more than the processor" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "priority_multifactor (26.05) and seed"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 1, mem = 61440 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 1600.0 }
  }
}

test "billing-sum-job2: the sum of both" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "priority_multifactor (26.05) and seed"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 16, mem = 1024 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 1625.0 }
  }
}

test "billing-sum-job3: the sum of both" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "priority_multifactor (26.05) and seed"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 16, mem = 61440 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 3100.0 }
  }
}

test "billing-tres-1: weights of four resources" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres (26.05)"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/licA=1.5"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 1, mem = 8192 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 300.0 }
  }
}

test "billing-tres-2: a licence more" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres (26.05)"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/licA=1.5"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 1, mem = 8192, "license/licA" = 1 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 450.0 }
  }
}

test "billing-tres-3: more memory" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres (26.05)"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/licA=1.5"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 1, mem = 10240, "license/licA" = 1 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 500.0 }
  }
}

test "billing-mem-plain: memory without a unit is weighed in MB" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="Mem=0.25"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { mem = 8192 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 204800.0 }
  }
}

test "billing-mem-G: memory in GB" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL TRESBillingWeights="Mem=0.25G"
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { mem = 8192 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 200.0 }
  }
}

test "billing-default: no weights bill the processors" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageTRES=gres/gpu,license/licA
    GresTypes=gpu
    Licenses=licA:4
    PriorityType=priority/multifactor
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=YEARLY
    NodeName=n[1-4] CPUs=64 RealMemory=256000 Gres=gpu:4
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 24, mem = 1000 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 2400.0 }
  }
}
