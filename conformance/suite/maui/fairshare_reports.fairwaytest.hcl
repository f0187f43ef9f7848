# Fairshare in the sample reports of the manual, and the decay of usage.

test "FS-M-mattp, FS-M-jsmith, FS-M-kyliem, FS-M-tgh, FS-M-tfw, FS-M-ljill, FS-M-kbill, FS-M-patw: the sample report of mdiag -f" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, mdiag -f, example 1"
  tolerance = 0.06
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    6
    FSDECAY    0.5
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 85.3
    user  = { mattp = 1.8766, jsmith = 10.79898, kyliem = 3.35229, tgh = 3.78732, tfw = 14.03185, ljill = 15.43077, kbill = 6.23543, patw = 4.45266 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 476.1
    user  = { mattp = 12.80709, jsmith = 73.12896, kyliem = 13.23558, tgh = 24.37632, tfw = 74.22399, ljill = 34.42203, kbill = 71.12934, patw = 24.32871 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 478.9
    user  = { mattp = 10.58369, jsmith = 52.48744, kyliem = 20.88004, tgh = 26.43528, tfw = 95.44477, ljill = 63.59792, kbill = 22.5083, patw = 23.22665 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 478.5
    user  = { mattp = 12.68025, jsmith = 41.8209, kyliem = 14.88135, tgh = 18.90075, tfw = 94.3602, ljill = 44.2134, kbill = 74.11965, patw = 24.882 }
  }
  usage {
    start = "2026-11-18T12:00:00Z"
    total = 475.5
    user  = { mattp = 12.60075, jsmith = 38.75325, kyliem = 18.7347, tgh = 22.1583, tfw = 101.6619, ljill = 70.1838, kbill = 25.7721, patw = 25.1064 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 482.8
    user  = { mattp = 14.53228, jsmith = 66.8678, kyliem = 20.519, tgh = 22.98128, tfw = 75.70304, ljill = 32.20276, kbill = 80.19308, patw = 27.90584 }
  }
  job "1" {
    user = "mattp"
  }

  expect "user" "mattp" { usage_percent = 2.51 }
  expect "user" "jsmith" { usage_percent = 12.82 }
  expect "user" "kyliem" { usage_percent = 3.44 }
  expect "user" "tgh" { usage_percent = 4.94 }
  expect "user" "tfw" { usage_percent = 17.44 }
  expect "user" "ljill" { usage_percent = 10.85 }
  expect "user" "kbill" { usage_percent = 11.1 }
  expect "user" "patw" { usage_percent = 5.11 }
}

test "FS-STAR-dallas, FS-STAR-sanjose, FS-STAR-austin, FS-STAR-engineering, FS-STAR-development, FS-STAR-bigmem: what the report marks with a star" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual, mdiag -f, example 1"
  tolerance = 1e-9
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    ACCOUNTCFG[dallas] FSTARGET=15
    ACCOUNTCFG[sanjose] FSTARGET=15
    ACCOUNTCFG[austin] FSTARGET=15
    ACCOUNTCFG[engineering] FSTARGET=30
    ACCOUNTCFG[development] FSTARGET=30
    ACCOUNTCFG[bigmem] FSTARGET=10
  END
  }

  usage {
    start   = "2026-11-20T12:00:00Z"
    total   = 100
    account = { dallas = 13.25, sanjose = 8.86, austin = 30.26, engineering = 31.76, development = 24.86, bigmem = 14.27 }
  }
  job "1" {
    user = "u1"
  }

  expect "account" "dallas" {
    usage_percent = 13.25
    target        = 15
    target_missed = false
  }
  expect "account" "sanjose" {
    usage_percent = 8.86
    target        = 15
    target_missed = true
  }
  expect "account" "austin" {
    usage_percent = 30.26
    target        = 15
    target_missed = true
  }
  expect "account" "engineering" {
    usage_percent = 31.76
    target        = 30
    target_missed = false
  }
  expect "account" "development" {
    usage_percent = 24.86
    target        = 30
    target_missed = true
  }
  expect "account" "bigmem" {
    usage_percent = 14.27
    target        = 10
    target_missed = false
  }
}

