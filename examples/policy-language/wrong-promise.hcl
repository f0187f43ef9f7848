check "of two jobs that are the same but for their length, neither has more points" {
  policy    = "5-whole.fairway.hcl"
  vary      = ["walltime_seconds"]
  condition = "job['a'].priority == job['b'].priority"
}
