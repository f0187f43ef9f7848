# The classic fairshare formula on trees of the manual and of Slurm's own tests.

# Usage is of all that was used; others than the five users have 30.
test "classic-doc-tree: the five users of the page of 2013" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "priority/multifactor page of November 2013, also Classic Fair Share (26.05)"
  tolerance = 0.00005
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "a" {
        fairshare { shares = 40 }
        account "b" {
          fairshare { shares = 30 }
          user "User1" { fairshare { shares = 1 } }
        }
        account "c" {
          fairshare { shares = 10 }
          user "User2" { fairshare { shares = 1 } }
          user "User3" { fairshare { shares = 1 } }
        }
      }
      account "d" {
        fairshare { shares = 60 }
        account "e" {
          fairshare { shares = 25 }
          user "User4" { fairshare { shares = 1 } }
        }
        account "f" {
          fairshare { shares = 35 }
          user "User5" { fairshare { shares = 1 } }
        }
      }
    }
  END
  }

  association "root" { usage_seconds = 100 }
  association "b/User1" { usage_seconds = 20 }
  association "c/User2" { usage_seconds = 25 }
  association "c/User3" { usage_seconds = 0 }
  association "e/User4" { usage_seconds = 25 }
  association "f/User5" { usage_seconds = 0 }
  job "1" {
    user    = "User1"
    account = "b"
  }

  expect "association" "b/User1" {
    norm_shares     = 0.3
    effective_usage = 0.3875
  }
  expect "association" "c/User2" {
    norm_shares     = 0.05
    effective_usage = 0.275
  }
  expect "association" "c/User3" {
    norm_shares     = 0.05
    effective_usage = 0.15
  }
  expect "association" "e/User4" {
    norm_shares     = 0.25
    effective_usage = 0.25
  }
  expect "association" "f/User5" {
    norm_shares     = 0.35
    effective_usage = 0.1458
  }
  expect "association" "a" {
    norm_shares     = 0.4
    effective_usage = 0.45
  }
  expect "association" "b" {
    norm_shares     = 0.3
    effective_usage = 0.3875
  }
  expect "association" "d" { effective_usage = 0.25 }
  expect "association" "c" { effective_usage = 0.3 }
  expect "association" "e" { effective_usage = 0.25 }
  expect "association" "f" { effective_usage = 0.1458 }
}

test "classic-doc-tree: their factors" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "priority/multifactor page of November 2013, also Classic Fair Share (26.05)"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "a" {
        fairshare { shares = 40 }
        account "b" {
          fairshare { shares = 30 }
          user "User1" { fairshare { shares = 1 } }
        }
        account "c" {
          fairshare { shares = 10 }
          user "User2" { fairshare { shares = 1 } }
          user "User3" { fairshare { shares = 1 } }
        }
      }
      account "d" {
        fairshare { shares = 60 }
        account "e" {
          fairshare { shares = 25 }
          user "User4" { fairshare { shares = 1 } }
        }
        account "f" {
          fairshare { shares = 35 }
          user "User5" { fairshare { shares = 1 } }
        }
      }
    }
  END
  }

  association "root" { usage_seconds = 100 }
  association "b/User1" { usage_seconds = 20 }
  association "c/User2" { usage_seconds = 25 }
  association "c/User3" { usage_seconds = 0 }
  association "e/User4" { usage_seconds = 25 }
  association "f/User5" { usage_seconds = 0 }
  job "1" {
    user    = "User1"
    account = "b"
  }

  expect "association" "b/User1" { fairshare = 0.408479 }
  expect "association" "c/User2" { fairshare = 0.022097 }
  expect "association" "c/User3" { fairshare = 0.125 }
  expect "association" "e/User4" { fairshare = 0.5 }
  expect "association" "f/User5" { fairshare = 0.749154 }
}

test "sshare-classic-rows: the columns of three users" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "testsuite of Slurm, test24.1: rows of sshare"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "a" {
        fairshare { shares = 40 }
        account "b" {
          fairshare { shares = 30 }
          user "User1" { fairshare { shares = 1 } }
        }
        account "c" {
          fairshare { shares = 10 }
          user "User2" { fairshare { shares = 1 } }
          user "User3" { fairshare { shares = 1 } }
        }
      }
      account "d" {
        fairshare { shares = 60 }
        account "e" {
          fairshare { shares = 25 }
          user "User4" { fairshare { shares = 1 } }
        }
        account "f" {
          fairshare { shares = 35 }
          user "User5" { fairshare { shares = 1 } }
        }
      }
    }
  END
  }

  association "root" { usage_seconds = 100 }
  association "b/User1" { usage_seconds = 20 }
  association "c/User2" { usage_seconds = 25 }
  association "c/User3" { usage_seconds = 0 }
  association "e/User4" { usage_seconds = 25 }
  association "f/User5" { usage_seconds = 0 }
  job "1" {
    user    = "User1"
    account = "b"
  }

  expect "association" "b/User1" {
    norm_shares     = 0.3
    usage           = 20
    norm_usage      = 0.2
    effective_usage = 0.3875
    fairshare       = 0.408479
  }
  expect "association" "c/User2" {
    norm_shares     = 0.05
    usage           = 25
    norm_usage      = 0.25
    effective_usage = 0.275
    fairshare       = 0.022097
  }
  expect "association" "f/User5" {
    norm_shares     = 0.35
    usage           = 0
    norm_usage      = 0.0
    effective_usage = 0.145833
    fairshare       = 0.749154
  }
}

