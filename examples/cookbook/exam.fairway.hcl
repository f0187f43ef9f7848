policy "site" {
  component "size" {
    term "procs" { factor = "job.procs" }
  }

  finish {
    override "exam" {
      when  = "job.qos == 'exam'"
      value = "1000000"
      doc   = "Agreed with the faculty: the machine is the classroom."
    }
  }
}
