policy "site" {
  user "DEFAULT" {
    limit "gpus_by_day" {
      count  = "gres/gpu"
      hard   = 4
      when   = "now.getHours() >= 8 && now.getHours() < 20"
      reason = "four GPUs for each user until 20:00 UTC"
    }
  }
}
