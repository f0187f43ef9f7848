# A teaching lab: no scheduler's formula to inherit, three rules that fit on a page.
policy "lab" {
  doc = "Who is taught goes first, then who has waited, then who asks for little."

  locals {
    courses = { "hpc101" = 300, "bio7" = 200 }
  }

  param "HOUR" {
    type    = "integer"
    default = 10
    min     = 0
    doc     = "Points for each hour in the queue."
  }

  account "course" {
    for_each = local.courses
    name     = each.key
    priority = each.value
  }

  component "teaching" {
    doc = "Courses in session."

    term "course" { factor = "account.priority" }
    term "classroom" {
      weight = 500
      factor = "account.priority > 0 && job.partition == 'classroom' && now.getHours() >= 9 && now.getHours() < 17 ? 1.0 : 0.0"
      doc    = "A course in the classroom, during classes."
    }
  }

  component "waiting" {
    cap = 480
    doc = "Two days of waiting are enough."

    term "hours" {
      weight = "param.HOUR"
      factor = "job.queue_minutes / 60.0"
    }
  }

  component "modesty" {
    term "small" {
      weight = 100
      factor = "1.0 / double(math.greatest(1, job.procs))"
    }
  }

  finish {
    floor    = 0
    rounding = "nearest"

    override "exam" {
      when  = "job.qos == 'exam'"
      value = "10000"
      doc   = "Nothing comes before an exam."
    }
  }

  hold "too_large" {
    when   = "job.procs > 64"
    reason = "the lab has 64 processors"
  }
}
