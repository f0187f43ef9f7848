# Which associations may use which QOS.

test "qos-list: an association has the list of the nearest account that sets one" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "sacctmgr manual (QOS, AccountingStorageEnforce=qos)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      AccountingStorageType=accounting_storage/slurmdbd
      AccountingStorageEnforce=associations,limits,qos
      NodeName=n[001-100] CPUs=16
      PartitionName=p Nodes=ALL
    END
    "accounts.cfg" = <<-END
      Cluster - 'c':QOS='normal'
      Parent - 'root'
      Account - 'a'
      Account - 'b':QOS='normal,high'
      Parent - 'a'
      User - 'amy'
      User - 'ann':QOS='high'
      User - 'abe':QOS='+high'
      Parent - 'b'
      User - 'bob'
      User - 'ben':QOS='-normal'
    END
  }

  job "inherited" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "normal"
  }
  job "not-inherited" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "own-list" {
    user      = "ann"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "not-in-own-list" {
    user      = "ann"
    account   = "a"
    partition = "p"
    qos       = "normal"
  }
  job "added" {
    user      = "abe"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "kept" {
    user      = "abe"
    account   = "a"
    partition = "p"
    qos       = "normal"
  }
  job "of-account" {
    user      = "bob"
    account   = "b"
    partition = "p"
    qos       = "high"
  }
  job "taken-away" {
    user      = "ben"
    account   = "b"
    partition = "p"
    qos       = "normal"
  }
  job "one-of-two" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high,normal"
  }
  job "runs" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
    state     = "running"
  }
  job "submitted" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
    state     = "submitting"
  }
  job "submitted-with-two" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high,normal"
    state     = "submitting"
  }

  expect "job" "inherited" { state = "eligible" }
  expect "job" "not-inherited" {
    state  = "blocked"
    reason = "InvalidQOS"
  }
  expect "job" "own-list" { state = "eligible" }
  expect "job" "not-in-own-list" { reason = "InvalidQOS" }
  expect "job" "added" { state = "eligible" }
  expect "job" "kept" { state = "eligible" }
  expect "job" "of-account" { state = "eligible" }
  expect "job" "taken-away" { reason = "InvalidQOS" }
  expect "job" "one-of-two" { state = "eligible" }
  expect "job" "runs" { state = "running" }
  expect "job" "submitted" { reason = "Invalid qos specification" }
  expect "job" "submitted-with-two" { reason = "Invalid qos specification" }
}

test "qos-not-enforced: without qos in AccountingStorageEnforce a list says nothing" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "slurm.conf manual (AccountingStorageEnforce)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      AccountingStorageType=accounting_storage/slurmdbd
      AccountingStorageEnforce=associations,limits
      NodeName=n[001-100] CPUs=16
      PartitionName=p Nodes=ALL
    END
    "accounts.cfg" = <<-END
      Cluster - 'c':QOS='normal'
      Parent - 'root'
      Account - 'a'
      Parent - 'a'
      User - 'amy'
    END
  }

  job "1" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
  }

  expect "job" "1" { state = "eligible" }
}

test "partition-first: a partition that is down is asked before the list" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "behaviour of slurmctld (job_scheduler.c)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "qos" }
      account "a" {
        user "amy" {}
      }
      association "a" { qos_list = ["normal"] }
      partition "p" { state = "DOWN" }
      partition "q" { state = "UP" }
    }
  END
  }

  job "down" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "up" {
    user      = "amy"
    account   = "a"
    partition = "q"
    qos       = "high"
  }

  expect "job" "down" { reason = "PartitionDown" }
  expect "job" "up" { reason = "InvalidQOS" }
}

test "accounts-below: since 23.02 lists of accounts mean those below too" {
  policy        = ["slurm.conf", "accounts.cfg"]
  slurm_version = "23.02"
  now           = "2026-11-20T12:00:00Z"
  cite          = "slurm.conf manual of 23.02 (AllowAccounts, DenyAccounts)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      NodeName=n[001-100] CPUs=16
      PartitionName=only Nodes=ALL AllowAccounts=physics
      PartitionName=not Nodes=ALL DenyAccounts=physics
    END
    "accounts.cfg" = <<-END
      Cluster - 'c'
      Parent - 'root'
      Account - 'physics'
      Account - 'chem'
      Parent - 'physics'
      Account - 'optics'
      Parent - 'optics'
      User - 'amy'
      Parent - 'chem'
      User - 'bob'
    END
  }

  job "below-allowed" {
    user      = "amy"
    account   = "optics"
    partition = "only"
  }
  job "other-allowed" {
    user      = "bob"
    account   = "chem"
    partition = "only"
  }
  job "below-denied" {
    user      = "amy"
    account   = "optics"
    partition = "not"
  }
  job "other-denied" {
    user      = "bob"
    account   = "chem"
    partition = "not"
  }

  expect "job" "below-allowed" { state = "eligible" }
  expect "job" "other-allowed" { reason = "PartitionConfig" }
  expect "job" "below-denied" { reason = "PartitionConfig" }
  expect "job" "other-denied" { state = "eligible" }
}

