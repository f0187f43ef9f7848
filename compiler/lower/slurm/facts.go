package slurm

import (
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/sacctmgr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/slurmconf"
)

// facts carries the keys and records of a slurm.conf, each with what it inherits. Of nodes, which
// are most of a file, rules ask for the GPUs alone.
func (f *reader) facts(lines []*slurmconf.Line, cfg *slurmconf.Config, whole bool) {
	for _, l := range lines {
		f.Facts.Partial = f.Facts.Partial || l.Include != nil
	}
	var global ir.Record
	for _, p := range cfg.Params {
		for _, v := range p.All { // SlurmctldHost, Prolog … may repeat
			global.Attrs = append(global.Attrs, slurmFact(p.Name, v, Value(p.Name, v)))
		}
	}
	f.Facts.Records = append(f.Facts.Records, global)
	f.Facts.Refused = append(f.Facts.Refused, cfg.Refused...)
	nodes := map[*slurmconf.Record]int{}
	machines := map[*slurmconf.Record]*slurmconf.NodeSpec{}
	for _, n := range cfg.Nodes {
		nodes[n.Record]++
		machines[n.Record] = n.NodeSpec
	}
	partitions := map[*slurmconf.Record]*slurmconf.Partition{}
	for i := range cfg.Partitions {
		partitions[cfg.Partitions[i].Record] = &cfg.Partitions[i]
	}
	for _, rec := range cfg.Records {
		r := ir.Record{Kind: rec.Kind, Name: rec.Name.Text, Span: rec.Name.Span, Count: nodes[rec]}
		if spec := machines[rec]; spec != nil {
			r.Machine = machine(rec, spec)
		}
		every := whole || rec.Kind != "NodeName"
		if every {
			r.Attrs = make([]ir.Attr, 0, len(rec.Attrs))
		}
		for _, a := range rec.Attrs {
			if !every && a.Name != "Gres" {
				continue
			}
			r.Attrs = append(r.Attrs, slurmFact(newName(a.Name), a.Value, recordValue(a.Value)))
		}
		p, counts := partitions[rec]
		if rec.Kind == "PartitionName" && !counts {
			continue // a second record of the name, which Slurm ignores or refuses
		}
		if counts {
			r.Nodes = make([]int32, len(p.Nodes))
			for i, n := range p.Nodes {
				r.Nodes[i] = int32(n)
			}
		}
		f.Facts.Records = append(f.Facts.Records, r)
	}
}

func machine(rec *slurmconf.Record, spec *slurmconf.NodeSpec) *ir.Machine {
	amount := func(key string, n int64) ir.Amount {
		v, _ := rec.Get(key)
		return ir.Amount{Number: n, Set: v.Span}
	}
	m := &ir.Machine{
		CPUs:        int64(spec.CPUs),
		Cores:       int64(spec.Sockets) * int64(spec.CoresPerSocket),
		State:       spec.State,
		Features:    spec.Features,
		MemoryMB:    amount("RealMemory", int64(spec.RealMemoryMB)),
		SystemMB:    amount("MemSpecLimit", int64(spec.MemSpecLimitMB)),
		SystemCores: amount("CoreSpecCount", int64(spec.CoreSpecCount)),
	}
	for _, key := range []string{"CPUs", "Procs", "Boards", "Sockets", "SocketsPerBoard", "CoresPerSocket",
		"ThreadsPerCore"} {
		_, ok := rec.Get(key)
		m.Counted = m.Counted || ok
	}
	for _, key := range []string{"Feature", "Features"} {
		if v, ok := rec.Get(key); ok {
			m.Lists = append(m.Lists, slurmFact(key, v, recordValue(v)))
		}
	}
	for _, g := range spec.Gres {
		m.Gres = append(m.Gres, g.Name)
	}
	return m
}

// newName is the name of today for the two keys of records that have an old one.
func newName(key string) string {
	switch key {
	case "Procs":
		return "CPUs"
	case "Shared":
		return "OverSubscribe"
	}
	return key
}

func slurmFact(name string, v slurmconf.Value, value schema.Value) ir.Attr {
	return ir.Attr{Name: name, Text: v.Text, Value: value, Infinite: v.Infinite, Inherited: v.Inherited, Span: v.Span}
}

// recordValue boxes a value of a record, whose table says no type here: the parser has filled in
// what the key is.
func recordValue(v slurmconf.Value) schema.Value {
	switch {
	case v.Bool:
		return schema.BoolValue(true)
	case v.Number != 0:
		return schema.IntValue(int64(v.Number))
	}
	return schema.StringValue(v.Text)
}

// dumpFacts carries the QOS and associations of a dump.
func (f *reader) dumpFacts(dump *sacctmgr.Dump) {
	f.Facts.Dumped = true
	if !dump.Span.IsZero() {
		f.Facts.Clusters = []ir.Cluster{{Name: dump.Cluster, Span: dump.Span}}
	}
	for i := range dump.QOS {
		q := &dump.QOS[i]
		f.Facts.Records = append(
			f.Facts.Records,
			ir.Record{Kind: "QOS", Name: q.Name, Span: q.Span, Attrs: dumpAttrs(q.Settings)},
		)
	}
	for i := range dump.Associations {
		a := &dump.Associations[i]
		f.Facts.Records = append(
			f.Facts.Records,
			ir.Record{Kind: "association", Name: associationKey(a), Span: a.Span, Attrs: dumpAttrs(a.Settings)},
		)
	}
}

func dumpAttrs(settings sacctmgr.Settings) []ir.Attr {
	attrs := make([]ir.Attr, 0, len(settings))
	for _, s := range settings {
		a := ir.Attr{Name: s.Name, Text: s.Text, Value: schema.StringValue(s.Text), Span: s.Span}
		switch {
		case len(s.Names) > 0:
			a.Value = schema.ListValue(s.Names)
		case s.Number != 0:
			a.Value = schema.IntValue(s.Number)
		case s.Decimal != 0:
			a.Value = schema.DoubleValue(s.Decimal)
		}
		attrs = append(attrs, a)
	}
	return attrs
}
