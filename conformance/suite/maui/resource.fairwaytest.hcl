# What a job asks for, processor equivalents, and caps.

# A fifth of 128 processors is 25.6; the job asks for 26, and its memory decides.
test "PE-01: a fifth of the processors and half of the memory are 64 of 128 processors" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 3.2, processor equivalent"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       1
    PEWEIGHT        1
  END
  }

  node "n01" {
    procs  = 128
    mem_mb = 65536
  }
  job "1" {
    user             = "u1"
    tasks            = 1
    procs_per_task   = 26
    procs            = 26
    mem_per_task_mb  = 32768
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 64
    term "resource.pe" { factor = 64 }
  }
}

test "PE-02: two tasks with much memory are three processors" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 3.2, processor equivalent"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       1
    PEWEIGHT        1
  END
  }

  node "n01" {
    procs  = 400
    mem_mb = 102400
  }
  job "1" {
    user             = "u1"
    tasks            = 2
    procs_per_task   = 1
    procs            = 2
    mem_per_task_mb  = 384
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 3
    term "resource.pe" { factor = 3 }
  }
}

test "PE-03: a quarter of the processors and half of the memory are 64 of 128 processors" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual 5.1.2, resource component"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       1
    PEWEIGHT        1
  END
  }

  node "n01" {
    procs  = 128
    mem_mb = 65536
  }
  job "1" {
    user             = "u1"
    tasks            = 1
    procs_per_task   = 32
    procs            = 32
    mem_per_task_mb  = 32768
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 64
    term "resource.pe" { factor = 64 }
  }
}

test "ORA-P-pe: four tasks that fill the memory are the whole machine" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    PEWEIGHT        100
    QUEUETIMEWEIGHT 0
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 4
    procs_per_task   = 1
    procs            = 4
    mem_per_task_mb  = 1024
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" {
    priority = 1600
    term "resource.pe" { factor = 16 }
  }
}

test "ORA-P-mem: memory counts over all tasks, in MB" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    MEMWEIGHT       1
    QUEUETIMEWEIGHT 0
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 4
    mem_per_task_mb  = 1024
    mem_mb           = 4096
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 4096 }
}

test "APP-DISK: disk counts over all tasks, in MB" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, DISKWEIGHT"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       10
    DISKWEIGHT      100
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 12
    disk_per_task_mb = 512
    disk_mb          = 6144
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 6144000 }
}

test "APP-MEM: component weight times weight times MB" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, MEMWEIGHT"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       10
    MEMWEIGHT       1000
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 1
    mem_mb           = 512
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 5120000 }
}

# 10 * 512 + 100 * 4 = 5520, capped to 2000, times 5.
test "APP-RESCAP: the cap of a component applies before its weight" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "Maui manual appendix F, RESCAP"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       5
    MEMWEIGHT       10
    PROCWEIGHT      100
    RESCAP          2000
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 4
    procs            = 4
    mem_mb           = 512
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 10000 }
}

test "APP-RESCAP (documented): the cap of a component applies after its weight" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, RESCAP"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    RESWEIGHT       5
    MEMWEIGHT       10
    PROCWEIGHT      100
    RESCAP          2000
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 4
    procs            = 4
    mem_mb           = 512
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 2000 }
}

# min(3, 4) * 1000 = 3000, capped to 2500, times 2.
test "ORA-P-cap: the cap of a factor, then that of the component" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    PROCWEIGHT      1000
    PROCCAP         3
    RESWEIGHT       2
    RESCAP          2500
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 4
    procs            = 4
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 5000 }
}

test "ORA-P-cap2: below both caps" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    PROCWEIGHT      1000
    PROCCAP         3
    RESWEIGHT       2
    RESCAP          2500
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 2
    procs            = 2
    queue_seconds    = 60
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 4000 }
}

test "ORA-P-uproc: weights of UPROC and UJOB have no effect" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: Maui 3.5 in simulation mode, all jobs queued for 60 s"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    UPROCWEIGHT     10
    UJOBWEIGHT      100
    WALLTIMEWEIGHT  1
    NODEWEIGHT      5
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    tasks            = 2
    procs            = 2
    nodes            = 2
    walltime_seconds = "1h"
    queue_seconds    = 60
  }

  expect "job" "1" { priority = 3610 }
}

test "Δ8 (documented): RESWEIGHT is 0 unless set" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "documented"
  cite      = "Maui manual appendix F, RESWEIGHT"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
    PROCWEIGHT      10
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    procs            = 4
    queue_seconds    = 120
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 2 }
}

test "Δ8: RESWEIGHT is 1 unless set" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "recorded: showconfig of Maui 3.5"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 1
    PROCWEIGHT      10
  END
  }

  node "n01" {
    procs  = 16
    mem_mb = 4096
  }
  job "1" {
    user             = "u1"
    procs            = 4
    queue_seconds    = 120
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 42 }
}

test "NODE is what a job asked for, and from its second iteration on what it has if it runs" {
  policy    = "maui.cfg"
  now       = "2026-11-20T12:00:00Z"
  semantics = "observed"
  cite      = "maui.md §9 P10; recorded: t31-spviolation"
  files = { "maui.cfg" = <<-END
    QUEUETIMEWEIGHT 0
    NODEWEIGHT      10
  END
  }

  node "n01" {
    procs  = 4
    mem_mb = 4096
  }
  node "n02" {
    procs  = 4
    mem_mb = 4096
  }
  job "1" {
    user             = "amy"
    submit_time      = "2026-11-20T10:00:00Z"
    state            = "running"
    procs            = 4
    nodes            = 0
    allocated_hosts  = ["n01", "n01", "n01", "n02"]
    start_time       = "2026-11-20T11:00:00Z"
    walltime_seconds = "4h"
  }
  job "2" {
    user             = "amy"
    submit_time      = "2026-11-20T10:00:00Z"
    procs            = 6
    nodes            = 3
    walltime_seconds = "1h"
  }

  expect "job" "1" { priority = 1 }
  expect "job" "2" { priority = 30 }
  step {
    now = "2026-11-20T12:01:00Z"
    expect "job" "1" { priority = 20 }
    expect "job" "2" { priority = 30 }
  }
}
