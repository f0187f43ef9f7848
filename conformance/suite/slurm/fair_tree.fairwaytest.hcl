# Fair Tree, on trees of the manual and of Slurm's own tests.

# Users are ranked below each account in turn. Of equal levels users come before accounts, and share a rank.
test "fairtree-unit: levels and ranks of a tree with ties" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "unit test 24.4 of Slurm 22.05"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "fair_tree" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "root" {
        user "u1" { fairshare { shares = 10 } }
        user "u2" { fairshare { shares = 10 } }
      }
      account "p" {
        fairshare { shares = 40 }
        account "pa" {
          fairshare { shares = 30 }
          user "pa1" { fairshare { shares = 1 } }
        }
        account "pb" {
          fairshare { shares = 10 }
          user "pb1" { fairshare { shares = 1 } }
          user "pb2" { fairshare { shares = 1 } }
        }
      }
      account "q" {
        fairshare { shares = 60 }
        account "qa" {
          fairshare { shares = 25 }
          user "qa1" { fairshare { shares = 1 } }
        }
        account "qb" {
          fairshare { shares = 35 }
          user "qb1" { fairshare { shares = 1 } }
        }
      }
      account "r" {
        fairshare { shares = 0 }
        user "r1" { fairshare { shares = 0 } }
      }
      account "s" {
        fairshare { shares = 50 }
        account "sa" {
          fairshare { shares = "parent" }
          user "sa1" { fairshare { shares = "parent" } }
          user "sa2" { fairshare { shares = 30 } }
          user "sa3" { fairshare { shares = 50 } }
        }
        user "s1" { fairshare { shares = "parent" } }
        user "s2" { fairshare { shares = 40 } }
        user "s3" { fairshare { shares = 50 } }
      }
      account "t" {
        fairshare { shares = 10 }
        user "t1" { fairshare { shares = 10 } }
        user "t2" { fairshare { shares = 10 } }
      }
      account "u" {
        fairshare { shares = 20 }
        user "uu1" { fairshare { shares = 10 } }
        user "uu2" { fairshare { shares = 20 } }
      }
      account "v" {
        fairshare { shares = 8 }
        user "v1" { fairshare { shares = 10 } }
        account "va" {
          fairshare { shares = 10 }
          user "va1" { fairshare { shares = 20 } }
          user "va2" { fairshare { shares = 20 } }
        }
      }
    }
  END
  }

  association "root/u1" { usage_seconds = 0 }
  association "root/u2" { usage_seconds = 10 }
  association "pa/pa1" { usage_seconds = 20 }
  association "pb/pb1" { usage_seconds = 25 }
  association "pb/pb2" { usage_seconds = 0 }
  association "qa/qa1" { usage_seconds = 25 }
  association "qb/qb1" { usage_seconds = 0 }
  association "r/r1" { usage_seconds = 30 }
  association "sa/sa1" { usage_seconds = 10 }
  association "sa/sa2" { usage_seconds = 10 }
  association "sa/sa3" { usage_seconds = 25 }
  association "s/s1" { usage_seconds = 20 }
  association "s/s2" { usage_seconds = 20 }
  association "s/s3" { usage_seconds = 25 }
  association "t/t1" { usage_seconds = 0 }
  association "t/t2" { usage_seconds = 0 }
  association "u/uu1" { usage_seconds = 0 }
  association "u/uu2" { usage_seconds = 0 }
  association "v/v1" { usage_seconds = 10 }
  association "va/va1" { usage_seconds = 4 }
  association "va/va2" { usage_seconds = 6 }
  job "1" {
    user    = "u1"
    account = "root"
  }

  expect "association" "root/u1" {
    norm_shares     = 0.048077
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "root/u2" {
    norm_shares     = 0.048077
    effective_usage = 0.041667
    level_fs        = 1.153846
    fairshare       = 0.666667
  }
  expect "association" "p" {
    norm_shares     = 0.192308
    effective_usage = 0.1875
    level_fs        = 1.025641
  }
  expect "association" "pa" {
    norm_shares     = 0.75
    effective_usage = 0.444444
    level_fs        = 1.6875
  }
  expect "association" "pa/pa1" {
    norm_shares     = 1.0
    effective_usage = 1.0
    level_fs        = 1.0
    fairshare       = 0.619048
  }
  expect "association" "pb" {
    norm_shares     = 0.25
    effective_usage = 0.555556
    level_fs        = 0.45
  }
  expect "association" "pb/pb1" {
    norm_shares     = 0.5
    effective_usage = 1.0
    level_fs        = 0.5
    fairshare       = 0.52381
  }
  expect "association" "pb/pb2" {
    norm_shares     = 0.5
    effective_usage = 0.0
    fairshare       = 0.571429
  }
  expect "association" "q" {
    norm_shares     = 0.288462
    effective_usage = 0.104167
    level_fs        = 2.769231
  }
  expect "association" "qa" {
    norm_shares     = 0.416667
    effective_usage = 1.0
    level_fs        = 0.416667
  }
  expect "association" "qa/qa1" {
    norm_shares     = 1.0
    effective_usage = 1.0
    level_fs        = 1.0
    fairshare       = 0.714286
  }
  expect "association" "qb" {
    norm_shares     = 0.583333
    effective_usage = 0.0
  }
  expect "association" "qb/qb1" {
    norm_shares     = 1.0
    effective_usage = 0.0
    fairshare       = 0.761905
  }
  expect "association" "r" {
    norm_shares     = 0.0
    effective_usage = 0.125
    level_fs        = 0.0
  }
  expect "association" "r/r1" {
    norm_shares     = 0.0
    effective_usage = 1.0
    level_fs        = 0.0
    fairshare       = 0.047619
  }
  expect "association" "s" {
    norm_shares     = 0.240385
    effective_usage = 0.458333
    level_fs        = 0.524476
  }
  expect "association" "sa" {
    norm_shares     = 0.240385
    effective_usage = 0.409091
  }
  expect "association" "sa/sa1" {
    norm_shares     = 0.240385
    effective_usage = 0.090909
    fairshare       = 0.47619
  }
  expect "association" "sa/sa2" {
    norm_shares     = 0.176471
    effective_usage = 0.090909
    level_fs        = 1.941176
    fairshare       = 0.380952
  }
  expect "association" "sa/sa3" {
    norm_shares     = 0.294118
    effective_usage = 0.227273
    level_fs        = 1.294118
    fairshare       = 0.333333
  }
  expect "association" "s/s1" {
    norm_shares     = 0.240385
    effective_usage = 0.181818
    fairshare       = 0.47619
  }
  expect "association" "s/s2" {
    norm_shares     = 0.235294
    effective_usage = 0.181818
    level_fs        = 1.294118
    fairshare       = 0.238095
  }
  expect "association" "s/s3" {
    norm_shares     = 0.294118
    effective_usage = 0.227273
    level_fs        = 1.294118
    fairshare       = 0.333333
  }
  expect "association" "t" {
    norm_shares     = 0.048077
    effective_usage = 0.0
  }
  expect "association" "t/t1" {
    norm_shares     = 0.5
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "t/t2" {
    norm_shares     = 0.5
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "u" {
    norm_shares     = 0.096154
    effective_usage = 0.0
  }
  expect "association" "u/uu1" {
    norm_shares     = 0.333333
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "u/uu2" {
    norm_shares     = 0.666667
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "v" {
    norm_shares     = 0.038462
    effective_usage = 0.083333
    level_fs        = 0.461538
  }
  expect "association" "v/v1" {
    norm_shares     = 0.5
    effective_usage = 0.5
    level_fs        = 1.0
    fairshare       = 0.190476
  }
  expect "association" "va" {
    norm_shares     = 0.5
    effective_usage = 0.5
    level_fs        = 1.0
  }
  expect "association" "va/va1" {
    norm_shares     = 0.5
    effective_usage = 0.4
    level_fs        = 1.25
    fairshare       = 0.190476
  }
  expect "association" "va/va2" {
    norm_shares     = 0.5
    effective_usage = 0.6
    level_fs        = 0.833333
    fairshare       = 0.095238
  }
}

test "fairtree-tied-accounts: one tied account after the other, as implemented" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "fair_tree.c, _count_tied_accounts"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "fair_tree" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "x" {
        fairshare { shares = 10 }
        user "x1" { fairshare { shares = 1 } }
        user "x2" { fairshare { shares = 3 } }
      }
      account "y" {
        fairshare { shares = 10 }
        user "y1" { fairshare { shares = 1 } }
        user "y2" { fairshare { shares = 1 } }
      }
      account "z" {
        fairshare { shares = 10 }
        user "z1" { fairshare { shares = 1 } }
      }
    }
  END
  }

  association "x/x1" { usage_seconds = 10 }
  association "x/x2" { usage_seconds = 10 }
  association "y/y1" { usage_seconds = 5 }
  association "y/y2" { usage_seconds = 15 }
  association "z/z1" { usage_seconds = 40 }
  job "1" {
    user    = "x1"
    account = "x"
  }

  expect "association" "x/x1" { fairshare = 0.8 }
  expect "association" "x/x2" { fairshare = 1.0 }
  expect "association" "y/y1" { fairshare = 0.8 }
  expect "association" "y/y2" { fairshare = 0.4 }
  expect "association" "z/z1" { fairshare = 0.2 }
}

test "fairtree-no-usage: no one has used anything, and all tie" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "Fair Tree page (26.05)"
  tolerance = 0.000000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "fair_tree" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "root" {
        user "w" { fairshare { shares = 1 } }
      }
      account "x" {
        fairshare { shares = 10 }
        user "x1" { fairshare { shares = 1 } }
        user "x2" { fairshare { shares = 3 } }
      }
      account "y" {
        fairshare { shares = 30 }
        user "y1" { fairshare { shares = 1 } }
      }
    }
  END
  }

  association "x/x1" { usage_seconds = 0 }
  association "x/x2" { usage_seconds = 0 }
  association "y/y1" { usage_seconds = 0 }
  association "root/w" { usage_seconds = 0 }
  job "1" {
    user    = "x1"
    account = "x"
  }

  expect "association" "x/x1" { fairshare = 1.0 }
  expect "association" "x/x2" { fairshare = 1.0 }
  expect "association" "y/y1" { fairshare = 1.0 }
  expect "association" "root/w" { fairshare = 1.0 }
}

