# Usage from one evaluation to the next: decay, resets and what running jobs add.

test "decay-halflife-7-0: a little more or less than half is left" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (priority_multifactor.c); documented property: half after one half-life"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=7-0
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700604800
    expect "association" "a/u" { usage = 500.0733971527376 }
  }
}

test "decay-halflife-14-0: a little more or less than half is left" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (priority_multifactor.c); documented property: half after one half-life"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=14-0
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1701209600
    expect "association" "a/u" { usage = 500.0734964252441 }
  }
}

test "decay-halflife-1-0: a little more or less than half is left" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (priority_multifactor.c); documented property: half after one half-life"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=1-0
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700086400
    expect "association" "a/u" { usage = 500.0722058782807 }
  }
}

test "decay-halflife-60: a little more or less than half is left" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (priority_multifactor.c); documented property: half after one half-life"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=60
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700003600
    expect "association" "a/u" { usage = 500.04023699321476 }
  }
}

test "decay-halflife-1: a little more or less than half is left" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (priority_multifactor.c); documented property: half after one half-life"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=1
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700000060
    expect "association" "a/u" { usage = 498.06078039872284 }
  }
}

test "decay-halflife-7-0: one half, as documented" {
  policy     = ["slurm.conf", "accounts.cfg"]
  now        = 1700000000
  deviations = ["half_life"]
  cite       = "priority/multifactor page (26.05)"
  tolerance  = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=7-0
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700604800
    expect "association" "a/u" { usage = 500 }
  }
}

test "decay-5min-period: one pass" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1000000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700000300
    expect "association" "a/u" { usage = 999656.3088783914 }
  }
}

test "usage-nodecay: a half-life of 0 is none" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "priority/multifactor page of November 2013"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityDecayHalfLife=0
    PriorityUsageResetPeriod=MONTHLY
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 1234.5 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1700086400
    expect "association" "a/u" { usage = 1234.5 }
  }
}

test "usage-accrual-one-period: new usage decays by its own period" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (_apply_new_usage)"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 0 }
  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    procs            = 64
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1d"
  }

  step {
    now = 1700000300
    expect "association" "a/u" { usage = 19193.401130465114 }
  }
}

test "usage-accrual-12-periods: an hour of passes" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "implementation (_apply_new_usage)"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 0 }
  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    procs            = 64
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1d"
  }

  step {
    now = 1700003600
    expect "association" "a/u" { usage = 229885.93625953523 }
  }
}

test "a reset on the first of the month" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "slurm.conf manual page, PriorityUsageResetPeriod"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    PriorityUsageResetPeriod=MONTHLY
    NodeName=n[1-4] CPUs=64
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

  association "a/u" { usage_seconds = 5000 }
  job "1" {
    user      = "u"
    account   = "a"
    partition = "main"
  }

  step {
    now = 1701388800
    expect "association" "a/u" { usage = 0 }
  }
}
