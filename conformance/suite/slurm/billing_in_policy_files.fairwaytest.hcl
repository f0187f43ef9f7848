# What usage costs, written in a policy file.
test "billing-of-a-policy-file: a policy file weighs usage as TRESBillingWeights does" {
  policy    = ["site.fairway.hcl", "accounts.cfg"]
  now       = 1700000000
  cite      = "slurm.conf(5), TRESBillingWeights"
  tolerance = 0.000001
  files = {
    "site.fairway.hcl" = <<-END
    policy "site" {
      use    = "slurm"
      params = {
        AccountingStorageTRES    = "gres/gpu"
        PriorityDecayHalfLife    = 0
        PriorityUsageResetPeriod = "YEARLY"
        PriorityFlags            = "MAX_TRES"
      }
      partition "main" { billing_weights = "CPU=1.0,Mem=0.25G,GRES/gpu=2.0" }
    }
  END
    "accounts.cfg"     = <<-END
    Cluster - 'c'
    Parent - 'root'
    Account - 'a'
    Parent - 'a'
    User - 'u'
  END
  }

  job "1" {
    user             = "u"
    account          = "a"
    partition        = "main"
    state            = "running"
    start_time       = 1700000000
    walltime_seconds = "1h"
    tres             = { cpu = 4, mem = 32768, "gres/gpu" = 3 }
  }

  step {
    now = 1700000100
    expect "association" "a/u" { usage = 800.0 }
  }
}