test "fairtree-zero-shares: without shares the level is 0 whatever was used" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "fair_tree.c, _calc_assoc_fs"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "fair_tree" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "x" {
        fairshare { shares = 0 }
        user "x1" { fairshare { shares = 1 } }
      }
      account "y" {
        fairshare { shares = 30 }
        user "y1" { fairshare { shares = 0 } }
        user "y2" { fairshare { shares = 1 } }
      }
    }
  END
  }

  association "x/x1" { usage_seconds = 0 }
  association "y/y1" { usage_seconds = 0 }
  association "y/y2" { usage_seconds = 50 }
  job "1" {
    user    = "x1"
    account = "x"
  }

  expect "association" "x" { level_fs = 0.0 }
  expect "association" "y" { level_fs = 1.0 }
  expect "association" "y/y1" {
    level_fs  = 0.0
    fairshare = 0.666667
  }
  expect "association" "y/y2" {
    level_fs  = 1.0
    fairshare = 1.0
  }
  expect "association" "x/x1" { fairshare = 0.333333 }
}

test "fairtree-tied-accounts: one tied account after the other, in a cluster" {
  policy    = ["slurm.conf", "accounts.cfg"]
  now       = 1700000000
  cite      = "Fair Tree page (26.05), and fair_tree.c, _count_tied_accounts"
  tolerance = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    User - 'root':Fairshare=0
    Account - 'x':Fairshare=10
    Account - 'y':Fairshare=10
    Account - 'z':Fairshare=10
    Parent - 'x'
    User - 'x1':Fairshare=1
    User - 'x2':Fairshare=3
    Parent - 'y'
    User - 'y1'
    User - 'y2'
    Parent - 'z'
    User - 'z1'
  END
  }

  association "x/x1" { usage_seconds = 10 }
  association "x/x2" { usage_seconds = 10 }
  association "y/y1" { usage_seconds = 5 }
  association "y/y2" { usage_seconds = 15 }
  association "z/z1" { usage_seconds = 60 }
  job "1" {
    user      = "x1"
    account   = "x"
    partition = "main"
  }

  expect "association" "x/x2" { fairshare = 1.000000 }
  expect "association" "x/x1" { fairshare = 0.833333 }
  expect "association" "y/y1" { fairshare = 0.833333 }
  expect "association" "y/y2" { fairshare = 0.500000 }
  expect "association" "z/z1" { fairshare = 0.333333 }
  expect "association" "root/root" { fairshare = 0.166667 }
}