# A user for each window, who used 100 in it and nothing else; the total counts the newest window
# alone, so that each percentage is the weight of a window.
test "DEC-1: the weight of each window" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, table of decay"
  tolerance = 1.5 # the page prints whole numbers, the last ones of its table a little low
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    8
    FSDECAY    1.0
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u0 = 100 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 0
    user  = { u1 = 100 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 0
    user  = { u2 = 100 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 0
    user  = { u3 = 100 }
  }
  usage {
    start = "2026-11-18T12:00:00Z"
    total = 0
    user  = { u4 = 100 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 0
    user  = { u5 = 100 }
  }
  usage {
    start = "2026-11-17T12:00:00Z"
    total = 0
    user  = { u6 = 100 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 0
    user  = { u7 = 100 }
  }
  job "1" {
    user = "u0"
  }

  expect "user" "u0" { usage_percent = 100 }
  expect "user" "u1" { usage_percent = 100 }
  expect "user" "u2" { usage_percent = 100 }
  expect "user" "u3" { usage_percent = 100 }
  expect "user" "u4" { usage_percent = 100 }
  expect "user" "u5" { usage_percent = 100 }
  expect "user" "u6" { usage_percent = 100 }
  expect "user" "u7" { usage_percent = 100 }
}

test "DEC-0.8: the weight of each window" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, table of decay"
  tolerance = 1.5 # the page prints whole numbers, the last ones of its table a little low
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    8
    FSDECAY    0.8
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u0 = 100 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 0
    user  = { u1 = 100 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 0
    user  = { u2 = 100 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 0
    user  = { u3 = 100 }
  }
  usage {
    start = "2026-11-18T12:00:00Z"
    total = 0
    user  = { u4 = 100 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 0
    user  = { u5 = 100 }
  }
  usage {
    start = "2026-11-17T12:00:00Z"
    total = 0
    user  = { u6 = 100 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 0
    user  = { u7 = 100 }
  }
  job "1" {
    user = "u0"
  }

  expect "user" "u0" { usage_percent = 100 }
  expect "user" "u1" { usage_percent = 80 }
  expect "user" "u2" { usage_percent = 64 }
  expect "user" "u3" { usage_percent = 51 }
  expect "user" "u4" { usage_percent = 41 }
  expect "user" "u5" { usage_percent = 33 }
  expect "user" "u6" { usage_percent = 26 }
  expect "user" "u7" { usage_percent = 21 }
}

test "DEC-0.75: the weight of each window" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, table of decay"
  tolerance = 1.5 # the page prints whole numbers, the last ones of its table a little low
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    8
    FSDECAY    0.75
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u0 = 100 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 0
    user  = { u1 = 100 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 0
    user  = { u2 = 100 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 0
    user  = { u3 = 100 }
  }
  usage {
    start = "2026-11-18T12:00:00Z"
    total = 0
    user  = { u4 = 100 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 0
    user  = { u5 = 100 }
  }
  usage {
    start = "2026-11-17T12:00:00Z"
    total = 0
    user  = { u6 = 100 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 0
    user  = { u7 = 100 }
  }
  job "1" {
    user = "u0"
  }

  expect "user" "u0" { usage_percent = 100 }
  expect "user" "u1" { usage_percent = 75 }
  expect "user" "u2" { usage_percent = 56 }
  expect "user" "u3" { usage_percent = 42 }
  expect "user" "u4" { usage_percent = 31 }
  expect "user" "u5" { usage_percent = 23 }
  expect "user" "u6" { usage_percent = 17 }
  expect "user" "u7" { usage_percent = 12 }
}

test "DEC-0.5: the weight of each window" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, table of decay"
  tolerance = 1.5 # the page prints whole numbers, the last ones of its table a little low
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    8
    FSDECAY    0.5
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u0 = 100 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 0
    user  = { u1 = 100 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 0
    user  = { u2 = 100 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 0
    user  = { u3 = 100 }
  }
  usage {
    start = "2026-11-18T12:00:00Z"
    total = 0
    user  = { u4 = 100 }
  }
  usage {
    start = "2026-11-18T00:00:00Z"
    total = 0
    user  = { u5 = 100 }
  }
  usage {
    start = "2026-11-17T12:00:00Z"
    total = 0
    user  = { u6 = 100 }
  }
  usage {
    start = "2026-11-17T00:00:00Z"
    total = 0
    user  = { u7 = 100 }
  }
  job "1" {
    user = "u0"
  }

  expect "user" "u0" { usage_percent = 100 }
  expect "user" "u1" { usage_percent = 50 }
  expect "user" "u2" { usage_percent = 25 }
  expect "user" "u3" { usage_percent = 13 }
  expect "user" "u4" { usage_percent = 6 }
  expect "user" "u5" { usage_percent = 3 }
  expect "user" "u6" { usage_percent = 2 }
  expect "user" "u7" { usage_percent = 1 }
}
