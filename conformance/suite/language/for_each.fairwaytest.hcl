# for_each makes one block for each element.

test "one term for each TRES" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      component "tres" {
        term "share" {
          for_each = { "cpu" = 1000, "gres/gpu" = 5000 }
          weight   = each.value
          factor   = "job.tres(each.key)"
        }
      }
    }
  END
  }

  job "1" {
    user = "amy"
    tres = { cpu = 4, "gres/gpu" = 2 }
  }

  expect "job" "1" {
    priority = 14000
    term "tres.share[cpu]" { contribution = 4000 }
    term "tres.share[gres/gpu]" { contribution = 10000 }
  }
}

test "Slurm's PriorityWeightTRES makes the terms of the library's policy" {
  policy        = "slurm.conf"
  now           = "2026-11-20T12:00:00Z"
  slurm_version = "22.05"
  files = { "slurm.conf" = <<-END
    ClusterName=c
    SlurmctldHost=head
    PriorityType=priority/multifactor
    PriorityWeightTRES=CPU=1000,Mem=500
    NodeName=n[1-4] CPUs=10 RealMemory=1000
    PartitionName=main Nodes=ALL Default=YES
  END
  }

  job "1" {
    user      = "amy"
    partition = "main"
    tres      = { cpu = 20, mem = 1000 }
  }

  expect "job" "1" {
    priority = 625
    term "tres.tres[cpu]" { contribution = 500 }
    term "tres.tres[mem]" { contribution = 125 }
  }
}

test "one class after the other from a list" {
  policy = "site.fairway.hcl"
  now    = "2026-11-20T12:00:00Z"
  files = { "site.fairway.hcl" = <<-END
    policy "site" {
      locals { order = ["debug", "short", "long"] }
      partition "rank" {
        for_each = local.order
        name     = each.key
        priority = 100 * length(local.order)
      }
      component "a" {
        term "partition" { factor = "partition.priority" }
      }
    }
  END
  }

  job "1" {
    user      = "amy"
    partition = "short"
  }
  job "2" {
    user      = "amy"
    partition = "other"
  }

  expect "job" "1" { priority = 300 }
  expect "job" "2" { score = 0 }
}
