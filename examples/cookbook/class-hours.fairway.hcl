policy "site" {
  locals {
    courses = { hpc101 = 300, bio7 = 200 }
  }

  component "teaching" {
    term "course" {
      for_each = local.courses
      weight   = each.value
      factor   = "job.account == each.key && now.getHours() >= 9 && now.getHours() < 17 ? 1.0 : 0.0"
    }
  }
}
