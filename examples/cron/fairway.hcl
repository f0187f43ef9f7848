# What is pushed every five minutes. The command is in the timer, or in crontab:
#   fairway push --config /etc/fairway/fairway.hcl --yes
# Without --yes it prints what it would do.
run "priorities" {
  policy    = ["/etc/slurm/slurm.conf", "site.fairway.hcl"]
  state_dir = "/var/lib/fairway/state"
  every     = "5m"

  live {
    timeout = "30s"
  }

  feed {
    to = "slurm" # SiteFactor: what slurmctld computes goes on
  }

  bounds {
    max_changes = 2000
    max_share   = 0.5 # a mistake in the policy would move more
    threshold   = 50
    rate        = 500
    deadline    = "2m"
    max_age     = "5m"
  }

  outputs {
    prom = "/var/lib/prometheus/node-exporter/fairway.prom"
  }
}
