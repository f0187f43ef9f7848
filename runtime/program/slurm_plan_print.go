package program

import (
	"fmt"
	"strings"
)

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
		{"preempt=" + s.PreemptMode, s.PreemptMode != ""}, {"preempt_strict", s.PreemptStrict},
		{"preempt_youngest", s.PreemptYoungest},
		{"tree", s.Tree}, {"tree_optional", s.TreeOptional}, {"least_loaded", s.LeastLoaded}, {"sockets", s.Sockets},
		{"pack_serial", s.PackSerial},
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
