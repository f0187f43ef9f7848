# Limits of associations and QOS: the examples that the sources and the manual give of them, and which
# credentials each counts for.

test "mintres-not-safe: without safe a job may start as long as the limit is not used up" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (acct_policy.c)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "limits" }
      account "a" {
        limit "GrpTRESMins=cpu" { hard = 1000 }
        user "amy" {}
      }
      account "b" {
        limit "GrpTRESMins=cpu" { hard = 1000 }
        user "amy" {}
      }
    }
  END
  }

  association "a" { usage_tres_minutes = { cpu = 999 } }
  association "b" { usage_tres_minutes = { cpu = 1000 } }
  job "below" {
    user             = "amy"
    account          = "a"
    procs            = 10
    walltime_seconds = "10h"
  }
  job "used_up" {
    user             = "amy"
    account          = "b"
    procs            = 1
    walltime_seconds = "1m"
  }

  expect "job" "below" { state = "eligible" }
  expect "job" "used_up" {
    state  = "blocked"
    reason = "AssocGrpCPUMinutesLimit"
  }
}

test "mintres-safe: with safe what runs and the whole request must fit into what is left" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (acct_policy.c)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "safe" }
      account "a" {
        limit "GrpTRESMins=cpu" { hard = 1000 }
        user "amy" {}
      }
    }
  END
  }

  association "a" { usage_tres_minutes = { cpu = 900 } }
  job "running" {
    user             = "amy"
    account          = "a"
    procs            = 1
    state            = "running"
    start_time       = "2026-11-20T12:00:00Z"
    walltime_seconds = "50m"
  }
  job "long" {
    user             = "amy"
    account          = "a"
    procs            = 1
    walltime_seconds = "1h"
  }
  job "short" {
    user             = "amy"
    account          = "a"
    procs            = 1
    walltime_seconds = "50m"
  }

  expect "job" "long" {
    state  = "blocked"
    reason = "AssocGrpCPUMinutesLimit"
  }
  expect "job" "short" { state = "eligible" }
}

test "limitfactor: LimitFactor 2 makes GrpTRES=cpu=30 of the account 60 for the QOS's jobs" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "sacctmgr manual (LimitFactor)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "limits" }
      qos "double" { limit_factor = 2 }
      account "a" {
        limit "GrpTRES=cpu" { hard = 30 }
        user "amy" {}
      }
    }
  END
  }

  job "factored" {
    user    = "amy"
    account = "a"
    qos     = "double"
    procs   = 60
  }
  job "beyond" {
    user    = "amy"
    account = "a"
    qos     = "double"
    procs   = 61
  }
  job "plain" {
    user    = "amy"
    account = "a"
    qos     = "normal"
    procs   = 31
  }

  expect "job" "factored" { state = "eligible" }
  expect "job" "beyond" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
  expect "job" "plain" {
    state  = "blocked"
    reason = "AssocGrpCpuLimit"
  }
}

test "qos-overrides-assoc: the partition's QOS comes first and hides MaxWall of all others" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "resource_limits manual page, acct_policy.c"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "limits" }
      partition "p" { qos = "part" }
      qos "part" { limit "MaxWall" { hard = 60 } }
      qos "job" { limit "MaxWall" { hard = 120 } }
      account "a" {
        user "amy" { limit "MaxWall" { hard = 30 } }
      }
    }
  END
  }

  job "hour" {
    user             = "amy"
    account          = "a"
    partition        = "p"
    qos              = "job"
    walltime_seconds = "60m"
  }
  job "longer" {
    user             = "amy"
    account          = "a"
    partition        = "p"
    qos              = "job"
    walltime_seconds = "61m"
  }

  expect "job" "hour" { state = "eligible" }
  expect "job" "longer" {
    state  = "blocked"
    reason = "QOSMaxWallDurationPerJobLimit"
  }
}

test "qos-overpartqos: a job's QOS with OverPartQOS comes before the partition's" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "resource_limits manual page, acct_policy.c"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "limits" }
      partition "p" { qos = "part" }
      qos "part" { limit "MaxWall" { hard = 60 } }
      qos "job" {
        flags = ["OverPartQOS"]
        limit "MaxWall" { hard = 120 }
      }
      account "a" {
        user "amy" { limit "MaxWall" { hard = 30 } }
      }
    }
  END
  }

  job "two_hours" {
    user             = "amy"
    account          = "a"
    partition        = "p"
    qos              = "job"
    walltime_seconds = "120m"
  }
  job "longer" {
    user             = "amy"
    account          = "a"
    partition        = "p"
    qos              = "job"
    walltime_seconds = "121m"
  }

  expect "job" "two_hours" { state = "eligible" }
  expect "job" "longer" {
    state  = "blocked"
    reason = "QOSMaxWallDurationPerJobLimit"
  }
}

