test "69,896 + 28,800 is more than 72,000" {
  policy   = "akka.fairway.hcl"
  snapshot = "queue.json"

  expect "job" "101" {
    state = "blocked"
    why {
      object  = "user"
      name    = "ana"
      bound   = "soft"
      value   = 72000
      in_use  = 69896
      request = 28800
    }
  }
}

test "the page: one job runs, eight are idle, eight blocked" {
  policy    = "maui.cfg"
  snapshot  = "queue.json"
  semantics = "documented"

  expect "counts" {
    running  = 1
    eligible = 8
    blocked  = 8
  }
}

test "Maui 3.5: one job runs, sixteen are blocked" {
  policy   = "maui.cfg"
  snapshot = "queue.json"

  expect "counts" {
    running = 1
    blocked = 16
  }
}
