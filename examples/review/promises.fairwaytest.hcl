# What the policy promises to users, whatever else changes.

test "urgent goes before normal for the same user" {
  policy   = ["../slurm-change/slurm.conf", "../slurm-queue/assoc.cfg"]
  snapshot = "../slurm-queue"
  now      = "2026-11-20T12:00:00Z"

  expect "order" { jobs = ["5004", "5003"] }
}

test "batch takes jobs of two days" {
  policy   = ["../slurm-change/slurm.conf", "../slurm-queue/assoc.cfg"]
  snapshot = "../slurm-queue"
  now      = "2026-11-20T12:00:00Z"

  expect "job" "5003" { state = "eligible" }
}
