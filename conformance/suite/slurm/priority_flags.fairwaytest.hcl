# Which algorithm PriorityFlags choose, seen in the factors. Two accounts of one user each have half of the
# shares; one user has used a quarter, the other the rest. Fair Tree ranks them and root, who has no
# shares: 3, 2 and 1 of 3. The classic formula makes 2^(-0.25/0.5) and 2^(-0.75/0.5) of the same.

test "flags-nofairtree-1808: up to 18.08 NO_FAIR_TREE holds FAIR_TREE, and so asks for it" {
  policy    = ["slurm.conf", "version.fairway.hcl", "accounts.cfg"]
  now       = "2026-11-20T12:00:00Z"
  cite      = "read_config.c, 14.11 to 18.08"
  tolerance = 0.000001
  files = {
    "slurm.conf"          = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=NO_FAIR_TREE
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "version.fairway.hcl" = <<-END
    policy "version" {
      use     = "slurm"
      version = "18.08"
    }
  END
    "accounts.cfg"        = <<-END
    Cluster - 'c'
    Parent - 'root'
    User - 'root':Fairshare=0
    Account - 'x'
    Account - 'y'
    Parent - 'x'
    User - 'u1'
    Parent - 'y'
    User - 'u2'
  END
  }

  association "x/u1" { usage_seconds = 10 }
  association "y/u2" { usage_seconds = 30 }
  job "1" {
    user      = "u1"
    account   = "x"
    partition = "main"
  }

  expect "association" "x/u1" { fairshare = 1.0 }
  expect "association" "y/u2" { fairshare = 0.666667 }
  expect "association" "root/root" { fairshare = 0.333333 }
}

test "flags-nofairtree-1905: from 19.05 on it asks for the classic formula" {
  policy    = ["slurm.conf", "version.fairway.hcl", "accounts.cfg"]
  now       = "2026-11-20T12:00:00Z"
  cite      = "read_config.c, 19.05 and later"
  tolerance = 0.000001
  files = {
    "slurm.conf"          = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=NO_FAIR_TREE
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "version.fairway.hcl" = <<-END
    policy "version" {
      use     = "slurm"
      version = "19.05"
    }
  END
    "accounts.cfg"        = <<-END
    Cluster - 'c'
    Parent - 'root'
    User - 'root':Fairshare=0
    Account - 'x'
    Account - 'y'
    Parent - 'x'
    User - 'u1'
    Parent - 'y'
    User - 'u2'
  END
  }

  association "x/u1" { usage_seconds = 10 }
  association "y/u2" { usage_seconds = 30 }
  job "1" {
    user      = "u1"
    account   = "x"
    partition = "main"
  }

  expect "association" "x/u1" { fairshare = 0.707107 }
  expect "association" "y/u2" { fairshare = 0.353553 }
}

# The tree of depth-oblivious-1.
test "flags-depth: DEPTH_OBLIVIOUS asks for its own formula instead of Fair Tree" {
  policy    = ["slurm.conf", "version.fairway.hcl", "accounts.cfg"]
  now       = "2026-11-20T12:00:00Z"
  cite      = "read_config.c, 19.05 and later; recorded: doc-example-depth-oblivious"
  tolerance = 0.000001
  files = {
    "slurm.conf"          = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityFlags=DEPTH_OBLIVIOUS
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "version.fairway.hcl" = <<-END
    policy "version" {
      use     = "slurm"
      version = "25.11"
    }
  END
    "accounts.cfg"        = <<-END
    Cluster - 'c'
    Parent - 'root'
    User - 'root':Fairshare=0
    Account - 'a':Fairshare=40
    Account - 'd':Fairshare=60
    Account - 'g':Fairshare=0
    Parent - 'a'
    Account - 'x':Fairshare=30
    Account - 'z':Fairshare=10
    Parent - 'x'
    User - 'u1'
    Parent - 'z'
    User - 'u2'
    User - 'u3'
    Parent - 'd'
    Account - 'e':Fairshare=25
    Account - 'f':Fairshare=35
    Parent - 'e'
    User - 'u4'
    Parent - 'f'
    User - 'u5'
    Parent - 'g'
    User - 'u6':Fairshare=0
  END
  }

  association "x/u1" { usage_seconds = 20 }
  association "z/u2" { usage_seconds = 25 }
  association "z/u3" { usage_seconds = 0 }
  association "e/u4" { usage_seconds = 25 }
  association "f/u5" { usage_seconds = 0 }
  association "g/u6" { usage_seconds = 30 }
  job "1" {
    user      = "u1"
    account   = "x"
    partition = "main"
  }

  expect "association" "x/u1" { fairshare = 0.58934 }
  expect "association" "z/u2" { fairshare = 0.03125 }
  expect "association" "z/u3" { fairshare = 1.0 }
  expect "association" "e/u4" { fairshare = 0.739613 }
  expect "association" "f/u5" { fairshare = 1.0 }
}