test "fairtree-tied-accounts: tied accounts are one, as the page says" {
  policy     = ["slurm.conf", "accounts.cfg"]
  now        = 1700000000
  deviations = ["fair_tree_ties"]
  cite       = "Fair Tree page (26.05), and fair_tree.c, _count_tied_accounts"
  tolerance  = 0.000001
  files = {
    "slurm.conf"   = <<-END
    ClusterName=c
    SlurmctldHost=head
    AccountingStorageType=accounting_storage/slurmdbd
    PriorityType=priority/multifactor
    PriorityWeightFairshare=1000
    NodeName=n[1-4] CPUs=64
    PartitionName=main Nodes=ALL
  END
    "accounts.cfg" = <<-END
    Cluster - 'c'
    Parent - 'root'
    User - 'root':Fairshare=0
    Account - 'x':Fairshare=10
    Account - 'y':Fairshare=10
    Account - 'z':Fairshare=10
    Parent - 'x'
    User - 'x1':Fairshare=1
    User - 'x2':Fairshare=3
    Parent - 'y'
    User - 'y1'
    User - 'y2'
    Parent - 'z'
    User - 'z1'
  END
  }

  association "x/x1" { usage_seconds = 10 }
  association "x/x2" { usage_seconds = 10 }
  association "y/y1" { usage_seconds = 5 }
  association "y/y2" { usage_seconds = 15 }
  association "z/z1" { usage_seconds = 60 }
  job "1" {
    user      = "x1"
    account   = "x"
    partition = "main"
  }

  expect "association" "y/y1" { fairshare = 1.000000 }
  expect "association" "x/x2" { fairshare = 0.833333 }
  expect "association" "y/y2" { fairshare = 0.666667 }
  expect "association" "x/x1" { fairshare = 0.500000 }
  expect "association" "z/z1" { fairshare = 0.333333 }
  expect "association" "root/root" { fairshare = 0.166667 }
}
