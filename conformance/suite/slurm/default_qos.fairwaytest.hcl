# The QOS of a job that names none (reference, slurm.md §11.9; sacctmgr manual, DefaultQOS): it counts for the priority and
# for limits.

test "a job without a QOS has its association's default, else the only one that it may have, else normal" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "slurm.md §11.9; sacctmgr(1), DefaultQOS"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=associations,limits,qos
    PriorityType=priority/multifactor
    PriorityFlags=NO_NORMAL_ALL
    PriorityWeightQOS=1
    NodeName=n[1-8] CPUs=16
    PartitionName=main Nodes=ALL Default=YES
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS=normal
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'amy':DefaultQOS=short:QOS=normal,short
    User - 'bob':QOS=long
    User - 'cy':QOS=long,normal
    QOS - 'normal':Priority=1
    QOS - 'short':Priority=100
    QOS - 'long':Priority=50:GrpJobs=0
  END
  }

  job "1" {
    user      = "amy"
    account   = "a"
    partition = "main"
    procs     = 1
  }
  job "2" {
    user      = "bob"
    account   = "a"
    partition = "main"
    procs     = 1
  }
  job "3" {
    user      = "cy"
    account   = "a"
    partition = "main"
    procs     = 1
  }

  expect "job" "1" {
    priority = 100
    state    = "eligible"
  }
  expect "job" "2" {
    priority = 50
    state    = "blocked"
    reason   = "QOSGrpJobsLimit"
  }
  expect "job" "3" {
    priority = 1
    state    = "eligible"
  }
}
