// Package slurm reads what a slurm.conf, and a dump of its accounts, say in the words of the library's policy.
package slurm

import (
	"fmt"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// Read turns a loaded slurm.conf into settings of the library's slurm policy.
func Read(lines []*slurmconf.Line, opt front.Options) *front.Front {
	cfg, diags := slurmconf.Evaluate(lines,
		slurmconf.Options{Version: opt.Version, Until: opt.Until, Fragment: opt.Fragment})
	f := &reader{&front.Front{Base: "slurm", Family: "slurm", Version: cfg.Version, Diags: diags}}
	if strings.EqualFold(cfg.Text("PriorityType"), "priority/basic") {
		f.Base = "slurm_basic"
	}
	for _, p := range cfg.Params {
		f.Params = append(
			f.Params,
			front.Setting{Name: p.Name, Value: Value(p.Name, p.Value), Raw: p.Text, Span: p.Span},
		)
	}
	f.Each = len(cfg.Partitions)
	f.Rows = make([]front.Row, 0, 24*f.Each)
	for i := range cfg.Partitions {
		f.partition(&cfg.Partitions[i])
		f.partitionLimits(&cfg.Partitions[i], cfg)
		if cfg.Partitions[i].Default {
			f.Partition = cfg.Partitions[i].Name
		}
	}
	f.cluster(cfg)
	f.nodes(cfg)
	f.facts(lines, cfg, opt.NodeFacts)
	return f.Front
}

// reader fills in what a file says.
type reader struct{ *front.Front }

// Type gives the type of a global key by its type in the table.
func Type(tableType string) schema.Type {
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

// Value is what a global key's value comes to by its type.
func Value(name string, v slurmconf.Value) schema.Value {
	row := Param(name)
	if row == nil {
		return schema.StringValue(v.Text)
	}
	switch Type(row.Type) {
	case schema.Bool:
		return schema.BoolValue(v.Bool)
	case schema.Int:
		return schema.IntValue(int64(v.Number))
	}
	return schema.StringValue(v.Text)
}

func (f *reader) partition(p *slurmconf.Partition) {
	span := p.Record.Span
	src := "PartitionName=" + p.Name
	count := func(column string, v slurmconf.Value, scale int64) {
		at := span
		if v.IsSet() {
			at = v.Span
		}
		if !v.Infinite {
			f.Set(schema.ColumnID("partition."+column), p.Name, schema.IntValue(int64(v.Number)*scale), at, src)
		}
	}
	count("priority_job_factor", p.PriorityJobFactor, 1)
	count("priority_tier", p.PriorityTier, 1)
	if p.DefaultTimeMinutes.IsSet() {
		count("walltime_default_seconds", p.DefaultTimeMinutes, 60)
	}
	f.Set("partition.state", p.Name, schema.StringValue(p.State), span, src)
	weights, weighted := p.Record.Get("TRESBillingWeights")
	at := span
	if weighted {
		at = weights.Span
	}
	f.Set("partition.billing_weights", p.Name, schema.StringValue(weights.Text), at, src)
	f.Billing = append(f.Billing, ir.Billing{Partition: p.Name, Weights: p.TRESBillingWeights, Span: at})
	if p.QOS.IsSet() {
		f.Set("partition.qos", p.Name, schema.StringValue(p.QOS.Text), p.QOS.Span, src)
	}
	f.sharing(p, src)
	f.unplanned(p)
	if p.TotalNodes == 0 {
		return // nodes that register themselves: the snapshot knows the totals
	}
	f.Set("partition.nodes", p.Name, schema.IntValue(int64(p.TotalNodes)), span, src)
	f.Set("partition.procs", p.Name, schema.IntValue(int64(p.TotalCPUs)), span, src)
	for _, t := range p.TRES {
		f.Set(schema.TRES("partition", t.Name), p.Name, schema.DoubleValue(float64(t.Count)), span, src)
	}
	f.Set(schema.TRES("partition", "billing"), p.Name, schema.DoubleValue(billing(p)), span, src)
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

// cluster sums the node records, down and drained ones included
// (node_record_count and cluster_cpus in slurmctld).
func (f *reader) cluster(cfg *slurmconf.Config) {
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
	}{{"cluster.nodes", int64(len(cfg.Nodes))}, {"cluster.procs", procs}, {"cluster.mem_mb", mem},
		{"cluster.disk_mb", disk}, {"cluster.gpus", gpus}} {
		f.SetOthers(c.column, schema.IntValue(c.n), span, src)
	}
}

// index finds a global key's row by its name in lower case.
var index = sync.OnceValue(func() map[string]*stdlib.Param {
	m := map[string]*stdlib.Param{}
	rows := stdlib.SlurmParams.Params()
	for i := range rows {
		if rows[i].Record == "global" {
			m[strings.ToLower(rows[i].Name)] = &rows[i]
		}
	}
	return m
})

// Param finds a global key's row, nil if there is none.
func Param(name string) *stdlib.Param {
	return index()[strings.ToLower(name)]
}

// sharing is who may be on the nodes of a partition beside a job.
func (f *reader) sharing(p *slurmconf.Partition, src string) {
	at := p.Record.Span
	v, ok := p.Record.Get("OverSubscribe")
	if !ok {
		v, ok = p.Record.Get("Shared")
	}
	if ok {
		at = v.Span
	}
	var mode schema.Value // none is NO
	switch {
	case p.MaxShare > 1:
		mode = schema.StringValue(fmt.Sprintf("%s:%d", p.OverSubscribe, p.MaxShare))
	case p.OverSubscribe != "NO":
		mode = schema.StringValue(p.OverSubscribe)
	}
	f.Set("partition.oversubscribe", p.Name, mode, at, src)
	user, _ := p.Record.Get("ExclusiveUser")
	if v, _ := p.Record.Get("Exclusive"); strings.EqualFold(v.Text, "USER") { // 26.05's word for it
		user = v
		user.Bool = true
	}
	if at = p.Record.Span; user.IsSet() {
		at = user.Span
	}
	f.Set("partition.exclusive_user", p.Name, schema.BoolValue(user.Bool), at, src)
	f.preempted(p, src)
}

// preempted is how jobs of the partition make room for those of a higher tier, and whether its jobs go to the least
// loaded nodes.
func (f *reader) preempted(p *slurmconf.Partition, src string) {
	place := func(v slurmconf.Value) source.Span {
		if v.IsSet() {
			return v.Span
		}
		return p.Record.Span
	}
	mode, ok := p.Record.Get("PreemptMode")
	word := schema.Value{}
	if ok {
		word = schema.StringValue(strings.ToUpper(mode.Text))
	}
	f.Set("partition.preempt_mode", p.Name, word, place(mode), src)
	grace, _ := p.Record.Get("GraceTime")
	f.Set("partition.grace_seconds", p.Name, schema.IntValue(int64(grace.Number)), place(grace), src)
	least, _ := p.Record.Get("LLN")
	f.Set("partition.least_loaded", p.Name, schema.BoolValue(least.Bool), place(least), src)
}

// unplanned says what a plan leaves out of a partition's way to share nodes.
func (f *reader) unplanned(p *slurmconf.Partition) {
	for _, key := range []string{"Exclusive", "ExclusiveTopo"} {
		v, ok := p.Record.Get(key)
		switch word := strings.ToUpper(v.Text); {
		case !ok, word == "NO" && key != "Exclusive", word == "NONE", word == "USER":
		case key == "Exclusive":
			f.Diags.Infof("plan-not-modelled", v.Span, "a plan does not take Exclusive=%s into account", word).
				Note("whether jobs share the nodes of %s follows from OverSubscribe", p.Name)
		case strings.HasPrefix(key, "Exclusive"):
			f.Diags.Infof("plan-not-modelled", v.Span, "a plan does not take %s into account", key).
				Note("jobs share the nodes of %s as those of others", p.Name)
		}
	}
}
