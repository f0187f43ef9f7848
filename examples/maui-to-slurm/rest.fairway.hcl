# What maui.cfg says and slurm.conf cannot say. `fairway push` hands it to Slurm as SiteFactor.
policy "meadow" {
  component "maui" {
    term "xfactor" {
      weight = 100
      cap    = 20
      factor = <<-CEL
        double(job.walltime_seconds + math.greatest(0, job.accrue_seconds))
          / double(math.greatest(900, job.walltime_seconds))
      CEL
      doc    = "XFACTORWEIGHT 100, XFACTORCAP 20, XFMINWCLIMIT 0:15:00"
    }
    term "rush" {
      weight = 4
      factor = "job.qos == 'rush' ? job.queue_minutes : 0.0"
      doc    = "QOSCFG[rush] QTWEIGHT=4"
    }
    term "size" {
      weight = 10
      cap    = 60
      factor = "job.procs"
      doc    = "RESWEIGHT 2, PROCWEIGHT 5, RESCAP 300"
    }
  }
}
