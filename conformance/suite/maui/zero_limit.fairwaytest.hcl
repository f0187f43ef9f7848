# Maui divides by the limit in floating point: a limit of 0 gives infinity, which the upper clamp bounds.
# reference/maui.md §2.3, §2.7

test "a limit of 0 without XFMINWCLIMIT has the greatest priority" {
  cite   = "reference/maui.md 2.3, 2.7"
  policy = "maui.cfg"
  now    = "2026-11-20T12:00:00Z"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    XFACTORWEIGHT 10
    XFMINWCLIMIT 0
  END
  }

  job "zero" {
    user             = "amy"
    procs            = 1
    walltime_seconds = 0
    queue_seconds    = 600
  }
  job "hour" {
    user             = "amy"
    procs            = 1
    walltime_seconds = 3600
    queue_seconds    = 3600
  }

  expect "job" "zero" { priority = 1000000000 }
  expect "job" "hour" { priority = 20 }
}
