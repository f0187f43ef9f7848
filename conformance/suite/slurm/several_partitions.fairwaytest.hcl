# The reason of a job that may run in several partitions: what building the queue leaves (reference, slurm.md §11.3).

test "a partition that is asked last and excludes the job gives the reason" {
  policy = "slurm.conf"
  now    = 1795454466
  cite   = "recorded: partition-multi-reasons, 22.05.8"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-8] CPUs=16
    PartitionName=short Nodes=n[1-4] MaxTime=30
    PartitionName=long Nodes=n[3-8] Default=YES
    PartitionName=small Nodes=ALL MaxNodes=2
  END
  }

  job "5" {
    partitions       = ["short", "long"]
    procs            = 2
    nodes            = 2
    walltime_seconds = "1h"
  }
  job "7" {
    partitions       = ["long", "short"]
    procs            = 1
    walltime_seconds = "90m"
  }
  job "8" {
    partitions       = ["small", "long"]
    procs            = 3
    nodes            = 3
    walltime_seconds = "30m"
  }
  job "12" {
    partitions       = ["short", "small"]
    procs            = 3
    nodes            = 3
    walltime_seconds = "45m"
  }
  job "tried" {
    partitions       = ["long", "short"]
    procs            = 1
    walltime_seconds = "90m"
    state_reason     = "Resources"
  }

  # Of 5 and 8 the partition that is asked later clears the reason of the first.
  expect "job" "5" {
    state  = "eligible"
    reason = ""
  }
  expect "job" "7" {
    state  = "eligible"
    reason = "PartitionTimeLimit"
  }
  expect "job" "8" {
    state  = "eligible"
    reason = ""
  }
  expect "job" "12" {
    state  = "blocked"
    reason = "PartitionNodeLimit"
  }
  expect "job" "tried" {
    state  = "eligible"
    reason = "Resources"
  }
}

test "partitions of a higher tier are asked first, wherever the job names them" {
  policy = "slurm.conf"
  now    = 1795454466
  cite   = "recorded: partition-multi-tiers, 22.05.8"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-8] CPUs=16
    PartitionName=short Nodes=n[1-4] MaxTime=30 PriorityTier=1
    PartitionName=long Nodes=n[3-8] Default=YES PriorityTier=2
  END
  }

  job "8" {
    partitions       = ["short", "long"]
    procs            = 2
    nodes            = 2
    walltime_seconds = "40m"
  }

  expect "job" "8" {
    state  = "eligible"
    reason = "PartitionTimeLimit"
  }
}

test "the recorded reason of a partition that takes the job now is gone" {
  policy = "slurm.conf"
  now    = 1795454466
  cite   = "slurm.md §11.3"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-8] CPUs=16
    PartitionName=short Nodes=n[1-4] MaxTime=60
    PartitionName=long Nodes=n[3-8] Default=YES
  END
  }

  job "8" {
    partitions       = ["long", "short"]
    procs            = 2
    nodes            = 2
    walltime_seconds = "40m"
    state_reason     = "PartitionTimeLimit"
  }

  expect "job" "8" {
    state  = "eligible"
    reason = ""
  }
}

test "of what partitions say only what is left when the queue has been built is the reason" {
  policy = "slurm.conf"
  now    = 1795454500
  cite   = "recorded: partition-multi-reasons, jobs 5 and 7; partition-multi-tiers, job 8"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-8] CPUs=16
    PartitionName=short Nodes=n[1-4] MaxTime=30
    PartitionName=long Nodes=n[3-8] MaxTime=INFINITE
  END
  }

  job "cleared by the second" {
    partition        = "short,long"
    procs            = 32
    walltime_seconds = "1h"
    state            = "pending"
    state_reason     = "PartitionTimeLimit"
  }
  job "written by the second" {
    partition        = "long,short"
    procs            = 32
    walltime_seconds = "1h"
    state            = "pending"
    state_reason     = "PartitionTimeLimit"
  }

  expect "job" "cleared by the second" {
    state  = "eligible"
    reason = ""
  }
  expect "job" "written by the second" {
    state  = "eligible"
    reason = "PartitionTimeLimit"
  }
}
