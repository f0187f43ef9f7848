package schema

import "slices"

// The credentials of a job. Priorities and weights are whole numbers in both
// schedulers. The fairshare columns are the outputs of the fairshare models.

func fairshareColumns(object ColumnID) []Column {
	return []Column{
		{ID: object + ".fairshare_target", Type: Double, Unit: Percent, Origin: Policy, Absent: AbsentUnknown,
			Maui: "FSTARGET", Doc: "Share of the machine this credential should get."},
		{ID: object + ".fairshare_percent", Type: Double, Unit: Percent, Origin: Model, Maui: "usage %",
			Doc: "Decayed usage as a share of all usage."},
		{ID: object + ".fairshare_delta", Type: Double, Unit: Percent, Origin: Model, Maui: "FS factor",
			Doc: "Target minus usage as the target's kind counts it."},
	}
}

// accessColumns say which QOS a credential's jobs may use and get by default.
func accessColumns(object ColumnID) []Column {
	return []Column{
		{ID: object + ".qos_default", Type: String, Origin: Policy, Absent: AbsentZero, Maui: "QDEF", Slurm: "DefaultQOS",
			Doc: "QOS of jobs that ask for none; empty if not set here."},
		{ID: object + ".qos_list", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Maui: "QLIST", Slurm: "QOS",
			Doc: "QOS that jobs may ask for."},
	}
}

func priorityColumn(object ColumnID) Column {
	return Column{ID: object + ".priority", Type: Int, Origin: Policy, Absent: AbsentZero, Maui: "PRIORITY",
		Slurm: "Priority", Doc: "Priority the site gave this credential; 0 if none."}
}

func nameColumn(object ColumnID) Column {
	return Column{ID: object + ".name", Type: String, Origin: Policy, Absent: AbsentZero,
		Doc: "The credential's name; empty if the job has none."}
}

