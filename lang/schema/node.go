package schema

// nodeColumns are the columns of a compute node.
var nodeColumns = []Column{
	{ID: "node.id", Type: String, Maui: "Name", Slurm: "NodeName", Doc: "Node name."},
	{ID: "node.state", Type: String, Absent: AbsentZero, Maui: "State", Slurm: "State",
		Doc: "State as the resource manager wrote it."},
	{ID: "node.up", Type: Bool, Absent: AbsentUnknown, Doc: "The node can run jobs or is running them."},
	{ID: "node.procs", Type: Int, Unit: Count, Absent: AbsentUnknown, Maui: "Procs", Slurm: "CPUTot",
		Doc: "Configured processors."},
	{ID: "node.cores", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "Sockets × CoresPerSocket",
		Doc: "Physical cores."},
	{ID: "node.cores_per_socket", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "CoresPerSocket",
		Doc: "Cores of each socket."},
	{ID: "node.threads_per_core", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "ThreadsPerCore",
		Doc: "Threads of each core; fewer of them are processors where there are fewer processors than threads."},
	{ID: "node.procs_available", Type: Int, Unit: Count, Absent: AbsentUnknown, Maui: "available procs",
		Slurm: "CPUTot − CPUAlloc", Doc: "Processors free now."},
	{ID: "node.mem_mb", Type: Int, Unit: MB, Absent: AbsentUnknown, Maui: "Memory", Slurm: "RealMemory",
		Doc: "Configured memory."},
	{ID: "node.mem_available_mb", Type: Int, Unit: MB, Absent: AbsentUnknown, Maui: "available memory",
		Slurm: "RealMemory − AllocMem", Doc: "Memory not allocated now."},
	{ID: "node.swap_mb", Type: Int, Unit: MB, Absent: AbsentZero, Maui: "Swap", Doc: "Configured swap."},
	{ID: "node.swap_available_mb", Type: Int, Unit: MB, Absent: AbsentUnknown, Maui: "available swap",
		Doc: "Swap not allocated now."},
	{ID: "node.disk_mb", Type: Int, Unit: MB, Absent: AbsentZero, Maui: "Disk", Slurm: "TmpDisk",
		Doc: "Configured local disk."},
	{ID: "node.disk_available_mb", Type: Int, Unit: MB, Absent: AbsentUnknown, Maui: "available disk",
		Doc: "Local disk not allocated now."},
	{ID: "node.gpus", Type: Int, Unit: Count, Absent: AbsentZero, Slurm: "gres/gpu", Doc: "Configured GPUs."},
	{ID: "node.tres", Type: Double, Unit: Count, Absent: AbsentZero, Slurm: "CfgTRES",
		Doc: "node.tres(\"gres/gpu\"): configured count of one trackable resource."},
	{ID: "node.gres", Type: String, Absent: AbsentZero, Slurm: "Gres",
		Doc: "Generic resources as configured, as in gpu:a100:4,shard:8; those that are tracked are in tres too."},
	{ID: "node.procs_usable", Type: Int, Unit: Count, Absent: AbsentUnknown, Slurm: "CPUEfctv",
		Doc: "Processors that jobs can have, without those set aside for the system; all if unknown."},
	{ID: "node.expected_time", Type: Timestamp, Unit: Epoch, Absent: AbsentUnknown, Slurm: "ResumeAfterTime",
		Doc: "From when a node that is not up is expected; unknown if no input says."},
	{ID: "node.features", Type: StringList, Absent: AbsentUnknown, Maui: "Features", Slurm: "AvailableFeatures",
		Doc: "Features of the node."},
	{ID: "node.partitions", Type: StringList, Absent: AbsentUnknown, Maui: "Partition", Slurm: "Partitions",
		Doc: "Partitions the node is in."},
	{ID: "node.classes", Type: StringList, Absent: AbsentUnknown, Maui: "Classes",
		Doc: "Classes (queues) the node serves."},
	{ID: "node.class_slots", Type: Double, Unit: Count, Absent: AbsentUnknown, Maui: "Classes [name slots]",
		Doc: "node.class_slots(\"batch\"): tasks of one class the node takes at a time; unknown if only its processors " +
			"bound them."},
	{ID: "node.load", Type: Double, Absent: AbsentUnknown, Maui: "Load", Slurm: "CPULoad", Doc: "Load average."},
	{ID: "node.speed", Type: Double, Unit: Ratio, Absent: AbsentUnknown, Maui: "Speed", Doc: "Relative speed."},
	{ID: "node.switches", Type: StringList, Absent: AbsentUnknown, Slurm: "SwitchName",
		Doc: "Switches over the node, its leaf first; unknown where no topology is stated."},
	{ID: "node.weight", Type: Int, Absent: AbsentUnknown, Slurm: "Weight", Doc: "Scheduling weight; lower is used first."},
}

// clusterColumns have one value per run. They are summed over all configured
// nodes, down and drained ones included, as both schedulers do.
var clusterColumns = []Column{
	{ID: "cluster.nodes", Type: Int, Unit: Count, Origin: Derived, Maui: "CfgNodes", Slurm: "node_record_count",
		Doc: "Configured nodes."},
	{ID: "cluster.procs", Type: Int, Unit: Count, Origin: Derived, Maui: "CfgProcs", Slurm: "cluster CPUs",
		Doc: "Configured processors."},
	{ID: "cluster.mem_mb", Type: Int, Unit: MB, Origin: Derived, Maui: "CfgMem", Doc: "Configured memory."},
	{ID: "cluster.swap_mb", Type: Int, Unit: MB, Origin: Derived, Maui: "CfgSwap", Doc: "Configured swap."},
	{ID: "cluster.disk_mb", Type: Int, Unit: MB, Origin: Derived, Maui: "CfgDisk", Doc: "Configured local disk."},
	{ID: "cluster.qos_default", Type: String, Origin: Policy, Absent: AbsentZero, Maui: "SYSCFG QDEF",
		Doc: "QOS of jobs for which no credential names one."},
	{ID: "cluster.qos_list", Type: StringList, Origin: Policy, Absent: AbsentUnknown, Maui: "SYSCFG QLIST",
		Doc: "QOS that every job may ask for."},
	{ID: "cluster.gpus", Type: Int, Unit: Count, Origin: Derived, Doc: "Configured GPUs."},
}

// Now is the run's clock as a column of its own: `now` in expressions.
const Now ColumnID = "now"
