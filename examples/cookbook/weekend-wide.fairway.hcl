policy "site" {
  component "house" {
    term "wide_at_weekend" {
      weight = 1000
      factor = <<-CEL
        now.getDayOfWeek() == 0 || now.getDayOfWeek() == 6
          ? double(job.procs) / double(cluster.procs) : 0.0
      CEL
    }
  }
}