test "shares-a3: ten users with equal shares of a tenth of the machine have a hundredth each" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "priority/multifactor page of November 2013, Normalized Shares"
  tolerance = 0.000000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "a3" {
        fairshare { shares = 10 }
        user "u1" { fairshare { shares = 1 } }
        user "u2" { fairshare { shares = 1 } }
        user "u3" { fairshare { shares = 1 } }
        user "u4" { fairshare { shares = 1 } }
        user "u5" { fairshare { shares = 1 } }
        user "u6" { fairshare { shares = 1 } }
        user "u7" { fairshare { shares = 1 } }
        user "u8" { fairshare { shares = 1 } }
        user "u9" { fairshare { shares = 1 } }
        user "u10" { fairshare { shares = 1 } }
      }
      account "others" {
        fairshare { shares = 90 }
        user "v" { fairshare { shares = 1 } }
      }
    }
  END
  }

  association "a3/u1" { usage_seconds = 1 }
  job "1" {
    user    = "u1"
    account = "a3"
  }

  expect "association" "a3" { norm_shares = 0.1 }
  expect "association" "a3/u1" { norm_shares = 0.01 }
  expect "association" "a3/u10" { norm_shares = 0.01 }
}

test "classic-unit-1: every column of a small tree" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "unit test 24.1 of Slurm 22.05"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" {}
      component "fairshare" {
        term "fairshare" { factor = "association.fairshare_factor" }
      }
      account "a" {
        fairshare { shares = 40 }
        account "b" {
          fairshare { shares = 30 }
          user "User1" { fairshare { shares = 1 } }
        }
        account "c" {
          fairshare { shares = 10 }
          user "User2" { fairshare { shares = 1 } }
          user "User3" { fairshare { shares = 1 } }
        }
      }
      account "d" {
        fairshare { shares = 60 }
        account "e" {
          fairshare { shares = 25 }
          user "User4" { fairshare { shares = 1 } }
        }
        account "f" {
          fairshare { shares = 35 }
          user "User5" { fairshare { shares = 1 } }
        }
      }
      account "g" {
        fairshare { shares = 0 }
        user "User6" { fairshare { shares = 0 } }
      }
    }
  END
  }

  association "b/User1" { usage_seconds = 20 }
  association "c/User2" { usage_seconds = 25 }
  association "c/User3" { usage_seconds = 0 }
  association "e/User4" { usage_seconds = 25 }
  association "f/User5" { usage_seconds = 0 }
  association "g/User6" { usage_seconds = 30 }
  job "1" {
    user    = "User1"
    account = "b"
  }

  expect "association" "a" {
    norm_shares     = 0.4
    norm_usage      = 0.45
    effective_usage = 0.45
    fairshare       = 0.458502
  }
  expect "association" "b" {
    norm_shares     = 0.3
    norm_usage      = 0.2
    effective_usage = 0.3875
    fairshare       = 0.408479
  }
  expect "association" "b/User1" {
    norm_shares     = 0.3
    norm_usage      = 0.2
    effective_usage = 0.3875
    fairshare       = 0.408479
  }
  expect "association" "c" {
    norm_shares     = 0.1
    norm_usage      = 0.25
    effective_usage = 0.3
    fairshare       = 0.125
  }
  expect "association" "c/User2" {
    norm_shares     = 0.05
    norm_usage      = 0.25
    effective_usage = 0.275
    fairshare       = 0.022097
  }
  expect "association" "c/User3" {
    norm_shares     = 0.05
    norm_usage      = 0.0
    effective_usage = 0.15
    fairshare       = 0.125
  }
  expect "association" "d" {
    norm_shares     = 0.6
    norm_usage      = 0.25
    effective_usage = 0.25
    fairshare       = 0.749154
  }
  expect "association" "e" {
    norm_shares     = 0.25
    norm_usage      = 0.25
    effective_usage = 0.25
    fairshare       = 0.5
  }
  expect "association" "e/User4" {
    norm_shares     = 0.25
    norm_usage      = 0.25
    effective_usage = 0.25
    fairshare       = 0.5
  }
  expect "association" "f" {
    norm_shares     = 0.35
    norm_usage      = 0.0
    effective_usage = 0.145833
    fairshare       = 0.749154
  }
  expect "association" "f/User5" {
    norm_shares     = 0.35
    norm_usage      = 0.0
    effective_usage = 0.145833
    fairshare       = 0.749154
  }
  expect "association" "g" {
    norm_shares     = 0.0
    norm_usage      = 0.3
    effective_usage = 0.3
    fairshare       = 0.0
  }
  expect "association" "g/User6" {
    norm_shares     = 0.0
    norm_usage      = 0.3
    effective_usage = 0.3
    fairshare       = 0.0
  }
}
