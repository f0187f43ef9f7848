component "resource" {
  term "gres/gpu" { factor = "job.gpus" }
}
component "seconds" {
  term "queued" { factor = "job.queue_seconds" }
  term "eligible" { factor = "job.eligible_seconds" }
  term "accrued" { factor = "job.accrue_seconds" }
}
component "slurm" {
  term "partition" { factor = "partition.priority_job_factor" }
  term "assoc" { factor = "association.priority" }
  term "fairshare" { factor = "association.fairshare_factor" }
  term "site" { factor = "job.site_factor" }
  term "nice" { factor = "job.nice" }
}