var (
	userColumns = slices.Concat([]Column{nameColumn("user"), priorityColumn("user"),
		{ID: "user.account_default", Type: String, Origin: Policy, Absent: AbsentZero, Maui: "ADEF",
			Doc: "Account of jobs that name none; empty if not set here."},
	}, accessColumns("user"), fairshareColumns("user"))
	accountColumns = slices.Concat([]Column{nameColumn("account"), priorityColumn("account"),
		{ID: "account.path", Type: StringList, Origin: Derived, Absent: AbsentZero,
			Doc: "The account and those above it in the tree of accounts, in lower case."},
	}, accessColumns("account"), fairshareColumns("account"))
	groupColumns = slices.Concat([]Column{
		nameColumn("group"), priorityColumn("group"),
		{ID: "group.class_weight", Type: Int, Origin: Policy, Absent: AbsentZero, Maui: "CLASSWEIGHT",
			Doc: "Replaces the weight of the class priority when above 0."},
	}, accessColumns("group"), fairshareColumns("group"))
	qosColumns = slices.Concat([]Column{
		nameColumn("qos"), priorityColumn("qos"),
		{ID: "qos.queue_time_weight", Type: Int, Origin: Policy, Absent: AbsentZero, Maui: "QTWEIGHT",
			Doc: "Added to the weight of queue time."},
		{ID: "qos.xfactor_weight", Type: Int, Origin: Policy, Absent: AbsentZero, Maui: "XFWEIGHT",
			Doc: "Added to the weight of the expansion factor."},
		{ID: "qos.queue_time_target_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentZero, Maui: "QTTARGET",
			Doc: "Queue time this QOS aims at; 0 = no target."},
		{ID: "qos.xfactor_target", Type: Double, Origin: Policy, Absent: AbsentZero, Maui: "XFTARGET",
			Doc: "Expansion factor this QOS aims at; 0 = no target."},
		{ID: "qos.usage_factor", Type: Double, Unit: Ratio, Origin: Policy, Absent: AbsentUnknown, Slurm: "UsageFactor",
			Doc: "Usage is charged times this."},
		{ID: "qos.limits", Type: StringList, Absent: AbsentUnknown, Slurm: "sacctmgr show qos",
			Doc: "Limits as recorded, such as MaxJobsPU=4 or GrpTRES=cpu=100; minutes and MB are numbers. They count where " +
				"the policy does not list the QOS itself."},
		{ID: "qos.limit_factor", Type: Double, Unit: Ratio, Origin: Policy, Absent: AbsentUnknown, Slurm: "LimitFactor",
			Doc: "Limits of associations on TRES count times this for jobs of the QOS."},
		{ID: "qos.usage_threshold", Type: Double, Unit: Ratio, Origin: Policy, Absent: AbsentUnknown, Slurm: "UsageThreshold",
			Doc: "Least fairshare factor of jobs, with the flag EnforceUsageThreshold."},
		{ID: "qos.priority_threshold", Type: Int, Origin: Policy, Absent: AbsentUnknown, Slurm: "MinPrioThresh",
			Doc: "Jobs of a lower priority keep nothing back from others while they wait."},
		{ID: "qos.flags", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Maui: "QFLAGS", Slurm: "Flags",
			Doc: "Flags of the QOS."},
		{ID: "qos.preempt_list", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "Preempt",
			Doc: "QOS whose jobs those of this one may preempt, and come before."},
		{ID: "qos.preempt_mode", Type: String, Origin: Policy, Absent: AbsentUnknown, Slurm: "PreemptMode",
			Doc: "How its jobs are preempted; with WITHIN they preempt each other, with PRIORITY they preempt only those of " +
				"lower priority."},
		{ID: "qos.grace_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown, Slurm: "GraceTime",
			Doc: "How long a job that is preempted may run on."},
		{ID: "qos.exempt_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown,
			Slurm: "PreemptExemptTime", Doc: "How long after its start a job cannot be preempted."},
		{ID: "qos.usage_seconds", Type: Double, Unit: Seconds, Absent: AbsentUnknown, Slurm: "UsageRaw",
			Doc: "Decayed billing-seconds, undecayed with NoDecay."},
		{ID: "qos.usage_wall_seconds", Type: Double, Unit: Seconds, Absent: AbsentUnknown, Slurm: "GrpWall (used)",
			Doc: "Decayed time that jobs ran."},
		{ID: "qos.usage_tres_minutes", Type: Double, Unit: Minutes, Absent: AbsentUnknown, Slurm: "GrpTRESMins (used)",
			Doc: "Decayed TRES-minutes of each trackable resource; memory in MB."},
		{ID: "qos.walltime_default_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown,
			Maui: "DEFAULT.WCLIMIT", Doc: "Limit of jobs that give none."},
	}, fairshareColumns("qos"))
	partitionColumns = slices.Concat([]Column{
		nameColumn("partition"), priorityColumn("partition"),
		{ID: "partition.priority_job_factor", Type: Int, Origin: Policy, Absent: AbsentUnknown, Slurm: "PriorityJobFactor",
			Doc: "Enters the partition factor; 1 if not set."},
		{ID: "partition.priority_tier", Type: Int, Origin: Policy, Absent: AbsentUnknown, Slurm: "PriorityTier",
			Doc: "Jobs of a higher tier come first whatever their priority; 1 if not set."},
		{ID: "partition.walltime_max_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown,
			Maui: "MAX.WCLIMIT", Slurm: "MaxTime", Doc: "Longest wallclock limit; unknown if unlimited."},
		{ID: "partition.walltime_default_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown,
			Maui: "DEFAULT.WCLIMIT", Slurm: "DefaultTime", Doc: "Limit of jobs that give none."},
		{ID: "partition.nodes", Type: Int, Unit: Count, Origin: Policy, Absent: AbsentUnknown, Slurm: "TotalNodes",
			Doc: "Nodes in the partition."},
		{ID: "partition.procs", Type: Int, Unit: Count, Origin: Policy, Absent: AbsentUnknown, Slurm: "TotalCPUs",
			Doc: "Processors in the partition."},
		{ID: "partition.tres", Type: Double, Unit: Count, Origin: Policy, Absent: AbsentZero, Slurm: "TRES",
			Doc: "partition.tres(\"cpu\"): total of one trackable resource, 0 if none; memory in MB."},
		{ID: "partition.billing_weights", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "TRESBillingWeights",
			Doc: "What usage costs, as slurm.conf has it: CPU=1.0,Mem=0.25G,GRES/gpu=2; empty bills the processors."},
		{ID: "partition.nodes_min", Type: Int, Unit: Count, Origin: Policy, Absent: AbsentUnknown, Slurm: "MinNodes",
			Doc: "Fewest nodes of a job."},
		{ID: "partition.nodes_max", Type: Int, Unit: Count, Origin: Policy, Absent: AbsentUnknown, Slurm: "MaxNodes",
			Doc: "Most nodes of a job; unknown if unlimited."},
		{ID: "partition.procs_per_node_max", Type: Int, Unit: Count, Origin: Policy, Absent: AbsentUnknown,
			Slurm: "MaxCPUsPerNode", Doc: "Most processors of a node that jobs of the partition use; unknown if unlimited."},
		{ID: "partition.mem_per_node_max_mb", Type: Int, Unit: MB, Origin: Policy, Absent: AbsentUnknown,
			Slurm: "MaxMemPerNode", Doc: "Most memory of a job on a node; unknown if unlimited."},
		{ID: "partition.mem_per_proc_max_mb", Type: Int, Unit: MB, Origin: Policy, Absent: AbsentUnknown,
			Slurm: "MaxMemPerCPU", Doc: "Most memory of a job for each processor; unknown if unlimited."},
		{ID: "partition.accounts_allowed", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "AllowAccounts",
			Doc: "Accounts whose jobs the partition takes; unknown if all."},
		{ID: "partition.accounts_denied", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "DenyAccounts",
			Doc: "Accounts whose jobs it does not take."},
		{ID: "partition.qos_allowed", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "AllowQos",
			Doc: "QOS whose jobs the partition takes; unknown if all."},
		{ID: "partition.qos_denied", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "DenyQos",
			Doc: "QOS whose jobs it does not take."},
		{ID: "partition.groups_allowed", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "AllowGroups",
			Doc: "Unix groups whose members' jobs the partition takes; unknown if all."},
		{ID: "partition.root_only", Type: Bool, Origin: Policy, Absent: AbsentZero, Slurm: "RootOnly",
			Doc: "Only root's jobs are taken."},
		{ID: "partition.needs_reservation", Type: Bool, Origin: Policy, Absent: AbsentZero, Slurm: "ReqResv",
			Doc: "Only jobs in a reservation are taken."},
		{ID: "partition.state", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "State",
			Doc: "UP, DOWN, DRAIN or INACTIVE."},
		{ID: "partition.present_state", Type: String, Origin: Derived, Absent: AbsentZero, Slurm: "State",
			Doc: "State that counts now, in upper case: as commands have set it since the configuration was read, else as " +
				"configured."},
		{ID: "partition.node_names", Type: StringList, Origin: Derived, Absent: AbsentUnknown, Slurm: "Nodes",
			Doc: "Names of its nodes; unknown where no input lists nodes."},
		{ID: "partition.oversubscribe", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "OverSubscribe",
			Doc: "Who may share a node: EXCLUSIVE, NO, YES:4, FORCE:4."},
		{ID: "partition.exclusive_user", Type: Bool, Origin: Policy, Absent: AbsentZero, Slurm: "ExclusiveUser",
			Doc: "Its nodes are not shared by jobs of several users."},
		{ID: "partition.preempt_mode", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "PreemptMode",
			Doc: "How its jobs are preempted by those of a higher tier; empty if as the cluster says."},
		{ID: "partition.grace_seconds", Type: Int, Unit: Seconds, Origin: Policy, Absent: AbsentUnknown, Slurm: "GraceTime",
			Doc: "How long a job that is preempted may run on."},
		{ID: "partition.least_loaded", Type: Bool, Origin: Policy, Absent: AbsentZero, Slurm: "LLN",
			Doc: "Its jobs go to the least loaded nodes."},
		{ID: "partition.qos", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "QOS",
			Doc: "Partition QOS, empty if none."},
		{ID: "partition.qos_flags", Type: StringList, Origin: Derived, Absent: AbsentZero, Slurm: "Flags",
			Doc: "Flags of the partition QOS, in lower case."},
	}, accessColumns("partition"), fairshareColumns("partition"))
	associationColumns = []Column{
		nameColumn("association"), priorityColumn("association"),
		{ID: "association.limits", Type: StringList, Absent: AbsentUnknown, Slurm: "sacctmgr show assoc",
			Doc: "Limits as recorded, such as MaxJobs=4 or GrpTRES=cpu=100; minutes and MB are numbers. They count where the " +
				"policy does not list the associations itself."},
		{ID: "association.priority_threshold", Type: Int, Origin: Policy, Absent: AbsentUnknown, Slurm: "MinPrioThresh",
			Doc: "Jobs of a lower priority keep nothing back from others while they wait."},
		{ID: "association.parent", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "ParentName",
			Doc: "Key of the association above in the tree; empty for the root."},
		{ID: "association.qos_default", Type: String, Origin: Policy, Absent: AbsentZero, Slurm: "DefaultQOS",
			Doc: "QOS of jobs that ask for none; empty if not set here, where the association above has one."},
		{ID: "association.qos_list", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Slurm: "QOS",
			Doc: "QOS that its jobs may use; names with + and - change the list of the association above, which counts alone " +
				"where there is none."},
		{ID: "association.shares", Type: Int, Origin: Policy, Absent: AbsentUnknown, Slurm: "RawShares",
			Doc: "Raw shares; unknown when the association uses its parent's."},
		{ID: "association.fairshare_factor", Type: Double, Unit: Ratio, Origin: Model, Absent: AbsentError,
			Slurm: "FairShare", Doc: "Fairshare factor 0..1, computed from shares and usage; as sshare recorded it where " +
				"these are not known."},
		{ID: "association.level_fairshare", Type: Double, Unit: Ratio, Origin: Model, Absent: AbsentUnknown, Slurm: "LevelFS",
			Doc: "Fair Tree's shares over usage among siblings."},
		{ID: "association.usage_seconds", Type: Double, Unit: Seconds, Absent: AbsentUnknown, Slurm: "RawUsage",
			Doc: "Decayed billing-seconds."},
		{ID: "association.usage_wall_seconds", Type: Double, Unit: Seconds, Absent: AbsentUnknown, Slurm: "GrpWall (used)",
			Doc: "Decayed time that jobs ran."},
		{ID: "association.usage_tres_minutes", Type: Double, Unit: Minutes, Absent: AbsentUnknown, Slurm: "GrpTRESRaw",
			Doc: "Decayed TRES-minutes of each trackable resource; memory in MB."},
		{ID: "association.norm_shares", Type: Double, Unit: Ratio, Absent: AbsentUnknown, Slurm: "NormShares",
			Doc: "Normalised shares as recorded by sshare."},
		{ID: "association.tree_place", Type: Int, Absent: AbsentUnknown, Slurm: "LFT",
			Doc: "Place that the database gives it (before 23.11); siblings of one level of Fair Tree go by it, else by name."},
	}
)