test "a QOS without MaxJobsPU or MaxJobsPA leaves MaxJobs of the association; with either it is not asked" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (acct_policy.c)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "limits" }
      qos "wide" { limit "MaxJobsPA" { hard = 5 } }
      account "a" {
        limit "MaxJobs" { hard = 1 }
        user "amy" {}
      }
    }
  END
  }

  job "running" {
    user       = "amy"
    account    = "a"
    qos        = "normal"
    state      = "running"
    start_time = "2026-11-20T11:00:00Z"
  }
  job "second" {
    user    = "amy"
    account = "a"
    qos     = "normal"
  }
  job "wide" {
    user    = "amy"
    account = "a"
    qos     = "wide"
  }

  expect "job" "second" {
    state  = "blocked"
    reason = "AssocMaxJobsLimit"
  }
  expect "job" "wide" { state = "eligible" }
}

test "UsageThreshold is compared with the weighted fairshare factor, so that it hardly ever stops a job" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: limit-usage-threshold"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = {
        AccountingStorageType    = "accounting_storage/slurmdbd"
        AccountingStorageEnforce = "limits"
        PriorityWeightFairshare  = 1000
      }
      qos "low" {
        flags           = ["EnforceUsageThreshold"]
        usage_threshold = 0.2
      }
      partition "p" {}
    }
  END
  }

  partition "p" { priority_tier = 1 }
  association "a/amy" { fairshare_factor = 0.1 }
  job "1" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "low"
  }

  expect "job" "1" { state = "eligible" }
}

test "UsageThreshold by the manual is compared with the fairshare factor" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "sacctmgr manual (UsageThreshold)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = {
        AccountingStorageType    = "accounting_storage/slurmdbd"
        AccountingStorageEnforce = "limits"
        PriorityWeightFairshare  = 1000
      }
      qos "low" {
        flags           = ["EnforceUsageThreshold"]
        usage_threshold = 0.2
      }
      partition "p" {}
    }
  END
  }

  partition "p" { priority_tier = 1 }
  association "a/amy" { fairshare_factor = 0.1 }
  job "1" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "low"
  }

  expect "job" "1" {
    state  = "blocked"
    reason = "QOSUsageThreshold"
  }
}

test "MaxTRESRunMinsPU of a QOS is stored and never asked before 24.05" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: limit-qos-runmins"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use     = "slurm"
      version = "22.05"
      params  = { AccountingStorageEnforce = "limits" }
      qos "short" { limit "MaxTRESRunMinsPU=cpu" { hard = 10 } }
    }
  END
  }

  job "1" {
    user             = "amy"
    qos              = "short"
    procs            = 11
    walltime_seconds = "1m"
  }

  expect "job" "1" { state = "eligible" }
}

test "MaxTRESRunMinsPU of a QOS by the manual, and in 24.05 and later" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "resource_limits manual page"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use     = "slurm"
      version = "22.05"
      params  = { AccountingStorageEnforce = "limits" }
      qos "short" { limit "MaxTRESRunMinsPU=cpu" { hard = 10 } }
    }
  END
  }

  job "1" {
    user             = "amy"
    qos              = "short"
    procs            = 11
    walltime_seconds = "1m"
  }

  expect "job" "1" {
    state  = "blocked"
    reason = "MaxCpuRunMinsPerUser"
  }
}

test "a running job without a time limit has its partition's" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "slurm.conf manual page, DefaultTime and MaxTime: a job that states no limit gets one of these"
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    AccountingStorageEnforce=limits
    NodeName=n[1-4] CPUs=16
    PartitionName=main Nodes=ALL MaxTime=100
  END
    "accounts.cfg" = <<-END
    Cluster - 'c':QOS='normal'
    Parent - 'root'
    Account - 'a':GrpTRESRunMins=cpu=100
    Parent - 'a'
    User - 'u'
  END
  }

  job "runs" {
    user       = "u"
    account    = "a"
    partition  = "main"
    procs      = 1
    state      = "running"
    start_time = "2026-11-20T11:10:00Z"
  }
  job "fits" {
    user             = "u"
    account          = "a"
    partition        = "main"
    procs            = 1
    walltime_seconds = "50m"
  }
  job "too long" {
    user             = "u"
    account          = "a"
    partition        = "main"
    procs            = 1
    walltime_seconds = "51m"
  }

  expect "job" "fits" { state = "eligible" }
  expect "job" "too long" {
    state  = "blocked"
    reason = "AssocGrpCPURunMinutesLimit"
  }
}
