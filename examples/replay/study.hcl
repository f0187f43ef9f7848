study "weights" {
  doc = "Which weights, and how deep a reservation?"

  policy "maui" {
    files = "maui.cfg"
    param "XFACTORWEIGHT" {
      values = [0, 10, 100]
    }
    param "RESERVATIONDEPTH" {
      values = [1, 4]
    }
  }

  policy "easy" {
    files = "easy.fairway.hcl"
  }

  workload "week" {
    files = "week.swf"
    nodes = "nodes.json"
  }

  metric "mean wait" {
    of = "wait_seconds.mean"
  }
  metric "slowdown" {
    of = "bounded_slowdown.mean"
  }
  metric "use" {
    of       = "utilisation"
    at_least = 0.5
  }
}
