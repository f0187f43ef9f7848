policy "site" {
  param "MB_PER_PROC" {
    type    = "integer"
    default = 4096
    min     = 1
  }

  component "house" {
    term "blocked_procs" {
      weight = -5
      factor = <<-CEL
        math.greatest(0.0, double(job.mem_mb) / double(param.MB_PER_PROC) - double(job.procs))
      CEL
    }
  }
}
