policy "site" {
  param "MAINTENANCE_BEGINS" {
    type    = "string"
    default = "2026-12-01T07:00:00Z"
  }
  param "MAINTENANCE_ENDS" {
    type    = "string"
    default = "2026-12-01T19:00:00Z"
  }

  hold "maintenance" {
    when   = <<-CEL
      now < timestamp(param.MAINTENANCE_ENDS) && has(job.walltime_seconds)
        && (timestamp(param.MAINTENANCE_BEGINS) - now).getSeconds() < job.walltime_seconds
    CEL
    reason = "would reach into the maintenance of 1 December, which ends at 19:00 UTC"
  }
}
