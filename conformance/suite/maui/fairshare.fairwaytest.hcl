# Fairshare of the manuals: the priority chapter, the fairshare chapter with its decay table, the
# sample reports of mdiag.

test "FS-01: user 5 under and account 10 over its target; a QOS over its floor counts nothing" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, fairshare component"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSWEIGHT        100
    FSUSERWEIGHT    10
    FSGROUPWEIGHT   20
    FSACCOUNTWEIGHT 30
    FSQOSWEIGHT     40
    FSCLASSWEIGHT   0
    USERCFG[u1]     FSTARGET=50.0 QLIST=q1
    ACCOUNTCFG[a1]  FSTARGET=25.0
    QOSCFG[q1]      FSTARGET=10.0+
  END
  }

  usage {
    start     = "2026-11-20T12:00:00Z"
    total     = 100
    user      = { u1 = 45 }
    group     = { g1 = 65 }
    account   = { a1 = 35 }
    qos       = { q1 = 25 }
    partition = { c1 = 20 }
  }
  job "1" {
    user             = "u1"
    group            = "g1"
    account          = "a1"
    qos              = "q1"
    partition        = "c1"
    queue_seconds    = 0
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    score = -25000
    term "fairshare.fsuser" { factor = 5 }
    term "fairshare.fsgroup" { factor = 0 }
    term "fairshare.fsaccount" { factor = -10 }
    term "fairshare.fsqos" { factor = 0 }
    term "fairshare.fsclass" { factor = 0 }
  }
}

test "FS-02: usage decays from window to window" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, fairshare usage"
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
    FSDEPTH    4
    FSDECAY    0.5
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 110
    user  = { john = 60 }
  }
  usage {
    start = "2026-11-20T00:00:00Z"
    total = 125
    user  = { john = 0 }
  }
  usage {
    start = "2026-11-19T12:00:00Z"
    total = 100
    user  = { john = 10 }
  }
  usage {
    start = "2026-11-19T00:00:00Z"
    total = 150
    user  = { john = 50 }
  }
  job "1" {
    user = "john"
  }

  expect "user" "john" {
    usage_percent = 31.79190751445087
    tolerance     = 1e-9
  }
}

test "FS-03: the sample data file (documented)" {
  policy    = "maui.cfg"
  snapshot  = "FS.1795176000"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, fairshare data file"
  files = {
    "maui.cfg"      = <<-END
    FSPOLICY     DEDICATEDPS
    FSINTERVAL   12:00:00
    FSWEIGHT     1
    FSUSERWEIGHT 1
    USERCFG[DEFAULT] FSTARGET=50
    END
    "FS.1795176000" = <<-END
    # Fairshare Data File (Duration:  43200 Seconds)  Starting: Fri Nov 20 12:00:00
    User  USERA 150000.000
    User  USERB 150000.000
    User  USERC 200000.000
    User  USERD 100000.000
    Group GROUPA 350000.000
    Group GROUPB 250000.000
    Account ACCTA 300000.000
    Account ACCTB 200000.000
    Account ACCTC 100000.000
    QOS 0 50000.000
    QOS 1 450000.000
    QOS 2 100000.000
    TOTAL 600000.00
    END
  }

  job "1" {
    user    = "USERA"
    group   = "GROUPA"
    account = "ACCTA"
    qos     = "1"
  }

  expect "user" "USERA" {
    usage_percent = 25
    tolerance     = 1e-6
  }
  expect "user" "USERC" {
    usage_percent = 33.333333
    tolerance     = 1e-6
  }
  expect "user" "USERD" {
    usage_percent = 16.666667
    tolerance     = 1e-6
  }
  expect "group" "GROUPA" {
    usage_percent = 58.333333
    tolerance     = 1e-6
  }
  expect "group" "GROUPB" {
    usage_percent = 41.666667
    tolerance     = 1e-6
  }
  expect "account" "ACCTA" {
    usage_percent = 50
    tolerance     = 1e-6
  }
  expect "account" "ACCTB" {
    usage_percent = 33.333333
    tolerance     = 1e-6
  }
  expect "account" "ACCTC" {
    usage_percent = 16.666667
    tolerance     = 1e-6
  }
  expect "qos" "0" {
    usage_percent = 8.333333
    tolerance     = 1e-6
  }
  expect "qos" "1" {
    usage_percent = 75
    tolerance     = 1e-6
  }
  expect "qos" "2" {
    usage_percent = 16.666667
    tolerance     = 1e-6
  }
  expect "job" "1" {
    term "fairshare.fsuser" { factor = 25 }
  }
}

test "FS-03: of the sample data file the program reads nothing, and fairshare counts nothing (Δ15)" {
  policy    = "maui.cfg"
  snapshot  = "FS.1795176000"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual 6.3, fairshare data file; recorded from Maui 3.5"
  files = {
    "maui.cfg"      = <<-END
    FSPOLICY     DEDICATEDPS
    FSINTERVAL   12:00:00
    FSWEIGHT     1
    FSUSERWEIGHT 1
    USERCFG[DEFAULT] FSTARGET=50
    END
    "FS.1795176000" = <<-END
    # Fairshare Data File (Duration:  43200 Seconds)  Starting: Fri Nov 20 12:00:00
    User  USERA 150000.000
    User  USERB 150000.000
    User  USERC 200000.000
    User  USERD 100000.000
    Group GROUPA 350000.000
    Group GROUPB 250000.000
    Account ACCTA 300000.000
    Account ACCTB 200000.000
    Account ACCTC 100000.000
    QOS 0 50000.000
    QOS 1 450000.000
    QOS 2 100000.000
    TOTAL 600000.00
    END
  }

  job "1" {
    user    = "USERA"
    group   = "GROUPA"
    account = "ACCTA"
    qos     = "1"
  }

  expect "finding" { code = "snapshot-fairshare-line" }
  expect "user" "USERA" { usage_percent = 0 }
  expect "job" "1" {
    term "fairshare.fsuser" { factor = 0 }
  }
}

# The other half of the example, a job that holds processors and uses none, needs a measured usage.
test "FS-04: four processors for a quarter of an hour are one dedicated processor-hour" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, FSPOLICY"
  files = { "maui.cfg" = <<-END
    FSPOLICY   DEDICATEDPS
    FSINTERVAL 12:00:00
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 3600
    user  = { u2 = 3600 }
  }
  job "1" {
    user             = "u1"
    state            = "running"
    procs            = 4
    walltime_seconds = "2h"
    start_time       = "2026-11-20T11:00:00Z"
  }

  expect "user" "u1" { usage_percent = 0 }
  expect "user" "u2" { usage_percent = 100 }
  step {
    now = "2026-11-20T12:15:00Z"
    expect "user" "u1" { usage_percent = 50 }
    expect "user" "u2" { usage_percent = 50 }
  }
}

test "FS-05: FSPOLICY with a percent sign takes the ratio of usage and target" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 6.3, FSPOLICY"
  files = { "maui.cfg" = <<-END
    FSPOLICY     DEDICATEDPS%
    FSINTERVAL   12:00:00
    FSWEIGHT     1
    FSUSERWEIGHT 1
    USERCFG[u1] FSTARGET=50.0
  END
  }

  usage {
    start = "2026-11-20T12:00:00Z"
    total = 100
    user  = { u1 = 45 }
  }
  job "1" {
    user = "u1"
  }

  expect "job" "1" {
    term "fairshare.fsuser" { factor = 0.09999999999999998 }
  }
}
