# What a running job is charged under MAX_TRES and MAX_TRES_GRES: a hundred seconds of it, without decay.

test "billing-max-job1: MAX_TRES takes the larger" {
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
    PriorityFlags=MAX_TRES
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
    expect "association" "a/u" { usage = 1500.0 }
  }
}

# The page has 15 processors here where its other table has 16.
test "billing-max-job2: MAX_TRES with 15 processors" {
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
    PriorityFlags=MAX_TRES
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
    tres             = { cpu = 15, mem = 1024 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 1500.0 }
  }
}

test "billing-max-job3: MAX_TRES of equal amounts" {
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
    PriorityFlags=MAX_TRES
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
    tres             = { cpu = 16, mem = 65536 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 1600.0 }
  }
}

test "billing-tres-max: the maximum of the node, plus licences" {
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
    PriorityFlags=MAX_TRES
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
    expect "association" "a/u" { usage = 200.0 }
  }
}

test "billing-tres-maxgres: MAX_TRES_GRES without a GPU" {
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
    PriorityFlags=MAX_TRES_GRES
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
    expect "association" "a/u" { usage = 200.0 }
  }
}

# The page prints 3.0, but its own expression, 1*2.0 + max(1.0, 2.0) + 0, is 4.0.
test "billing-tres-maxgres-gpu: MAX_TRES_GRES adds GPUs" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "tres (26.05), text value"
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
    PriorityFlags=MAX_TRES_GRES
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
    tres             = { cpu = 1, mem = 8192, "gres/gpu" = 1 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 400.0 }
  }
}

# One node gives 16 processors and 1 GB, the other one processor and 64 GB.
test "billing-max-is-over-job-totals: MAX_TRES takes the maximum of what the job has on all nodes" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "assoc_mgr_tres_weighted; the manual pages say that the maximum is that of each node, which would bill 32"
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
    PriorityFlags=MAX_TRES
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
    tres             = { cpu = 17, mem = 66560, node = 2 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 1700.0 }
  }
}
