# The job size factor on a cluster of 100 nodes with 16 processors each.

test "jobsize-large-full: the whole machine, large jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 100
    procs     = 1600
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 1 }
  }
}

test "jobsize-large-one: one processor, large jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 1
    procs     = 1
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0.0053125 }
  }
}

test "jobsize-large-half: half of the machine, large jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 50
    procs     = 800
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0.5 }
  }
}

test "jobsize-small-one-node: one node, small jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 1
    procs     = 16
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0.99 }
  }
}

test "jobsize-small-one-node (documented): one node, small jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 1
    procs     = 16
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 1 }
  }
}

test "jobsize-small-one-cpu: one processor, small jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 1
    procs     = 1
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0.9946875 }
  }
}

test "jobsize-small-one-cpu (documented): one processor, small jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 1
    procs     = 1
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 1 }
  }
}

test "jobsize-small-full: the whole machine, small jobs favoured" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    nodes     = 100
    procs     = 1600
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0 }
  }
}

test "jobsize-rel-full-1min: the whole machine for a minute, large jobs favoured, relative to time" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    PriorityFlags=SMALL_RELATIVE_TO_TIME
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user             = "u1"
    account          = "a"
    partition        = "main"
    nodes            = 100
    procs            = 1600
    walltime_seconds = 60
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 1 }
  }
}

test "jobsize-rel-tiny-long: one processor for a week, large jobs favoured, relative to time" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    PriorityFlags=SMALL_RELATIVE_TO_TIME
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user             = "u1"
    account          = "a"
    partition        = "main"
    nodes            = 1
    procs            = 1
    walltime_seconds = 604800
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 9.92063492063492e-07 }
  }
}

test "jobsize-rel-small-full-1min: the whole machine for a minute, small jobs favoured, relative to time" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=YES
    PriorityFlags=SMALL_RELATIVE_TO_TIME
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user             = "u1"
    account          = "a"
    partition        = "main"
    nodes            = 100
    procs            = 1600
    walltime_seconds = 60
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0 }
  }
}

test "jobsize-rel-serial-60: one processor for an hour, large jobs favoured, relative to time" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "formula in slurmctld; the end points are in the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=1000
    PriorityFavorSmall=NO
    PriorityFlags=SMALL_RELATIVE_TO_TIME
    NodeName=n[001-100] CPUs=16 RealMemory=64000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user             = "u1"
    account          = "a"
    partition        = "main"
    nodes            = 1
    procs            = 1
    walltime_seconds = 3600
  }

  expect "job" "1" {
    tolerance = 1e-12
    term "jobsize.jobsize" { factor = 0.00016666666666666666 }
  }
}

test "once tried, a job under select/linear counts all processors of its nodes" {
  policy    = "slurm.conf"
  now       = "2026-11-23T21:28:00Z"
  semantics = "observed"
  cite      = "seen with slurmctld 22.05.8, select/linear: 750 of 3000 for a job of 2 processors"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightJobSize=3000
    PriorityFavorSmall=NO
    SelectType=select/linear
    NodeName=n[1-4] CPUs=16
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "new" {
    partition   = "main"
    nodes       = 1
    procs       = 2
    submit_time = "2026-11-23T21:27:00Z"
  }
  job "tried" {
    partition            = "main"
    nodes                = 1
    procs                = 2
    submit_time          = "2026-11-23T21:26:00Z"
    last_evaluation_time = "2026-11-23T21:27:30Z"
  }
  job "larger than a node" {
    partition            = "main"
    nodes                = 1
    procs                = 17
    submit_time          = "2026-11-23T21:26:00Z"
    last_evaluation_time = "2026-11-23T21:27:30Z"
  }

  expect "job" "new" {
    term "jobsize.jobsize" { factor = 0.140625 }
  }
  expect "job" "tried" {
    term "jobsize.jobsize" { factor = 0.25 }
  }
  expect "job" "larger than a node" {
    term "jobsize.jobsize" { factor = 0.375 }
  }
}