test "accounts-alone: before 23.02 a list of accounts means these alone" {
  policy        = ["slurm.conf", "accounts.cfg"]
  slurm_version = "22.05"
  now           = "2026-11-20T12:00:00Z"
  cite          = "slurm.conf manual of 22.05 (AllowAccounts, DenyAccounts)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      NodeName=n[001-100] CPUs=16
      PartitionName=only Nodes=ALL AllowAccounts=physics
      PartitionName=not Nodes=ALL DenyAccounts=physics
    END
    "accounts.cfg" = <<-END
      Cluster - 'c'
      Parent - 'root'
      Account - 'physics'
      Parent - 'physics'
      Account - 'optics'
      Parent - 'optics'
      User - 'amy'
    END
  }

  job "below-allowed" {
    user      = "amy"
    account   = "optics"
    partition = "only"
  }
  job "below-denied" {
    user      = "amy"
    account   = "optics"
    partition = "not"
  }

  expect "job" "below-allowed" { reason = "Job's_account_not_permitted_to_use_this_partition_(only_allows_physics_not_optics)" }
  expect "job" "below-denied" { state = "eligible" }
}

test "qos-plus: QOS+= and QOS-= of a dump change the list of the account above" {
  policy = ["slurm.conf", "accounts.cfg"]
  now    = "2026-11-20T12:00:00Z"
  cite   = "sacctmgr manual (flat file dump and load, QOS)"
  files = {
    "slurm.conf"   = <<-END
      ClusterName=c
      SlurmctldHost=head
      AccountingStorageType=accounting_storage/slurmdbd
      AccountingStorageEnforce=associations,limits,qos
      NodeName=n[001-100] CPUs=16
      PartitionName=p Nodes=ALL
    END
    "accounts.cfg" = <<-END
      Cluster - 'c':QOS='normal'
      Parent - 'root'
      Account - 'a':QOS+='high'
      Parent - 'a'
      User - 'amy'
      User - 'abe':QOS-='normal'
    END
  }

  job "kept" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "normal"
  }
  job "added" {
    user      = "abe"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "taken-away" {
    user      = "abe"
    account   = "a"
    partition = "p"
    qos       = "normal"
  }

  expect "job" "kept" { state = "eligible" }
  expect "job" "added" { state = "eligible" }
  expect "job" "taken-away" { reason = "InvalidQOS" }
}

test "qos-without-name: a list that changes another one may have empty entries" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "sacctmgr manual (QOS)"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = { AccountingStorageEnforce = "qos" }
      account "a" {
        user "amy" {}
      }
      association "a" { qos_list = ["", "+high", "+"] }
      partition "p" { state = "UP" }
    }
  END
  }

  job "added" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "high"
  }
  job "other" {
    user      = "amy"
    account   = "a"
    partition = "p"
    qos       = "low"
  }

  expect "job" "added" { state = "eligible" }
  expect "job" "other" { reason = "InvalidQOS" }
}

test "allow-one-of-two: a partition takes a job one of whose QOS it allows" {
  policy        = "slurm.conf"
  slurm_version = "24.11"
  now           = "2026-11-20T12:00:00Z"
  cite          = "slurm.conf manual (AllowQos, DenyQos), sbatch manual of 24.11 (--qos)"
  files = {
    "slurm.conf" = <<-END
      ClusterName=c
      SlurmctldHost=head
      NodeName=n[001-100] CPUs=16
      PartitionName=only Nodes=ALL AllowQos=high
      PartitionName=not Nodes=ALL DenyQos=high
      PartitionName=none Nodes=ALL AllowQos=special
    END
  }

  job "allowed" {
    user      = "amy"
    partition = "only"
    qos       = "normal,high"
  }
  job "not-denied" {
    user      = "amy"
    partition = "not"
    qos       = "high,normal"
  }
  job "neither" {
    user      = "amy"
    partition = "none"
    qos       = "high,normal"
  }

  expect "job" "allowed" { state = "eligible" }
  expect "job" "not-denied" { state = "eligible" }
  expect "job" "neither" { state = "blocked" }
}

test "names-fold: lists of accounts and QOS are compared whatever the case" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  cite   = "sacctmgr manual (names are lower case); scontrol show partition prints them as they were written"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      use = "slurm"
      partition "only" {
        accounts_allowed = ["Physics"]
        qos_allowed      = ["High"]
      }
      partition "not" { qos_denied = ["High"] }
    }
  END
  }

  job "allowed" {
    user      = "amy"
    account   = "physics"
    partition = "only"
    qos       = "high"
  }
  job "denied" {
    user      = "amy"
    account   = "physics"
    partition = "not"
    qos       = "high"
  }

  expect "job" "allowed" { state = "eligible" }
  expect "job" "denied" { state = "blocked" }
}
