policy "site" {
  account "course" {
    for_each = ["hpc101", "bio7"]
    name     = each.value

    limit "jobs" {
      per    = "user"
      hard   = 1
      reason = "one running job for each participant of a course"
    }
  }
}
