# Factors of the partition and of trackable resources.

test "prio-partition-norm: over the largest factor of any partition" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightPartition=5000
    NodeName=n[001-100] CPUs=16
    PartitionName=PartitionA Nodes=ALL PriorityJobFactor=20
    PartitionName=PartitionB Nodes=ALL PriorityJobFactor=10
  END
  }

  job "a" {
    user      = "u1"
    account   = "a"
    partition = "PartitionA"
  }
  job "b" {
    user      = "u1"
    account   = "a"
    partition = "PartitionB"
  }

  expect "job" "a" { priority = 5000 }
  expect "job" "b" { priority = 2500 }
}

test "prio-partition-raw: NO_NORMAL_PART multiplies the factor as it is" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightPartition=5000
    PriorityFlags=NO_NORMAL_PART
    NodeName=n[001-100] CPUs=16
    PartitionName=PartitionA Nodes=ALL PriorityJobFactor=20
    PartitionName=PartitionB Nodes=ALL PriorityJobFactor=10
  END
  }

  job "a" {
    user      = "u1"
    account   = "a"
    partition = "PartitionA"
  }
  job "b" {
    user      = "u1"
    account   = "a"
    partition = "PartitionB"
  }

  expect "job" "a" { priority = 100000 }
  expect "job" "b" { priority = 50000 }
}

test "tres-factor: the share of the partition of each TRES" {
  policy    = "slurm.conf"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "derived from the priority/multifactor page (26.05)"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    AccountingStorageTRES=gres/gpu
    GresTypes=gpu
    PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3000
    NodeName=n[001-080] CPUs=16 RealMemory=65536 Gres=gpu:1
    NodeName=n[081-100] CPUs=16 RealMemory=65536
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "u1"
    account   = "a"
    partition = "main"
    tres      = { cpu = 160, mem = 655360, "gres/gpu" = 8 }
  }

  expect "job" "1" {
    priority  = 600
    tolerance = 1e-09
    term "tres.tres[cpu]" { contribution = 100 }
    term "tres.tres[mem]" { contribution = 200 }
    term "tres.tres[gres/gpu]" { contribution = 300 }
  }
}
