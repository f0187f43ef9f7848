policy "more-for-climate" {
  override = true

  account "climate" {
    doc = "The group has paid for more nodes."
    fairshare { shares = 240 }
  }
}
