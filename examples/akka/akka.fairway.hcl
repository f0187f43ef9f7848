# The same rule with its arithmetic written out, so that a project with another grant is one number.
policy "akka" {
  use = "maui"

  locals {
    month = 100 * 3600 # processor-seconds that the project may use in a month
  }

  user "DEFAULT" {
    limit "proc_seconds" {
      soft = local.month / 5
      hard = 3 * local.month
      doc  = "What a user's running jobs may have left: a fifth of a month, or three months if no one else needs it."
    }
    limit "idle_jobs" { hard = 8 }
  }
}
