# Classic fairshare while jobs run: which usage a pass goes by (reference, slurm.md §11.1 and §11.26).

test "running jobs that come before a waiting job in the list count for its user, not for accounts" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1795454875
  cite      = "recorded: fs-classic-running, 22.05.8"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=NO_FAIR_TREE
    PriorityWeightFairshare=1000000
    PriorityDecayHalfLife=0
    PriorityCalcPeriod=1
    NodeName=n[1-8] CPUs=16
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a':Fairshare=3
    Account - 'b':Fairshare=2
    Account - 'c':Fairshare=1
    Parent - 'a'
    User - 'u01':Fairshare=4
    User - 'u02':Fairshare=1
    User - 'u03':Fairshare=1
    User - 'u04':Fairshare=1
    Parent - 'b'
    User - 'u05':Fairshare=1
    User - 'u06':Fairshare=1
    User - 'u07':Fairshare=1
    User - 'u08':Fairshare=1
    Parent - 'c'
    User - 'u09':Fairshare=1
    User - 'u10':Fairshare=1
    User - 'u11':Fairshare=1
    User - 'u12':Fairshare=1
  END
  }

  association "a/u02" { usage_seconds = 912 }
  association "b/u08" { usage_seconds = 912 }
  association "b/u05" { usage_seconds = 912 }
  association "a/u04" { usage_seconds = 912 }
  association "b/u06" { usage_seconds = 912 }
  association "c/u09" { usage_seconds = 912 }
  association "c/u12" { usage_seconds = 912 }
  job "1" {
    user       = "u02"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "2" {
    user       = "u08"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "3" {
    user       = "u05"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "4" {
    user       = "u04"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "5" {
    user       = "u06"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "6" {
    user       = "u09"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "7" {
    user       = "u12"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "8" {
    user      = "u11"
    account   = "c"
    partition = "main"
    procs     = 16
  }
  job "9" {
    user      = "u05"
    account   = "b"
    partition = "main"
    procs     = 16
  }
  job "11" {
    user      = "u03"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "13" {
    user      = "u02"
    account   = "a"
    partition = "main"
    procs     = 16
  }

  expect "association" "a" {
    effective_usage = 0
  }
  expect "association" "a/u02" {
    effective_usage = 0.122449
  }
  expect "association" "b/u05" {
    effective_usage = 0.107143
  }
  expect "association" "c/u12" {
    effective_usage = 0.107143
  }
  expect "job" "8" {
    priority = 1000000
  }
  expect "job" "9" {
    priority = 353553
  }
  expect "job" "11" {
    priority = 1000000
  }
}

test "a running job that comes after its user's waiting job counts in the next pass" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1795454875
  cite      = "slurm.md §11.1"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=NO_FAIR_TREE
    PriorityWeightFairshare=1000000
    PriorityDecayHalfLife=0
    PriorityCalcPeriod=1
    NodeName=n[1-8] CPUs=16
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a':Fairshare=3
    Account - 'b':Fairshare=2
    Account - 'c':Fairshare=1
    Parent - 'a'
    User - 'u01':Fairshare=4
    User - 'u02':Fairshare=1
    User - 'u03':Fairshare=1
    User - 'u04':Fairshare=1
    Parent - 'b'
    User - 'u05':Fairshare=1
    User - 'u06':Fairshare=1
    User - 'u07':Fairshare=1
    User - 'u08':Fairshare=1
    Parent - 'c'
    User - 'u09':Fairshare=1
    User - 'u10':Fairshare=1
    User - 'u11':Fairshare=1
    User - 'u12':Fairshare=1
  END
  }

  association "a/u02" { usage_seconds = 912 }
  association "b/u08" { usage_seconds = 912 }
  association "b/u05" { usage_seconds = 912 }
  association "a/u04" { usage_seconds = 912 }
  association "b/u06" { usage_seconds = 912 }
  association "c/u09" { usage_seconds = 912 }
  association "c/u12" { usage_seconds = 912 }
  job "2" {
    user       = "u08"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "3" {
    user       = "u05"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "4" {
    user       = "u04"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "5" {
    user       = "u06"
    account    = "b"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "6" {
    user       = "u09"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "7" {
    user       = "u12"
    account    = "c"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }
  job "9" {
    user      = "u05"
    account   = "b"
    partition = "main"
    procs     = 16
  }
  job "13" {
    user      = "u02"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "14" {
    user      = "u04"
    account   = "a"
    partition = "main"
    procs     = 16
  }
  job "21" {
    user       = "u02"
    account    = "a"
    partition  = "main"
    procs      = 16
    state      = "running"
    start_time = 1795454818
  }

  expect "association" "a/u02" {
    effective_usage = 0
  }
  expect "association" "a/u04" {
    effective_usage = 0.142857
  }
  expect "job" "9" {
    priority = 297301
  }
  expect "job" "13" {
    priority = 1000000
  }
}
