policy "site" {
  hold "licence_by_day" {
    when   = <<-CEL
      job.licenses.contains("ansys") && now.getDayOfWeek() in [1, 2, 3, 4, 5]
        && now.getHours() >= 8 && now.getHours() < 18
    CEL
    reason = "ansys is for the office until 18:00 UTC"
  }
}
