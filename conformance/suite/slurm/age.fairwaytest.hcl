# The age factor.

test "age-0h, age-24h, age-84h, age-168h, age-400h: accrued time over PriorityMaxAge" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula of the age factor, priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=7-0
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "age-0h" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = 0
  }
  job "age-24h" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = 86400
  }
  job "age-84h" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = 302400
  }
  job "age-168h" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = 604800
  }
  job "age-400h" {
    user           = "u1"
    account        = "a"
    partition      = "main"
    accrue_seconds = 1440000
  }

  expect "job" "age-0h" {
    tolerance = 1e-12
    term "age.age" { factor = 0 }
  }
  expect "job" "age-24h" {
    tolerance = 1e-12
    term "age.age" { factor = 0.14285714285714285 }
  }
  expect "job" "age-84h" {
    tolerance = 1e-12
    term "age.age" { factor = 0.5 }
  }
  expect "job" "age-168h" {
    tolerance = 1e-12
    term "age.age" { factor = 1 }
  }
  expect "job" "age-400h" {
    tolerance = 1e-12
    term "age.age" { factor = 1 }
  }
  expect "order" { jobs = ["age-400h", "age-84h", "age-24h", "age-0h"] }
}

test "age-dependent: a dependent job does not age" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "priority/multifactor page (26.05); slurmctld keeps its AccrueTime at 0"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=7-0
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user        = "u1"
    account     = "a"
    partition   = "main"
    submit_time = "2026-11-10T00:00:00Z"
    dependency  = "afterok:7"
    state       = "pending"
  }

  expect "job" "1" {
    priority = 1
    term "age.age" { factor = 0 }
  }
}

# The job was submitted 84 h ago.
test "age-always: ACCRUE_ALWAYS counts from submission" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=7-0
    PriorityWeightAge=1000
    PriorityFlags=ACCRUE_ALWAYS
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user        = "u1"
    account     = "a"
    partition   = "main"
    submit_time = "2026-11-17T00:00:00Z"
    dependency  = "afterok:7"
    state       = "pending"
  }

  expect "job" "1" {
    priority = 500
    term "age.age" { factor = 0.5 }
  }
}

# What it does to billing is a matter of usage.
test "flags-typo: a misspelt flag is silently none" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "behaviour of slurmctld (read_config.c)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=7-0
    PriorityWeightAge=1000
    PriorityFlags=MAX_TRESS,ACCRUE_ALLWAYS
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user        = "u1"
    account     = "a"
    partition   = "main"
    dependency  = "afterok:7"
    submit_time = "2026-11-17T00:00:00Z"
  }

  expect "job" "1" {
    term "age.age" { factor = 0 }
  }
}

test "PriorityMaxAge=0: the factor is 1 as soon as anything accrues, at once" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "slurm.conf manual, PriorityMaxAge; slurmctld tests diff < max_age"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityMaxAge=0
    PriorityWeightAge=1000
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "now" {
    user        = "u1"
    partition   = "main"
    state       = "pending"
    accrue_time = "2026-11-20T12:00:00Z"
  }
  job "future" {
    user        = "u1"
    partition   = "main"
    state       = "pending"
    accrue_time = "2026-11-20T13:00:00Z"
  }
  job "none" {
    user      = "u1"
    partition = "main"
    state     = "pending"
  }

  expect "job" "now" { priority = 1000 }
  expect "job" "future" { priority = 1000 }
  expect "job" "none" { priority = 1 }
}

test "a running job keeps the priority it started with" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "slurm.conf manual, PriorityFlags CALCULATE_RUNNING"
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
    partition         = "main"
    state             = "running"
    accrue_time       = "2026-11-10T00:00:00Z"
    recorded_priority = 77
  }

  expect "job" "1" {
    priority = 77
    state    = "running"
  }
}
