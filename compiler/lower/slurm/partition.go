package slurm

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// partitionLimits carries what a partition refuses. Each column gets a row, one without a
// value where there is no limit, so that no older record of the partition fills in for it.
func (f *reader) partitionLimits(p *slurmconf.Partition, cfg *slurmconf.Config) {
	src := "PartitionName=" + p.Name
	set := func(column string, v schema.Value, from slurmconf.Value) {
		at := from.Span
		if !from.IsSet() {
			at = p.Record.Span
		}
		f.Set(schema.ColumnID("partition."+column), p.Name, v, at, src)
	}
	count := func(column string, v slurmconf.Value, scale int64) {
		if v.Infinite || !v.IsSet() {
			set(column, schema.Value{}, v)
			return
		}
		set(column, schema.IntValue(int64(v.Number)*scale), v)
	}
	count("walltime_max_seconds", p.MaxTimeMinutes, 60)
	count("nodes_min", p.MinNodes, 1)
	count("nodes_max", p.MaxNodes, 1)
	count("procs_per_node_max", p.MaxCPUsPerNode, 1)
	perNode, perProc := memoryLimits(p, cfg)
	count("mem_per_node_max_mb", perNode, 1)
	count("mem_per_proc_max_mb", perProc, 1)
	for _, list := range []struct {
		column, key string
		names       []string
	}{
		{"accounts_allowed", "AllowAccounts", p.AllowAccounts}, {"accounts_denied", "DenyAccounts", p.DenyAccounts},
		{"qos_allowed", "AllowQos", p.AllowQOS}, {"qos_denied", "DenyQos", p.DenyQOS},
		{"groups_allowed", "AllowGroups", p.AllowGroups},
	} {
		v, _ := p.Record.Get(list.key)
		set(list.column, schema.ListValue(list.names), v)
	}
	for _, flag := range []struct{ column, key string }{{"root_only", "RootOnly"}, {"needs_reservation", "ReqResv"}} {
		v, _ := p.Record.Get(flag.key)
		set(flag.column, schema.BoolValue(v.Bool), v)
	}
}

// memoryLimits: a partition's own limit comes before the global one, and there the limit per node
// before that per processor; 0 is none.
func memoryLimits(p *slurmconf.Partition, cfg *slurmconf.Config) (perNode, perProc slurmconf.Value) {
	perNode, perProc = p.MaxMemPerNodeMB, p.MaxMemPerCPUMB
	if !perNode.IsSet() && !perProc.IsSet() {
		if g, ok := cfg.Param("MaxMemPerNode"); ok && g.Number > 0 {
			perNode = g.Value
		} else if g, ok := cfg.Param("MaxMemPerCPU"); ok {
			perProc = g.Value
		}
	}
	if perNode.Number == 0 {
		perNode = slurmconf.Value{}
	}
	if perProc.Number == 0 {
		perProc = slurmconf.Value{}
	}
	return perNode, perProc
}
