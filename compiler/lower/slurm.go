package lower

import (
	"fmt"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// fromSlurm turns a loaded slurm.conf into settings of the library's slurm policy.
func fromSlurm(lines []*slurmconf.Line, opt Options) *front {
	cfg, diags := slurmconf.Evaluate(lines, slurmconf.Options{Version: opt.Version})
	f := &front{base: "slurm", family: "slurm", version: cfg.Version, diags: diags}
	if strings.EqualFold(cfg.Text("PriorityType"), "priority/basic") {
		f.base = "slurm_basic"
	}
	for _, p := range cfg.Params {
		f.params = append(f.params, setting{p.Name, slurmValue(p.Name, p.Value), p.Text, p.Span})
	}
	f.each = len(cfg.Partitions)
	f.rows = make([]row, 0, 24*f.each)
	for i := range cfg.Partitions {
		f.slurmPartition(&cfg.Partitions[i])
		f.slurmPartitionLimits(&cfg.Partitions[i], cfg)
	}
	f.slurmCluster(cfg)
	f.slurmCores(cfg)
	f.slurmFacts(lines, cfg, opt.NodeFacts)
	return f
}

// slurmTypes gives the type of a global key by its type in the table.
func slurmType(tableType string) schema.Type {
	switch tableType {
	case "bool":
		return schema.Bool
	case "uint16", "uint32", "uint64", "time", "long", "int":
		return schema.Int
	case "float", "double":
		return schema.Double
	}
	return schema.String
}

func slurmValue(name string, v slurmconf.Value) schema.Value {
	row := slurmParam(name)
	if row == nil {
		return schema.StringValue(v.Text)
	}
	switch slurmType(row.Type) {
	case schema.Bool:
		return schema.BoolValue(v.Bool)
	case schema.Int:
		return schema.IntValue(int64(v.Number))
	}
	return schema.StringValue(v.Text)
}

func (f *front) slurmPartition(p *slurmconf.Partition) {
	span := p.Record.Span
	src := "PartitionName=" + p.Name
	count := func(column string, v slurmconf.Value, scale int64) {
		at := span
		if v.IsSet() {
			at = v.Span
		}
		if !v.Infinite {
			f.set(schema.ColumnID("partition."+column), p.Name, schema.IntValue(int64(v.Number)*scale), at, src)
		}
	}
	count("priority_job_factor", p.PriorityJobFactor, 1)
	count("priority_tier", p.PriorityTier, 1)
	if p.DefaultTimeMinutes.IsSet() {
		count("walltime_default_seconds", p.DefaultTimeMinutes, 60)
	}
	f.set("partition.state", p.Name, schema.StringValue(p.State), span, src)
	weights, weighted := p.Record.Get("TRESBillingWeights")
	at := span
	if weighted {
		at = weights.Span
	}
	f.set("partition.billing_weights", p.Name, schema.StringValue(weights.Text), at, src)
	f.billing = append(f.billing, ir.Billing{Partition: p.Name, Weights: p.TRESBillingWeights, Span: at})
	if p.QOS.IsSet() {
		f.set("partition.qos", p.Name, schema.StringValue(p.QOS.Text), p.QOS.Span, src)
	}
	f.sharing(p, src)
	f.unplanned(p)
	if p.TotalNodes == 0 {
		return // nodes that register themselves: the snapshot knows the totals
	}
	f.set("partition.nodes", p.Name, schema.IntValue(int64(p.TotalNodes)), span, src)
	f.set("partition.procs", p.Name, schema.IntValue(int64(p.TotalCPUs)), span, src)
	for _, t := range p.TRES {
		f.set(schema.TRES("partition", t.Name), p.Name, schema.DoubleValue(float64(t.Count)), span, src)
	}
	f.set(schema.TRES("partition", "billing"), p.Name, schema.DoubleValue(billing(p)), span, src)
}

// billing is the partition's capacity in billing units: the weighted sum of its
// TRES, or its processors when it has no TRESBillingWeights.
func billing(p *slurmconf.Partition) float64 {
	if len(p.TRESBillingWeights) == 0 {
		return float64(p.TotalCPUs)
	}
	total := 0.0
	for _, w := range p.TRESBillingWeights {
		for _, t := range p.TRES {
			if t.Name == w.Name {
				total += float64(float64(t.Count) * w.Value)
			}
		}
	}
	return float64(int64(total))
}

// slurmCluster sums the node records, down and drained ones included
// (node_record_count and cluster_cpus in slurmctld).
func (f *front) slurmCluster(cfg *slurmconf.Config) {
	if len(cfg.Nodes) == 0 {
		return
	}
	var procs, mem, disk, gpus int64
	for _, n := range cfg.Nodes {
		procs += int64(n.CPUs)
		mem += int64(n.RealMemoryMB)
		disk += int64(n.TmpDiskMB)
		for _, g := range n.Gres {
			if g.Name == "gpu" {
				gpus += int64(g.Count)
			}
		}
	}
	span := cfg.Nodes[0].Record.Span
	src := fmt.Sprintf("%d NodeName records", len(cfg.Nodes))
	for _, c := range []struct {
		column schema.ColumnID
		n      int64
	}{{"cluster.nodes", int64(len(cfg.Nodes))}, {"cluster.procs", procs}, {"cluster.mem_mb", mem}, {"cluster.disk_mb", disk}, {"cluster.gpus", gpus}} {
		f.setOthers(c.column, schema.IntValue(c.n), span, src)
	}
}

// slurmCores keeps the cores of each record's nodes.
func (f *front) slurmCores(cfg *slurmconf.Config) {
	last := (*slurmconf.Record)(nil)
	for _, n := range cfg.Nodes {
		if n.Record == last {
			continue
		}
		last = n.Record
		f.nodeCores = append(f.nodeCores, ir.NodeCores{Hosts: last.Name.Text, Cores: int64(n.Sockets) * int64(n.CoresPerSocket), ThreadsPerCore: int64(n.ThreadsPerCore)})
	}
}
