policy "site" {
  locals {
    ends = { climate = "2026-12-01T00:00:00Z", genomics = "2027-06-30T00:00:00Z" }
  }

  component "projects" {
    term "last_weeks" {
      for_each = local.ends
      weight   = 400
      factor   = <<-CEL
        job.account == each.key && now < timestamp(each.value)
          && timestamp(each.value) - now < duration("336h") ? 1.0 : 0.0
      CEL
    }
  }
}
