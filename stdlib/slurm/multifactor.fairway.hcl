# Slurm's priority/multifactor. Terms are in the order in which slurmctld adds
# them (_get_priority_internal in src/plugins/priority/multifactor): the sum is
# truncated once at the end, and the order decides its last bits. `version` is
# the Slurm version as a number, 2205 for 22.05. Parameters are in params.csv.

policy "slurm" {
  doc = "Slurm's multifactor priority: weighted factors, plus the site factor, minus nice."

  deviation "favor_small_single_node" {
    number     = "3.5"
    doc        = "PriorityFavorSmall and a job of one node and one processor."
    observed   = "(N-1)/N and (C-1)/C averaged, below 1"
    documented = "1.0 for a single-node job"
    changes    = "priorities of jobs of one node, where PriorityFavorSmall is set"
  }

  deviation "fair_tree_ties" {
    number     = "4.4"
    doc        = "Accounts of equal levels in Fair Tree."
    observed   = "one account after the other in the order of sshare; the best user of the second shares the rank of the worst of the first"
    documented = "their children are ranked together, as those of one account"
    changes    = "fairshare factors of users in accounts whose shares over usage are equal"
  }
  deviation "half_life" {
    number     = "4.1"
    doc        = "What is left of usage after PriorityDecayHalfLife."
    observed   = "0.50007 after a week, 0.49806 after a minute: a second leaves 1 - 0.693/half-life"
    documented = "one half"
    changes    = "usage that decays from one evaluation to the next, or out of job records"
  }

  deviation "usage_threshold" {
    number     = "5.5"
    doc        = "What the flag EnforceUsageThreshold of a QOS compares with UsageThreshold."
    observed   = "the fairshare factor times PriorityWeightFairshare; with a weight of 0 the factor, before 25.11 by the classic formula even under Fair Tree"
    documented = "the fairshare factor"
    changes    = "which jobs of a QOS with the flag wait with QOSUsageThreshold"
  }

  deviation "run_minutes_per_user" {
    number     = "5.6"
    doc        = "MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount of a QOS before 24.05."
    observed   = "stored and never asked"
    documented = "asked when a job is to start"
    changes    = "which jobs of a QOS with such a limit wait, in versions before 24.05"
  }

  define "flags" {
    value = "param.PriorityFlags.upperAscii()"
    doc   = "PriorityFlags, in upper case."
  }
  define "slurmdbd" {
    value = "param.AccountingStorageType.contains(\"slurmdbd\")"
    doc   = "Whether a database keeps accounts and usage."
  }
  define "accrued" {
    value = <<-CEL
      version >= 204 && define.flags.contains("ACCRUE_ALWAYS") ? math.greatest(0, job.submit_seconds)
        : version < 1808
          ? (has(job.eligible_seconds) ? math.greatest(0, job.eligible_seconds) : -1)
          : (has(job.accrue_seconds) ? math.greatest(0, job.accrue_seconds) : -1)
    CEL
    doc   = "Seconds of age; -1 before the job accrues any."
  }
  define "limit_minutes" {
    value = <<-CEL
      has(job.walltime_seconds) ? double((job.walltime_seconds + 59) / 60)
        : !job.walltime_unlimited && has(partition.walltime_max_seconds)
          ? double((partition.walltime_max_seconds + 59) / 60)
          : 4294967295.0
    CEL
    doc   = "The job's limit, else its partition's, in minutes."
  }
  define "size_over_time" {
    value = <<-CEL
      math.greatest(double(job.nodes) * double(cluster.procs) / double(cluster.nodes), double(job.size_procs))
        / define.limit_minutes / double(cluster.procs)
    CEL
    doc   = "The job's share of the cluster's processors, per minute of its limit."
  }
  define "other_nodes" {
    value = "job.nodes >= cluster.nodes ? 0.0 : double(cluster.nodes - job.nodes) / double(cluster.nodes)"
    doc   = "Share of the cluster's nodes that the job leaves to others."
  }
  define "partition_factor" {
    value = "has(partition.priority_job_factor) ? double(partition.priority_job_factor) : 1.0"
    doc   = "PriorityJobFactor of the partition, 1 if it has none."
  }

  component "age" {
    weight = "version >= 2002 && !define.slurmdbd ? 0 : param.PriorityWeightAge"
    doc    = "Time the job has accrued, up to PriorityMaxAge. Ignored without slurmdbd since 20.02."

    term "age" {
      weight = 1
      factor = <<-CEL
        define.accrued < 0 ? 0.0
          : define.accrued < param.PriorityMaxAge ? double(define.accrued) / double(param.PriorityMaxAge) : 1.0
      CEL
      doc    = "now - AccrueTime over PriorityMaxAge; from submission with ACCRUE_ALWAYS; from EligibleTime before 18.08."
    }
  }

  component "assoc" {
    weight = "version >= 1905 ? param.PriorityWeightAssoc : 0"
    doc    = "Priority of the association, since 19.05."

    term "assoc" {
      weight = 1
      factor = <<-CEL
        version >= 1905 && (define.flags.contains("NO_NORMAL_ASSOC") || define.flags.contains("NO_NORMAL_ALL"))
          ? double(association.priority)
          : associations.max_priority > 0 ? double(association.priority) / double(associations.max_priority) : 0.0
      CEL
      doc    = "Over the largest association priority, raw with NO_NORMAL_ASSOC."
    }
  }

  component "fairshare" {
    weight = "define.slurmdbd ? param.PriorityWeightFairshare : 0"
    doc    = "Fairshare factor of the association. Ignored without slurmdbd."

    term "fairshare" {
      weight = 1
      factor = "has(association.fairshare_factor) ? association.fairshare_factor : 0.0"
      doc    = "0 for jobs without an association."
    }
  }

  component "jobsize" {
    weight = "param.PriorityWeightJobSize"
    doc    = "Nodes and processors against the cluster's."

    term "jobsize" {
      weight = 1
      factor = <<-CEL
        cluster.nodes <= 0 || cluster.procs <= 0 ? 0.0
          : version >= 206 && define.flags.contains("SMALL_RELATIVE_TO_TIME")
            ? clamp(param.PriorityFavorSmall ? 1.0 - define.size_over_time : define.size_over_time, 0.0, 1.0)
          : documented.favor_small_single_node && param.PriorityFavorSmall && job.nodes <= 1
            ? 1.0
          : param.PriorityFavorSmall
            ? clamp(job.size_procs > 0
                ? (define.other_nodes + double(cluster.procs - job.size_procs) / double(cluster.procs)) / 2.0
                : define.other_nodes, 0.0, 1.0)
            : clamp(job.size_procs > 0
                ? (double(job.nodes) / double(cluster.nodes) + double(job.size_procs) / double(cluster.procs)) / 2.0
                : double(job.nodes) / double(cluster.nodes), 0.0, 1.0)
      CEL
      doc    = "Mean of the job's shares of nodes and processors; PriorityFavorSmall turns it round; SMALL_RELATIVE_TO_TIME divides by the limit in minutes."
    }
  }

  component "partition" {
    weight = "param.PriorityWeightPartition"
    doc    = "PriorityJobFactor of the partition."

    term "partition" {
      weight = 1
      factor = <<-CEL
        version >= 1905 && (define.flags.contains("NO_NORMAL_PART") || define.flags.contains("NO_NORMAL_ALL"))
          ? define.partition_factor
          : define.partition_factor / double(math.greatest(1, partitions.max_priority_job_factor))
      CEL
      doc    = "Over the largest factor of any partition, raw with NO_NORMAL_PART."
    }
  }

  component "qos" {
    weight = "param.PriorityWeightQOS"
    doc    = "Priority of the QOS."

    term "qos" {
      weight = 1
      factor = <<-CEL
        version >= 1905 && (define.flags.contains("NO_NORMAL_QOS") || define.flags.contains("NO_NORMAL_ALL"))
          ? double(qos.priority)
          : qoses.max_priority > 0 ? double(qos.priority) / double(qoses.max_priority) : 0.0
      CEL
      doc    = "Over the largest priority of any QOS in the database, used or not; raw with NO_NORMAL_QOS."
    }
  }

  component "tres" {
    weight = 1
    doc    = "Trackable resources against the partition's, since 15.08."

    term "tres" {
      for_each = tres_weights(param.PriorityWeightTRES)
      weight   = each.value
      factor   = <<-CEL
        version < 1508 ? 0.0
          : version >= 1905 && (define.flags.contains("NO_NORMAL_TRES") || define.flags.contains("NO_NORMAL_ALL"))
            ? job.tres(each.key)
            : partition.tres(each.key) > 0.0 ? job.tres(each.key) / partition.tres(each.key) : 0.0
      CEL
      doc      = "Count allocated, else requested, over the partition's; raw with NO_NORMAL_TRES, memory in MB."
    }
  }

  component "site" {
    weight = 1
    doc    = "Site factor, added as it is."

    term "site" {
      weight = "version >= 1905 ? 1 : 0"
      factor = "job.site_factor"
    }
  }

  component "nice" {
    weight = -1
    doc    = "Nice value, subtracted as it is."

    term "nice" {
      weight = 1
      factor = "job.nice"
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
    override "incr_only" {
      when  = "version >= 1702 && define.flags.contains(\"INCR_ONLY\") && !job.direct_priority && has(job.recorded_priority) && double(job.recorded_priority) > score"
      value = "double(job.recorded_priority)"
      doc   = "With INCR_ONLY the stored priority never goes down."
    }
    override "not_pending" {
      when  = "job.state in [\"running\", \"suspended\", \"completing\"] && !(version >= 1411 && define.flags.contains(\"CALCULATE_RUNNING\")) && has(job.recorded_priority)"
      value = "double(job.recorded_priority)"
      doc   = "Only pending jobs are computed anew, unless CALCULATE_RUNNING is set."
    }
    override "direct_priority" {
      when  = "job.direct_priority && has(job.recorded_priority)"
      value = "double(job.recorded_priority)"
      doc   = "A priority set by hand is frozen."
    }
  }
}
