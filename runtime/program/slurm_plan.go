package program

import (
	"fmt"
	"strings"
)

// SlurmPlan is what slurm.conf says of placing jobs: SchedulerType, SchedulerParameters and
// SelectType, with the defaults of the version where it is silent. 0 is no limit unless given
// otherwise.
type SlurmPlan struct {
	Version int // 2205 for 22.05: which of slurmctld's rules hold

	// Which nodes: select/linear gives whole nodes, select/cons_tres processors of them.
	Linear         bool
	Cores          bool // SelectTypeParameters has cores: a job is reported to have all processors of its cores
	Sockets        bool // CR_Socket: jobs get sockets whole
	OneTaskPerCore bool // CR_ONE_TASK_PER_CORE
	Blocks         bool // CR_CORE_DEFAULT_DIST_BLOCK: a job has its cores from as few sockets as hold it
	Memory         bool // SelectTypeParameters has memory: it is shared out like processors

	// The main pass.
	Main           bool  // sched_interval is not -1
	PartitionDepth int64 // partition_job_depth
	MainStarts     int64 // sched_max_job_start
	LimitStop      bool  // assoc_limit_stop: a job that limits stop holds its partition up

	// When it acts, which a replay goes by.
	QueueDepth      int64 // default_queue_depth: how many jobs a pass tests that an event sets off, and one more
	DelaySeconds    int64 // batch_sched_delay: from one such pass to the next
	FullPassSeconds int64 // sched_interval: from one pass that tests all jobs to the next
	CycleSeconds    int64 // bf_interval
	PrioritySeconds int64 // PriorityCalcPeriod; 0: a job keeps the priority that it was submitted with

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

	// Who is ended so that others can start (program.Slurm says which jobs may preempt which), and which of them.
	PreemptMode     string // PreemptMode without GANG and WITHIN: off, cancel, requeue or suspend
	ExemptSeconds   int64  // PreemptExemptTime: a job is safe for so long after its start
	PreemptReorders int64  // preempt_reorder_count: how often the candidates are put into a better order
	PreemptStrict   bool   // preempt_strict_order
	PreemptYoungest bool   // preempt_youngest_first
	ExemptPriority  int64  // min_exempt_priority: jobs of at least that priority are safe
	LosesJobs       bool   // JobRequeue=0: a job whose node fails does not run again
	RequeueSeconds  int64  // how long a job that was requeued waits at least
	MessageSeconds  int64  // MessageTimeout: how long a job that preempts waits for its victims, beside KillWait

	// Which nodes go together and which are used first.
	Tree          bool  // topology/tree: nodes of few switches
	TreeOptional  bool  // TopologyParam=TopoOptional: only for jobs that ask for it
	SwitchSeconds int64 // max_switch_wait: for how long a job waits for few switches at most
	LeastLoaded   bool  // CR_LLN: the least loaded nodes first
	PackSerial    bool  // pack_serial_at_end: jobs of one processor from the last node on
	BusyNodes     bool  // bf_busy_nodes: for starts to come, nodes that jobs have now first

	// Heterogeneous jobs.
	HetImmediate bool   // bf_hetjob_immediate: a job starts as soon as all its components can
	HetPriority  string // bf_hetjob_prio: min, avg or max: its components have one priority

	KillWaitSeconds int64 // KillWait: how long a job may take to end
	OverTimeSeconds int64 // OverTimeLimit: by how much a job may exceed its limit
}

// Switch is a switch of topology.conf, with what is below it as host lists.
type Switch struct{ Name, Nodes, Switches string }

// NodeRecord is what slurm.conf says of nodes that follow each other, are alike and are in the same partitions.
type NodeRecord struct {
	Hosts string // n[1-4]

	// Of each node, all sockets together. Usable are the processors without those that are kept for the system.
	Procs, Usable, Cores, CoresPerSocket, ThreadsPerCore int64

	MemMB, DiskMB, Weight int64
	Features, Partitions  []string
	Gres                  string // gpu:a100:4,shard:8
	State                 string // in upper case: IDLE where nothing keeps the nodes from jobs, else DOWN and the like
}

