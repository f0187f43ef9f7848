policy "site" {
  fairshare "windows" {
    usage    = "dedicated_proc_seconds"
    interval = "12h"
    depth    = 4
    decay    = 0.5
  }
  account "physics" {
    fairshare { target = 60 }
  }
  account "chemistry" {
    fairshare { target = 40 }
  }

  component "fairshare" {
    weight = 10
    term "account" { factor = "account.fairshare_delta" }
  }
}
