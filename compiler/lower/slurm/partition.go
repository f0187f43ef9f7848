package slurm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
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

// nodes keeps what the file says of its nodes. A NodeName record makes as many records as it has runs of nodes that are
// in the same partitions and of one state.
func (f *reader) nodes(cfg *slurmconf.Config) {
	partitions := make([][]string, len(cfg.Nodes))
	for i := range cfg.Partitions {
		for _, node := range cfg.Partitions[i].Nodes {
			partitions[node] = append(partitions[node], cfg.Partitions[i].Name)
		}
	}
	down := map[string]string{}
	for _, d := range cfg.DownNodes {
		for _, name := range d.Nodes {
			down[name] = d.State
		}
	}
	for from := 0; from < len(cfg.Nodes); {
		first := &cfg.Nodes[from]
		end, names := from, []string(nil)
		for ; end < len(cfg.Nodes) && cfg.Nodes[end].NodeSpec == first.NodeSpec &&
			slices.Equal(partitions[end], partitions[from]) && down[cfg.Nodes[end].Name] == down[first.Name]; end++ {
			names = append(names, cfg.Nodes[end].Name)
		}
		r := nodeRecord(first.NodeSpec)
		r.Hosts, r.Partitions = slurmtext.CompressHostlist(names), partitions[from]
		if state := down[first.Name]; state != "" {
			r.State = nodeState(state)
		}
		f.NodeRecords = append(f.NodeRecords, r)
		from = end
	}
}

// nodeRecord is what a NodeName record says of each of its nodes.
func nodeRecord(n *slurmconf.NodeSpec) ir.NodeRecord {
	r := ir.NodeRecord{Procs: int64(n.CPUs), Usable: int64(n.CPUs), Cores: int64(n.Sockets) * int64(n.CoresPerSocket),
		CoresPerSocket: int64(n.CoresPerSocket), ThreadsPerCore: int64(n.ThreadsPerCore), MemMB: int64(n.RealMemoryMB),
		DiskMB: int64(n.TmpDiskMB),
		Weight: int64(n.Weight), Features: n.Features, State: nodeState(n.State)}
	if kept := int64(n.CoreSpecCount) * max(1, r.Procs/max(1, r.Cores)); kept > 0 {
		r.Usable = max(0, r.Procs-kept)
	}
	var gres []string
	for _, g := range n.Gres {
		name := g.Name
		if g.Type != "" {
			name += ":" + g.Type
		}
		gres = append(gres, fmt.Sprintf("%s:%d", name, g.Count))
	}
	r.Gres = strings.Join(gres, ",")
	return r
}

// nodeState: nodes of an unknown state are idle once they have registered.
func nodeState(text string) string {
	if text == "" || strings.EqualFold(text, "UNKNOWN") {
		return ir.NodeIdle
	}
	return strings.ToUpper(text)
}
