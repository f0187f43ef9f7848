policy "a" {
  params = {
    X = 1
  component "site" {
    weight = 1
  }
}
