# Two groups share a machine equally. Who has used more than a half of late waits longer.
policy "lab" {
  fairshare "windows" {
    usage    = "dedicated_proc_seconds"
    interval = "12h"
    depth    = 4
    decay    = 0.5
  }
  account "DEFAULT" {
    fairshare { target = 50 }
  }

  component "fairshare" {
    weight = 10
    term "account" { factor = "account.fairshare_delta" }
  }
}
