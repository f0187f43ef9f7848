# The groups of lab.fairway.hcl as a tree: usage decays to a half in a week. What was used before today is stated,
# as no file keeps it.
policy "lab" {
  fairshare "fair_tree" { half_life = "7d" }

  usage "last week" {
    at          = "2026-11-13T10:00:00Z"
    account     = { physics = 40000 }
    association = { "physics/ana" = 30000, "chemistry/bo" = 8000 }
  }
  usage "this week" {
    at          = "2026-11-20T10:00:00Z"
    association = { "physics/ana" = 5000 }
  }

  account "physics" {
    fairshare { shares = 1 }
    user "ana" {
      fairshare { shares = 1 }
    }
  }
  account "chemistry" {
    fairshare { shares = 1 }
    user "bo" {
      fairshare { shares = 1 }
    }
  }
  component "fairshare" {
    weight = 1000
    term "tree" { factor = "association.fairshare_factor" }
  }
}