// String is the golden form.
func (n *NodeRecord) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nodes %s procs=%d cores=%d threads_per_core=%d mem=%d disk=%d weight=%d", n.Hosts, n.Procs, n.Cores,
		n.ThreadsPerCore, n.MemMB, n.DiskMB, n.Weight)
	if n.CoresPerSocket > 1 && n.CoresPerSocket < n.Cores {
		fmt.Fprintf(&b, " cores_per_socket=%d", n.CoresPerSocket)
	}
	if n.Usable != n.Procs {
		fmt.Fprintf(&b, " usable=%d", n.Usable)
	}
	for _, part := range []struct{ name, text string }{{"features", strings.Join(n.Features, ",")},
		{"partitions", strings.Join(n.Partitions, ",")}, {"gres", n.Gres}} {
		if part.text != "" {
			fmt.Fprintf(&b, " %s=%s", part.name, part.text)
		}
	}
	if n.State != NodeIdle {
		b.WriteString(" state=" + n.State)
	}
	return b.String()
}

// NodeIdle is the state of nodes that take jobs.
const NodeIdle = "IDLE"

// String is the golden form, without what is off: slurm 2205 backfill window=86400 ….
func (s *SlurmPlan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "slurm %d", s.Version)
	for _, f := range []struct {
		name string
		on   bool
	}{{"linear", s.Linear}, {"memory", s.Memory}, {"main", s.Main}, {"limit_stop", s.LimitStop}, {"builtin", s.Builtin},
		{"backfill", s.Backfill},
		{"licenses", s.Licenses}, {"running_reserve", s.RunningReserve}, {"one_reservation", s.OneReservation},
		{"preempt=" + s.PreemptMode, s.PreemptMode != ""}, {"loses_jobs", s.LosesJobs},
		{"preempt_strict", s.PreemptStrict},
		{"preempt_youngest", s.PreemptYoungest},
		{"tree", s.Tree}, {"tree_optional", s.TreeOptional}, {"least_loaded", s.LeastLoaded}, {"sockets", s.Sockets},
		{"pack_serial", s.PackSerial},
		{"busy_nodes", s.BusyNodes}, {"one_task_per_core", s.OneTaskPerCore}, {"blocks", s.Blocks},
		{"het_immediate", s.HetImmediate}, {"het_priority=" + s.HetPriority, s.HetPriority != ""}} {
		if f.on {
			b.WriteString(" " + f.name)
		}
	}
	for _, f := range []struct {
		name string
		n    int64
	}{{"partition_depth", s.PartitionDepth}, {"main_starts", s.MainStarts}, {"queue_depth", s.QueueDepth},
		{"delay", s.DelaySeconds}, {"full_pass", s.FullPassSeconds}, {"cycle", s.CycleSeconds},
		{"priorities", s.PrioritySeconds}, {"window", s.WindowSeconds},
		{"resolution", s.ResolutionSeconds}, {"linear_seconds", s.LinearSeconds}, {"builtin_tests", s.BuiltinTests},
		{"tests", s.Tests}, {"table", s.TableSize}, {"starts", s.Starts},
		{"array", s.ArrayReservations}, {"per_partition", s.PerPartition}, {"per_user", s.PerUser},
		{"per_user_partition", s.PerUserPartition},
		{"per_association", s.PerAssociation}, {"partition_reserve", s.PartitionReserve}, {"min_age", s.MinAgeSeconds},
		{"min_priority", s.MinPriority},
		{"exempt", s.ExemptSeconds}, {"preempt_reorders", s.PreemptReorders}, {"exempt_priority", s.ExemptPriority},
		{"requeue", s.RequeueSeconds},
		{"message", s.MessageSeconds}, {"switch_wait", s.SwitchSeconds},
		{"kill_wait", s.KillWaitSeconds}, {"over_time", s.OverTimeSeconds}} {
		if f.n != 0 {
			fmt.Fprintf(&b, " %s=%d", f.name, f.n)
		}
	}
	return b.String()
}
