policy "site" {
  component "house" {
    term "idle_gpus" {
      weight = -300
      factor = <<-CEL
        job.exclusive && job.nodes > 0
          ? clamp(1.0 - double(job.gpus) / double(4 * job.nodes), 0.0, 1.0) : 0.0
      CEL
    }
  }
}
