package ir

// SlurmPlan is what slurm.conf's parameters say of placing jobs: SchedulerType, SchedulerParameters and
// SelectType, with the defaults of the version where it is silent. 0 is no limit unless said
// otherwise.
type SlurmPlan struct {
	Version int // 2205 for 22.05: which of slurmctld's rules hold

	// Which nodes: select/linear gives whole nodes, select/cons_tres processors of them.
	Linear         bool
	Cores          bool // SelectTypeParameters has cores: a job is said to have all processors of its cores
	OneTaskPerCore bool // CR_ONE_TASK_PER_CORE
	Memory         bool // SelectTypeParameters has memory: it is shared out like processors

	// The main pass.
	Main           bool  // sched_interval is not -1
	PartitionDepth int64 // partition_job_depth
	MainStarts     int64 // sched_max_job_start
	LimitStop      bool  // assoc_limit_stop: a job that limits stop holds its partition up

	// QueueDepth is default_queue_depth: how many jobs a pass tests that an event sets off. Every
	// sched_interval one tests them all, and that one is planned.
	QueueDepth int64

	// sched/builtin starts nothing and estimates starts, for BuiltinTests jobs and one more (max_job_bf).
	Builtin      bool
	BuiltinTests int64

	// Backfill.
	Backfill          bool // sched/backfill, and bf_interval is not -1
	WindowSeconds     int64
	ResolutionSeconds int64
	LinearSeconds     int64 // bf_window_linear: by how much the will-run test's time window grows; 0: it doubles
	Licenses          bool  // bf_licenses: licences are planned over time
	RunningReserve    bool  // bf_running_job_reserve
	OneReservation    bool  // bf_one_resv_per_job
	Tests             int64 // bf_max_job_test
	TableSize         int64 // bf_node_space_size
	Starts            int64 // bf_max_job_start
	ArrayReservations int64 // bf_max_job_array_resv; 0 is none but the first
	PerPartition      int64 // bf_max_job_part
	PerUser           int64 // bf_max_job_user
	PerUserPartition  int64 // bf_max_job_user_part
	PerAssociation    int64 // bf_max_job_assoc
	PartitionReserve  int64 // bf_job_part_count_reserve
	MinAgeSeconds     int64 // bf_min_age_reserve
	MinPriority       int64 // bf_min_prio_reserve

	KillWaitSeconds int64 // KillWait: how long a job may take to end
	OverTimeSeconds int64 // OverTimeLimit: by how much a job may exceed its limit
}
