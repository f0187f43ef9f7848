study "which policy" {
  doc   = "Short jobs wait too long: what would help, and what would it cost?"
  seeds = 2

  policy "as it is" {
    files = "../replay/maui.cfg"
  }

  policy "expansion" {
    doc   = "Jobs that waited long for their length go first."
    files = "../replay/maui.cfg"
    hold  = { QUEUETIMEWEIGHT = 1 }
    where = "param.XFACTORWEIGHT >= param.RESERVATIONDEPTH"
    param "XFACTORWEIGHT" {
      from  = 1
      to    = 1000
      scale = "log"
      steps = 4
    }
    param "RESERVATIONDEPTH" {
      values = [1, 4]
    }
  }

  policy "easy" {
    files = "../replay/easy.fairway.hcl"
  }

  workload "recorded" {
    files = "../replay/week.swf"
    nodes = "../replay/nodes.json"
  }

  workload "drawn" {
    files    = "../replay/week.swf"
    nodes    = "../replay/nodes.json"
    arrivals = "bootstrap"
  }

  metric "slowdown" {
    of      = "bounded_slowdown.mean"
    at_most = 12
  }
  metric "longest wait" {
    of = "wait_seconds.max"
  }
  metric "use" {
    of       = "utilisation"
    at_least = 0.75
  }
}
