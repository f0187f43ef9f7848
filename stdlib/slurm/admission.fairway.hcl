# Why a partition of Slurm refuses a job. Each entry of the queue, one for each partition that a job asks for, is asked
# in this order, and the first hold that is true gives the reason. The order is slurmctld's: groups (validate_group),
# what building the queue asks (build_job_queue, job_limits_check), then what is asked when the scheduler comes to the
# entry (part_policy_valid_acct, part_policy_valid_qos). With EnforcePartLimits a job is rejected at submission for what
# has `rejects`. Limits of associations and QOS count jobs and are not here.

policy "slurm_admission" {
  define "entry_nodes" {
    value = "has(job.nodes) ? math.greatest(1, job.nodes) : 1"
    doc   = "Fewest nodes that the job runs on."
  }
  define "entry_seconds" {
    value = <<-CEL
      has(job.walltime_min_seconds) && job.walltime_min_seconds > 0 ? job.walltime_min_seconds : job.walltime_seconds
    CEL
    doc   = "Shortest limit that the job accepts (--time-min), else its limit."
  }
  define "entry_flags" {
    value = "partition.qos_flags + qos.flags"
    doc   = "Flags of the partition's QOS and of the job's."
  }
  define "entry_account" {
    value = "job.account.lowerAscii()"
    doc   = "The job's account as the database has it."
  }
  define "entry_accounts" {
    value = "version < 2302 ? [define.entry_account] : account.path"
    doc   = "Accounts that count for a partition's lists: since 23.02 those above the job's, too."
  }
  define "entry_not_allowed" {
    value = "partition.name + ' allows ' + partition.accounts_allowed.join(',') + ' not ' + define.entry_account"
    doc   = "slurmctld's words for an account that is not allowed."
  }
  define "entry_denied" {
    value = "partition.name + ' denies ' + partition.accounts_denied.join(',') + ' including ' + define.entry_account"
    doc   = "slurmctld's words for an account that is denied."
  }

  # Which groups a user is in only slurmctld knows. Where it found the user in none that the partition takes, it is right
  # as long as the list is there.
  hold "partition_groups" {
    phase   = "queue"
    setting = "partition.groups_allowed"
    when    = <<-CEL
      size(partition.groups_allowed) > 0 && job.user != "root"
        && !(job.group in partition.groups_allowed) && job.state_reason == "PartitionConfig"
    CEL
    reason  = "PartitionConfig"
    text    = "partition {partition.name} allows the groups {partition.groups_allowed}, and the recorded reason says that the user is in none"
  }

  hold "partition_off" {
    phase   = "submit"
    setting = "partition.state"
    when    = "partition.present_state in ['INACTIVE', 'DRAIN']"
    reason  = "Required partition not available (inactive or drain)"
    text    = "partition {partition.name} is in state {partition.present_state}"
  }
  hold "partition_down" {
    phase   = "queue"
    setting = "partition.state"
    when    = "partition.present_state == 'DOWN'"
    reason  = "PartitionDown"
    text    = "partition {partition.name} is down"
    passes  = ["when the partition is up"]
  }
  hold "partition_inactive" {
    phase   = "queue"
    setting = "partition.state"
    when    = "partition.present_state == 'INACTIVE'"
    reason  = "PartitionInactive"
    text    = "partition {partition.name} is inactive"
    passes  = ["when the partition is up"]
  }

  hold "partition_reservation" {
    phase   = "queue"
    setting = "partition.needs_reservation"
    when    = "partition.needs_reservation && job.reservation == ''"
    reason  = "PartitionConfig"
    text    = "partition {partition.name} takes only jobs in a reservation"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_root_only" {
    phase   = "queue"
    setting = "partition.root_only"
    when    = "partition.root_only && job.user != 'root'"
    reason  = "PartitionConfig"
    text    = "partition {partition.name} takes only jobs of root"
    rejects = "Requested node configuration is not available"
  }

  hold "partition_processors" {
    phase   = "queue"
    setting = "partition.procs"
    when    = "has(partition.procs) && partition.procs >= 0 && job.procs > partition.procs"
    reason  = "PartitionConfig"
    text    = "it asks for {job.procs} processors, and partition {partition.name} has {partition.procs}"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_processors_per_node" {
    phase   = "queue"
    setting = "partition.procs_per_node_max"
    when    = <<-CEL
      has(partition.procs_per_node_max) && partition.procs_per_node_max >= 0 && has(partition.nodes) && partition.nodes >= 0
        && job.procs > partition.procs_per_node_max * partition.nodes
    CEL
    reason  = "PartitionConfig"
    text    = "it asks for {job.procs} processors, and partition {partition.name} gives {partition.procs_per_node_max} on each of its {partition.nodes} nodes"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_nodes" {
    phase   = "queue"
    setting = "partition.nodes"
    when    = "has(partition.nodes) && partition.nodes >= 0 && define.entry_nodes > partition.nodes"
    reason  = "PartitionNodeLimit"
    text    = "it asks for {define.entry_nodes} nodes, and partition {partition.name} has {partition.nodes}"
    rejects = "Node count specification invalid"
  }
  hold "partition_hosts" {
    phase   = "queue"
    setting = "partition.nodes"
    when    = <<-CEL
      has(partition.node_names) && job.hosts.exists(host, !(host in partition.node_names))
    CEL
    reason  = "PartitionConfig"
    text    = "it asks for node {job.hosts.filter(host, !(host in partition.node_names))[0]}, which is not in partition {partition.name}"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_nodes_max" {
    phase   = "queue"
    setting = "partition.nodes_max"
    when    = <<-CEL
      has(partition.nodes_max) && partition.nodes_max >= 0 && define.entry_nodes > partition.nodes_max
        && !define.entry_flags.exists(flag, flag.lowerAscii() == "partitionmaxnodes")
    CEL
    reason  = "PartitionNodeLimit"
    text    = "it asks for {define.entry_nodes} nodes, and partition {partition.name} takes {partition.nodes_max} at most"
    rejects = "Node count specification invalid"
  }
  hold "partition_nodes_min" {
    phase   = "queue"
    setting = "partition.nodes_min"
    when    = <<-CEL
      has(partition.nodes_min) && has(job.nodes_max) && job.nodes_max > 0 && job.nodes_max < partition.nodes_min
        && !define.entry_flags.exists(flag, flag.lowerAscii() == "partitionminnodes")
    CEL
    reason  = "PartitionNodeLimit"
    text    = "it asks for {job.nodes_max} nodes at most, and partition {partition.name} takes {partition.nodes_min} at least"
    rejects = "Node count specification invalid"
  }

  hold "partition_no_time_limit" {
    phase   = "queue"
    setting = "partition.walltime_max_seconds"
    when    = <<-CEL
      has(partition.walltime_max_seconds) && partition.walltime_max_seconds >= 0 && job.walltime_unlimited
        && !define.entry_flags.exists(flag, flag.lowerAscii() == "partitiontimelimit")
    CEL
    reason  = "PartitionTimeLimit"
    text    = "it asks for no time limit, and partition {partition.name} gives {partition.walltime_max_seconds / 60} at most"
    rejects = "Requested time limit is invalid (missing or exceeds some limit)"
  }
  hold "partition_time_limit" {
    phase   = "queue"
    setting = "partition.walltime_max_seconds"
    when    = <<-CEL
      has(partition.walltime_max_seconds) && partition.walltime_max_seconds >= 0
        && define.entry_seconds > partition.walltime_max_seconds
        && !define.entry_flags.exists(flag, flag.lowerAscii() == "partitiontimelimit")
    CEL
    reason  = "PartitionTimeLimit"
    text    = "it asks for {(define.entry_seconds + 59) / 60} minutes, and partition {partition.name} gives {partition.walltime_max_seconds / 60} at most"
    rejects = "Requested time limit is invalid (missing or exceeds some limit)"
  }

  hold "partition_memory_per_node" {
    phase   = "queue"
    setting = "partition.mem_per_node_max_mb"
    when    = <<-CEL
      has(partition.mem_per_node_max_mb) && partition.mem_per_node_max_mb >= 0
        && job.mem_mb / define.entry_nodes > partition.mem_per_node_max_mb
    CEL
    reason  = "MaxMemPerLimit"
    text    = "it asks for {job.mem_mb / define.entry_nodes} MB on a node, and partition {partition.name} gives {partition.mem_per_node_max_mb} at most"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_memory_per_processor" {
    phase   = "queue"
    setting = "partition.mem_per_proc_max_mb"
    when    = <<-CEL
      has(partition.mem_per_proc_max_mb) && partition.mem_per_proc_max_mb >= 0
        && job.procs > 0 && job.mem_mb / job.procs > partition.mem_per_proc_max_mb
    CEL
    reason  = "MaxMemPerLimit"
    text    = "it asks for {job.mem_mb / job.procs} MB for a processor, and partition {partition.name} gives {partition.mem_per_proc_max_mb} at most"
    rejects = "Requested node configuration is not available"
  }

  # An empty list is none, and a list of those allowed makes that of those denied void. Before 23.02 the words are part
  # of the reason; those of QOS still are.
  hold "partition_accounts_allowed" {
    phase   = "start"
    setting = "partition.accounts_allowed"
    when    = <<-CEL
      size(partition.accounts_allowed) > 0 && job.account != ""
        && !partition.accounts_allowed.exists(name, name.lowerAscii() in define.entry_accounts)
    CEL
    reason  = <<-TEXT
      {version < 2302 ? "Job's account not permitted to use this partition (" + define.entry_not_allowed + ")" : "PartitionConfig"}
    TEXT
    text    = "partition {define.entry_not_allowed}"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_accounts_denied" {
    phase   = "start"
    setting = "partition.accounts_denied"
    when    = <<-CEL
      size(partition.accounts_allowed) == 0
        && job.account != "" && partition.accounts_denied.exists(name, name.lowerAscii() in define.entry_accounts)
    CEL
    reason  = <<-TEXT
      {version < 2302 ? "Job's account not permitted to use this partition (" + define.entry_denied + ")" : "PartitionConfig"}
    TEXT
    text    = "partition {define.entry_denied}"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_qos_allowed" {
    phase   = "start"
    setting = "partition.qos_allowed"
    when    = <<-CEL
      size(partition.qos_allowed) > 0 && job.qos != ""
        && !partition.qos_allowed.exists(name, name.lowerAscii() == job.qos.lowerAscii())
    CEL
    reason  = "Job's QOS not permitted to use this partition ({partition.name} allows {partition.qos_allowed} not {job.qos})"
    text    = "partition {partition.name} allows {partition.qos_allowed} not {job.qos}"
    rejects = "Requested node configuration is not available"
  }
  hold "partition_qos_denied" {
    phase   = "start"
    setting = "partition.qos_denied"
    when    = <<-CEL
      size(partition.qos_allowed) == 0 && job.qos != ""
        && partition.qos_denied.exists(name, name.lowerAscii() == job.qos.lowerAscii())
    CEL
    reason  = "Job's QOS not permitted to use this partition ({partition.name} denies {partition.qos_denied} including {job.qos})"
    text    = "partition {partition.name} denies {partition.qos_denied} including {job.qos}"
    rejects = "Requested node configuration is not available"
  }
}
