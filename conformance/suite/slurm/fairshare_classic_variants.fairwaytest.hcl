# Variants of the classic fairshare formula: damped, with FairShare=parent, and oblivious of depth.

test "classic-damp-2: FairShareDampeningFactor divides the exponent" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "the formula 2^(-usage/shares/factor), Classic Fair Share (26.05)"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" { dampening_factor = 2 }
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

  expect "association" "b/User1" { fairshare = 0.639124 }
  expect "association" "c/User2" { fairshare = 0.148651 }
  expect "association" "c/User3" { fairshare = 0.353553 }
  expect "association" "e/User4" { fairshare = 0.707107 }
  expect "association" "f/User5" { fairshare = 0.865537 }
  expect "association" "g/User6" { fairshare = 0.0 }
}

test "classic-damp-5: FairShareDampeningFactor divides the exponent" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "the formula 2^(-usage/shares/factor), Classic Fair Share (26.05)"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "classic" { dampening_factor = 5 }
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

  expect "association" "b/User1" { fairshare = 0.836053 }
  expect "association" "c/User2" { fairshare = 0.466516 }
  expect "association" "c/User3" { fairshare = 0.659754 }
  expect "association" "e/User4" { fairshare = 0.870551 }
  expect "association" "f/User5" { fairshare = 0.943874 }
  expect "association" "g/User6" { fairshare = 0.0 }
}

test "classic-unit-parent: FairShare=parent lifts what is below to the next level that has shares" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "unit test 24.3 of Slurm 22.05"
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
      account "h" {
        fairshare { shares = 50 }
        account "ht" {
          fairshare { shares = "parent" }
          user "HT1" { fairshare { shares = "parent" } }
          user "HT2" { fairshare { shares = 30 } }
          user "HT3" { fairshare { shares = 50 } }
        }
        user "HR1" { fairshare { shares = "parent" } }
        user "HR2" { fairshare { shares = 40 } }
        user "HR3" { fairshare { shares = 50 } }
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
  association "ht/HT1" { usage_seconds = 10 }
  association "ht/HT2" { usage_seconds = 10 }
  association "ht/HT3" { usage_seconds = 25 }
  association "h/HR1" { usage_seconds = 20 }
  association "h/HR2" { usage_seconds = 20 }
  association "h/HR3" { usage_seconds = 25 }
  job "1" {
    user    = "User1"
    account = "b"
  }

  expect "association" "a" {
    norm_shares     = 0.266667
    norm_usage      = 0.214286
    effective_usage = 0.214286
    fairshare       = 0.572929
  }
  expect "association" "b" {
    norm_shares     = 0.2
    norm_usage      = 0.095238
    effective_usage = 0.184524
    fairshare       = 0.52755
  }
  expect "association" "b/User1" {
    norm_shares     = 0.2
    norm_usage      = 0.095238
    effective_usage = 0.184524
    fairshare       = 0.52755
  }
  expect "association" "c" {
    norm_shares     = 0.066667
    norm_usage      = 0.119048
    effective_usage = 0.142857
    fairshare       = 0.226431
  }
  expect "association" "c/User2" {
    norm_shares     = 0.033333
    norm_usage      = 0.119048
    effective_usage = 0.130952
    fairshare       = 0.065672
  }
  expect "association" "c/User3" {
    norm_shares     = 0.033333
    norm_usage      = 0.0
    effective_usage = 0.071429
    fairshare       = 0.226431
  }
  expect "association" "d" {
    norm_shares     = 0.4
    norm_usage      = 0.119048
    effective_usage = 0.119048
    fairshare       = 0.813594
  }
  expect "association" "e" {
    norm_shares     = 0.166667
    norm_usage      = 0.119048
    effective_usage = 0.119048
    fairshare       = 0.609507
  }
  expect "association" "e/User4" {
    norm_shares     = 0.166667
    norm_usage      = 0.119048
    effective_usage = 0.119048
    fairshare       = 0.609507
  }
  expect "association" "f" {
    norm_shares     = 0.233333
    norm_usage      = 0.0
    effective_usage = 0.069444
    fairshare       = 0.813594
  }
  expect "association" "f/User5" {
    norm_shares     = 0.233333
    norm_usage      = 0.0
    effective_usage = 0.069444
    fairshare       = 0.813594
  }
  expect "association" "g" {
    norm_shares     = 0.0
    norm_usage      = 0.142857
    effective_usage = 0.142857
    fairshare       = 0.0
  }
  expect "association" "g/User6" {
    norm_shares     = 0.0
    norm_usage      = 0.142857
    effective_usage = 0.142857
    fairshare       = 0.0
  }
  expect "association" "h" {
    norm_shares     = 0.333333
    norm_usage      = 0.52381
    effective_usage = 0.52381
    fairshare       = 0.336475
  }
  expect "association" "ht" {
    norm_shares     = 0.333333
    norm_usage      = 0.214286
    effective_usage = 0.52381
    fairshare       = 0.336475
  }
  expect "association" "ht/HT1" {
    norm_shares     = 0.333333
    norm_usage      = 0.047619
    effective_usage = 0.52381
    fairshare       = 0.336475
  }
  expect "association" "ht/HT2" {
    norm_shares     = 0.058824
    norm_usage      = 0.047619
    effective_usage = 0.131653
    fairshare       = 0.211966
  }
  expect "association" "ht/HT3" {
    norm_shares     = 0.098039
    norm_usage      = 0.119048
    effective_usage = 0.238095
    fairshare       = 0.185749
  }
  expect "association" "h/HR1" {
    norm_shares     = 0.333333
    norm_usage      = 0.095238
    effective_usage = 0.52381
    fairshare       = 0.336475
  }
  expect "association" "h/HR2" {
    norm_shares     = 0.078431
    norm_usage      = 0.095238
    effective_usage = 0.196078
    fairshare       = 0.176777
  }
  expect "association" "h/HR3" {
    norm_shares     = 0.098039
    norm_usage      = 0.119048
    effective_usage = 0.238095
    fairshare       = 0.185749
  }
}

test "depth-oblivious-1: usage of the account above against that among siblings" {
  policy    = "site.fairway.hcl"
  now       = "2026-11-20T12:00:00Z"
  cite      = "PriorityFlags=DEPTH_OBLIVIOUS, slurm.conf manual page; values from its implementation"
  tolerance = 0.000001
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      fairshare "depth_oblivious" {}
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

  expect "association" "a" { effective_usage = 0.45 }
  expect "association" "b" { effective_usage = 0.228848 }
  expect "association" "b/User1" {
    effective_usage = 0.228848
    fairshare       = 0.58934
  }
  expect "association" "c" { effective_usage = 0.25 }
  expect "association" "c/User2" {
    effective_usage = 0.25
    fairshare       = 0.03125
  }
  expect "association" "c/User3" {
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "d" { effective_usage = 0.25 }
  expect "association" "e" { effective_usage = 0.10879 }
  expect "association" "e/User4" {
    effective_usage = 0.10879
    fairshare       = 0.739613
  }
  expect "association" "f" { effective_usage = 0.0 }
  expect "association" "f/User5" {
    effective_usage = 0.0
    fairshare       = 1.0
  }
  expect "association" "g" { effective_usage = 0.3 }
  expect "association" "g/User6" {
    effective_usage = 0.3
    fairshare       = 0.0
  }
}
