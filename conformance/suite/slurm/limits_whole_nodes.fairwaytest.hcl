# Limits of jobs that have their nodes for themselves: once nodes are chosen, all processors of these count (reference, slurm.md §11.2).

test "an exclusive job counts against a limit with all processors of its nodes" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = 1795454701
  cite   = "recorded: limit-exclusive-grp, 22.05.8"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=associations,limits,qos
    NodeName=n[1-8] CPUs=16
    PartitionName=main Nodes=ALL Default=YES
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS='normal'
    Parent - 'root'
    Account - 'a':GrpTRES=cpu=40
    Account - 'c':GrpTRES=cpu=24
    Parent - 'a'
    User - 'u01'
    User - 'u02'
    User - 'u03'
    Parent - 'c'
    User - 'u09'
    User - 'u10'
    User - 'u11'
  END
  }

  job "1" {
    user            = "u01"
    account         = "a"
    partition       = "main"
    qos             = "normal"
    procs           = 16
    exclusive       = true
    state           = "running"
    start_time      = 1795454694
    allocated_hosts = ["n1"]
  }
  job "4" {
    user            = "u02"
    account         = "a"
    partition       = "main"
    qos             = "normal"
    procs           = 16
    exclusive       = true
    state           = "running"
    start_time      = 1795454699
    allocated_hosts = ["n4"]
  }
  job "5" {
    user      = "u02"
    account   = "a"
    partition = "main"
    qos       = "normal"
    procs     = 2
    exclusive = true
  }
  job "6" {
    user      = "u03"
    account   = "a"
    partition = "main"
    qos       = "normal"
    procs     = 6
  }
  job "10" {
    user      = "u10"
    account   = "c"
    partition = "main"
    qos       = "normal"
    nodes     = 2
    procs     = 2
    exclusive = true
  }
  job "11" {
    user      = "u11"
    account   = "c"
    partition = "main"
    qos       = "normal"
    procs     = 1
    exclusive = true
  }

  expect "job" "5" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
  expect "job" "6" { state = "eligible" }
  expect "job" "10" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
  expect "job" "11" { state = "eligible" }
}

test "a job of a partition with OverSubscribe=EXCLUSIVE has whole nodes too" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = 1795454701
  cite   = "slurm.md §11.2; slurm.conf manual page, OverSubscribe"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=associations,limits,qos
    NodeName=n[1-4] CPUs=16
    PartitionName=shared Nodes=ALL
    PartitionName=whole Nodes=ALL OverSubscribe=EXCLUSIVE
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS='normal'
    Parent - 'root'
    Account - 'a':GrpTRES=cpu=30
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user      = "u"
    account   = "a"
    partition = "shared"
    qos       = "normal"
    procs     = 17
  }
  job "2" {
    user      = "u"
    account   = "a"
    partition = "whole"
    qos       = "normal"
    procs     = 17
  }

  expect "job" "1" { state = "eligible" }
  expect "job" "2" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
}

test "where nodes differ the recorded limit counts, as far as some nodes pass it" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = 1795454701
  cite   = "slurm.md §11.2"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=associations,limits,qos
    NodeName=n[1-2] CPUs=16
    NodeName=n[3-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS='normal'
    Parent - 'root'
    Account - 'a':GrpTRES=cpu=32
    Parent - 'a'
    User - 'u'
  END
  }

  node "n1" {
    procs      = 16
    partitions = ["main"]
  }
  node "n3" {
    procs      = 64
    partitions = ["main"]
  }
  job "small" {
    user      = "u"
    account   = "a"
    partition = "main"
    qos       = "normal"
    procs     = 1
    exclusive = true
  }
  job "large" {
    user         = "u"
    account      = "a"
    partition    = "main"
    qos          = "normal"
    procs        = 1
    exclusive    = true
    state_reason = "AssocGrpCpuLimit"
  }

  expect "job" "small" { state = "eligible" }
  expect "job" "large" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
}

test "select/linear gives whole nodes to every job" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = 1795454701
  cite   = "slurm.md §11.2; seen with slurmctld 22.05.8, select/linear: a job of 2 processors on nodes of 16 under GrpTRES=cpu=10"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=associations,limits,qos
    SelectType=select/linear
    NodeName=n[1-8] CPUs=16
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS='normal'
    Parent - 'root'
    Account - 'a':GrpTRES=cpu=10
    Account - 'b':MaxTRESPerJob=cpu=10
    Account - 'c':GrpTRES=cpu=20
    Account - 'd':GrpTRES=node=2
    Parent - 'a'
    User - 'u01'
    Parent - 'b'
    User - 'u02'
    Parent - 'c'
    User - 'u03'
    Parent - 'd'
    User - 'u04'
  END
  }

  job "1" {
    user      = "u01"
    account   = "a"
    partition = "main"
    qos       = "normal"
    procs     = 2
  }
  job "2" {
    user      = "u02"
    account   = "b"
    partition = "main"
    qos       = "normal"
    procs     = 2
  }
  job "4" {
    user      = "u03"
    account   = "c"
    partition = "main"
    qos       = "normal"
    procs     = 2
  }
  job "7" {
    user            = "u04"
    account         = "d"
    partition       = "main"
    qos             = "normal"
    procs           = 16
    nodes           = 1
    state           = "running"
    start_time      = 1795454694
    allocated_hosts = ["n1"]
  }
  job "8" {
    user      = "u04"
    account   = "d"
    partition = "main"
    qos       = "normal"
    procs     = 4
    nodes     = 2
  }

  expect "job" "1" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
  expect "job" "2" {
    state  = "blocked"
    reason = "AssocMaxCpuPerJobLimit"
  }
  expect "job" "4" { state = "eligible" }
  expect "job" "8" {
    state  = "blocked"
    reason = "AssocGrpNodeLimit"
  }
}
