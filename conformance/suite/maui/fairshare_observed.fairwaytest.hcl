# Fairshare as Maui was seen to compute it.

test "ORA-FS-pct: four windows, each half the weight of the newer one" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  tolerance = 0.01
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 24:00:00
    FSDEPTH    4
    FSDECAY    0.5
  END
  }

  usage {
    start = "2026-11-20T00:00:00Z"
    total = 4000
    user  = { u2 = 1000, u4 = 3000 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 8000
    user  = { u1 = 4000, u4 = 4000 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 8000
    user  = { u2 = 1000, u3 = 7000 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 8000
    user  = { u1 = 8000 }
  }
  job "1" {
    user = "u1"
  }

  expect "user" "u1" { usage_percent = 27.27 }
  expect "user" "u2" { usage_percent = 11.36 }
  expect "user" "u3" { usage_percent = 15.91 }
  expect "user" "u4" { usage_percent = 45.45 }
}

test "ORA-FS-delta: target, floor, ceiling and the DEFAULT target" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  tolerance = 0.1
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 24:00:00
    FSDEPTH    4
    FSDECAY    0.5
    FSWEIGHT     1
    FSUSERWEIGHT 10
    USERCFG[u1]  FSTARGET=50.0
    USERCFG[u2]  FSTARGET=25.0+
    USERCFG[u3]  FSTARGET=10.0-
    USERCFG[DEFAULT] FSTARGET=20
  END
  }

  usage {
    start = "2026-11-20T00:00:00Z"
    total = 4000
    user  = { u2 = 1000, u4 = 3000 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 8000
    user  = { u1 = 4000, u4 = 4000 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 8000
    user  = { u2 = 1000, u3 = 7000 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 8000
    user  = { u1 = 8000 }
  }
  job "1" {
    user = "u1"
  }
  job "2" {
    user = "u2"
  }
  job "3" {
    user = "u3"
  }
  job "4" {
    user = "u4"
  }
  job "5" {
    user = "u5"
  }

  expect "job" "1" {
    term "fairshare.fsuser" { contribution = 227.3 }
  }
  expect "job" "2" {
    term "fairshare.fsuser" { contribution = 136.4 }
  }
  expect "job" "3" {
    term "fairshare.fsuser" { contribution = -59.1 }
  }
  expect "job" "4" {
    term "fairshare.fsuser" { contribution = -254.5 }
  }
  expect "job" "5" {
    term "fairshare.fsuser" { contribution = 200 }
  }
}

test "ORA-FS-ratio: the same as ratios" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  tolerance = 0.1
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    FSPOLICY   DEDICATEDPS%
    FSINTERVAL 24:00:00
    FSDEPTH    4
    FSDECAY    0.5
    FSWEIGHT     1
    FSUSERWEIGHT 10
    USERCFG[u1]  FSTARGET=50.0
    USERCFG[u2]  FSTARGET=25.0+
    USERCFG[u3]  FSTARGET=10.0-
    USERCFG[DEFAULT] FSTARGET=20
  END
  }

  usage {
    start = "2026-11-20T00:00:00Z"
    total = 4000
    user  = { u2 = 1000, u4 = 3000 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 8000
    user  = { u1 = 4000, u4 = 4000 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 8000
    user  = { u2 = 1000, u3 = 7000 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 8000
    user  = { u1 = 8000 }
  }
  job "1" {
    user = "u1"
  }
  job "2" {
    user = "u2"
  }
  job "3" {
    user = "u3"
  }
  job "4" {
    user = "u4"
  }
  job "5" {
    user = "u5"
  }

  expect "job" "1" {
    term "fairshare.fsuser" { contribution = 4.5 }
  }
  expect "job" "2" {
    term "fairshare.fsuser" { contribution = 5.5 }
  }
  expect "job" "3" {
    term "fairshare.fsuser" { contribution = -5.9 }
  }
  expect "job" "4" {
    term "fairshare.fsuser" { contribution = -12.7 }
  }
  expect "job" "5" {
    term "fairshare.fsuser" { contribution = 10 }
  }
}

test "ORA-FS-caps: a cap in processor-seconds and one in percent block" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded from Maui 3.5 in simulation"
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 24:00:00
    FSDEPTH    4
    FSDECAY    0.5
    USERCFG[u2] FSTARGET=2000^
    USERCFG[u3] FSTARGET=5.0%
  END
  }

  usage {
    start = "2026-11-20T00:00:00Z"
    total = 4000
    user  = { u2 = 1000, u4 = 3000 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 8000
    user  = { u1 = 4000, u4 = 4000 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 8000
    user  = { u2 = 1000, u3 = 7000 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 8000
    user  = { u1 = 8000 }
  }
  job "1" {
    user             = "u1"
    procs            = 1
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:59:00Z"
  }
  job "2" {
    user             = "u2"
    procs            = 1
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:59:00Z"
  }
  job "3" {
    user             = "u3"
    procs            = 1
    walltime_seconds = 3600
    submit_time      = "2026-11-20T11:59:00Z"
  }

  expect "job" "1" { state = "eligible" }
  expect "job" "2" {
    state = "blocked"
    why {
      kind    = "fairshare_cap"
      object  = "user"
      name    = "u2"
      limit   = "cap"
      value   = 2000
      in_use  = 1250
      request = 3600
    }
  }
  expect "job" "3" {
    state = "blocked"
    why {
      kind    = "fairshare_cap"
      name    = "u3"
      limit   = "relative_cap"
      value   = 5
      in_use  = 1750
      request = 3600
    }
  }
}
