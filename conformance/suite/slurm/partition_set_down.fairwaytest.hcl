# A partition that is set down while jobs wait for its nodes.

test "a job shows that it waits for nodes until a pass comes to it after its partition was set down" {
  policy = "slurm.conf"
  now    = 1795454500
  cite   = "recorded: oversubscribe-yes2 and preempt-part-cpus, 22.05.8"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-4] CPUs=16
    PartitionName=main Nodes=ALL
    PartitionName=closed Nodes=ALL State=DOWN
  END
  }

  job "5" {
    partition            = "main"
    procs                = 64
    state                = "pending"
    state_reason         = "Resources"
    last_evaluation_time = 1795454497
  }
  job "6" {
    partition            = "main"
    procs                = 1
    state                = "pending"
    state_reason         = "PartitionDown"
    last_evaluation_time = 1795454499
  }
  job "closed by the file" {
    partition            = "closed"
    procs                = 1
    state                = "pending"
    state_reason         = "Resources"
    last_evaluation_time = 1795454497
  }

  expect "job" "5" {
    state  = "blocked"
    reason = "Resources"
  }
  expect "job" "6" {
    state  = "blocked"
    reason = "PartitionDown"
  }
  expect "job" "closed by the file" {
    state  = "blocked"
    reason = "PartitionDown"
  }
}

test "a job that was looked at after these says that its partition is up again" {
  policy = "slurm.conf"
  now    = 1795454500
  cite   = "recorded: oversubscribe-yes2, 22.05.8"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    NodeName=n[1-4] CPUs=16
    PartitionName=main Nodes=ALL
  END
  }

  job "5" {
    partition            = "main"
    procs                = 64
    state                = "pending"
    state_reason         = "Resources"
    last_evaluation_time = 1795454499
  }
  job "6" {
    partition            = "main"
    procs                = 1
    state                = "pending"
    state_reason         = "PartitionDown"
    last_evaluation_time = 1795454497
  }

  expect "job" "5" { state = "eligible" }
  expect "job" "6" { state = "eligible" }
}
