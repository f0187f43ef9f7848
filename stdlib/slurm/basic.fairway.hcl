# Slurm's priority/basic: first come, first served. slurmctld hands out falling
# numbers as jobs arrive and never recomputes them, so the recorded number is the
# priority; a job without one gets the number that a fresh start would hand out.

policy "slurm_basic" {
  doc = "Slurm's priority/basic: order of submission, minus nice."

  component "order" {
    weight = 1
    term "order" {
      weight = 1
      factor = "has(job.recorded_priority) ? double(job.recorded_priority) : 4294901760.0 - 1.0 - double(job.submit_rank) - double(job.nice)"
      doc    = "Recorded priority, else 0xffff0000 - 1 - position by submission - nice."
    }
  }

  finish {
    floor    = 1
    ceiling  = 4294967295
    rounding = "truncate"

    override "held" {
      when  = "job.held"
      value = "0.0"
      doc   = "A held job keeps priority 0."
    }
  }
}
