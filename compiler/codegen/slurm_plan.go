package codegen

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slurmPlan carries how slurmctld places jobs; nil for other families. default_queue_depth stays behind: it bounds passes that an
// event sets off, and the one of every sched_interval is planned.
func slurmPlan(p *ir.Policy) *program.SlurmPlan {
	s := p.SlurmPlan
	if s == nil {
		return nil
	}
	return &program.SlurmPlan{
		Version: s.Version,
		Linear:  s.Linear, Cores: s.Cores, OneTaskPerCore: s.OneTaskPerCore, Memory: s.Memory,
		Main: s.Main, PartitionDepth: s.PartitionDepth, MainStarts: s.MainStarts, LimitStop: s.LimitStop,
		Builtin: s.Builtin, BuiltinTests: s.BuiltinTests,
		Backfill: s.Backfill, WindowSeconds: s.WindowSeconds, ResolutionSeconds: s.ResolutionSeconds, LinearSeconds: s.LinearSeconds,
		Licenses: s.Licenses, RunningReserve: s.RunningReserve, OneReservation: s.OneReservation,
		Tests: s.Tests, TableSize: s.TableSize, Starts: s.Starts, ArrayReservations: s.ArrayReservations,
		PerPartition: s.PerPartition, PerUser: s.PerUser, PerUserPartition: s.PerUserPartition, PerAssociation: s.PerAssociation,
		PartitionReserve: s.PartitionReserve, MinAgeSeconds: s.MinAgeSeconds, MinPriority: s.MinPriority,
		PreemptMode: s.PreemptMode, ExemptSeconds: s.ExemptSeconds, PreemptReorders: s.PreemptReorders, PreemptStrict: s.PreemptStrict,
		PreemptYoungest: s.PreemptYoungest, ExemptPriority: s.ExemptPriority, RequeueSeconds: s.RequeueSeconds, MessageSeconds: s.MessageSeconds,
		Tree: s.Tree, TreeOptional: s.TreeOptional, SwitchSeconds: s.SwitchSeconds, LeastLoaded: s.LeastLoaded,
		PackSerial: s.PackSerial, HetImmediate: s.HetImmediate, HetPriority: s.HetPriority,
		KillWaitSeconds: s.KillWaitSeconds, OverTimeSeconds: s.OverTimeSeconds,
	}
}
