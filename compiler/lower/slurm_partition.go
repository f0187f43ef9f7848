package lower

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// slurmPartitionLimits carries what a partition refuses. Each column gets a row, one without a
// value where there is no limit, so that no older record of the partition fills in for it.
func (f *front) slurmPartitionLimits(p *slurmconf.Partition, cfg *slurmconf.Config) {
	src := "PartitionName=" + p.Name
	set := func(column string, v schema.Value, from slurmconf.Value) {
		at := from.Span
		if !from.IsSet() {
			at = p.Record.Span
		}
		f.set(schema.ColumnID("partition."+column), p.Name, v, at, src)
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
		{"qos_allowed", "AllowQos", p.AllowQOS}, {"qos_denied", "DenyQos", p.DenyQOS}, {"groups_allowed", "AllowGroups", p.AllowGroups},
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

// enforced reads what slurmctld enforces from the parameters, once all are known.
func (l *lowering) enforced() *ir.Enforced {
	if l.family != "slurm" {
		return nil
	}
	text := func(name string) string {
		if p := l.params.by[name]; p != nil {
			return p.Value.Str
		}
		return ""
	}
	e, _ := slurmconf.ParseEnforce(text("AccountingStorageEnforce"))
	flags := slurmconf.ParsePriorityFlags(text("PriorityFlags"), l.out.Version)
	out := &ir.Enforced{Associations: e.Associations, Limits: e.Limits, QOS: e.QOS, Safe: e.Safe,
		AccrueAlways: flags.AccrueAlways, FairTree: flags.FairTree, TRES: trackedTRES(text("AccountingStorageTRES"), l.out.Version)}
	out.LimitStop = l.out.Option("assoc_limit_stop").On()
	out.PartitionLimits, _ = slurmconf.EnforcePartLimits(text("EnforcePartLimits"))
	out.Preempt, out.PreemptWithin, out.PreemptPriority = preemption(text("PreemptType"), text("PreemptMode"))
	if p := l.params.by["PriorityWeightFairshare"]; p != nil {
		out.FairshareWeight = float64(p.Value.Int)
	}
	for _, f := range l.fronts {
		for _, object := range f.complete {
			if !slices.Contains(out.Complete, object) {
				out.Complete = append(out.Complete, object)
			}
		}
	}
	if slices.Contains(l.opt.Without, "limits") {
		out.Limits, out.Safe = false, false
	}
	return out
}

// preemption reads who preempts whom; without a mode nothing is preempted (slurm_preemption_enabled).
func preemption(kind, mode string) (by string, within, priority bool) {
	by = strings.TrimPrefix(strings.ToLower(kind), "preempt/")
	words := strings.FieldsFunc(strings.ToUpper(mode), func(r rune) bool { return r == ',' || r == ' ' })
	if by == "none" || by == "" || len(words) == 0 || slices.Contains(words, "OFF") {
		return "", false, false
	}
	return by, slices.Contains(words, "WITHIN"), slices.Contains(words, "PRIORITY")
}
