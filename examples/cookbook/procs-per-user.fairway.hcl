policy "site" {
  user "DEFAULT" {
    limit "procs" {
      hard   = 128
      reason = "a user may run on 128 processors"
    }
  }
  user "ana" {
    limit "procs" { hard = 512 }
  }
}
