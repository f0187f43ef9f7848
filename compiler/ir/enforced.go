package ir

// Enforced is what slurmctld enforces besides its formula, as slurm.conf's parameters say it.
type Enforced struct {
	Associations, Limits, QOS, Safe bool   // AccountingStorageEnforce
	LimitStop                       bool   // SchedulerParameters=assoc_limit_stop
	PartitionLimits                 string // EnforcePartLimits: NO, ANY or ALL
	AccrueAlways, FairTree          bool   // PriorityFlags
	FairshareWeight                 float64
	Preempt                         string   // PreemptType: qos or partition_prio; "" where nothing is preempted
	PreemptWithin, PreemptPriority  bool     // PreemptMode
	TRES                            []string // those tracked, in Slurm's order
	Complete                        []string // objects, association or qos, of which the files list all there are
}
