policy "heath" {
  override = true

  params = {
    PriorityWeightQOS = 1500
    PriorityMaxAge    = "4-0"
  }

  component "partition" {
    doc = "Both partitions count the same."
    cap = 0.5
  }

  finish {
    override "paper" {
      when  = "job.qos == 'paper' && job.nodes == 1"
      value = "100000"
      doc   = "A deadline is near: these go before all others."
    }
  }
}
