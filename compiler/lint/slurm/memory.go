package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// memoryRules are the rules about what select/cons_tres gives out: memory, processors, and their defaults.
var memoryRules = []rule.Rule{
	{Code: "slurm-no-default-memory", Check: noDefaultMemory},
	{Code: "slurm-memory-not-shared", Check: memoryNotShared},
	{Code: "slurm-tasks-unbound", Check: unboundTasks},
	{Code: "slurm-node-without-cpus", Check: nodesWithoutCPUs},
}

// consumable reports a selection that gives out parts of nodes.
func consumable(p *rule.Pass) bool {
	return p.Slurm() && strings.HasPrefix(strings.ToLower(p.Text("SelectType")), "select/cons_")
}

// givesMemory reports that memory is given out in a partition. From 23.11 on it is by default.
func givesMemory(p *rule.Pass, part *ir.Record) bool {
	if own := part.Attr("SelectTypeParameters"); own != nil {
		return strings.Contains(strings.ToUpper(own.Text), "MEMORY")
	}
	if p.IsSet("SelectTypeParameters") {
		return p.Flag("SelectTypeParameters", "MEMORY")
	}
	return consumable(p) && p.Since("23.11")
}

var defaultMemory = []string{"DefMemPerCPU", "DefMemPerNode", "DefMemPerGPU"}

// noDefaultMemory leaves out sites with a plugin of their own at submission, which may ask for memory or set it.
func noDefaultMemory(p *rule.Pass) {
	if !consumable(p) || !complete(p) || p.IsSet("JobSubmitPlugins") || p.IsSet("CliFilterPlugins") ||
		slices.ContainsFunc(defaultMemory, p.IsSet) {
		return
	}
	var list []*ir.Record
	for _, part := range p.Records["PartitionName"] {
		set := slices.ContainsFunc(defaultMemory, func(name string) bool { return part.Attr(name) != nil })
		if shares := part.Attr("OverSubscribe"); set || shares.Is("EXCLUSIVE") || !givesMemory(p, part) {
			continue
		}
		cpus, ok := int64(0), true
		machines(p, part, func(r *ir.Record) bool {
			cpus = max(cpus, r.Machine.CPUs)
			ok = ok && r.Machine.MemoryMB.Number > 1
			return true
		})
		if ok && cpus > 1 {
			list = append(list, part)
		}
	}
	if len(list) == 0 {
		return
	}
	d := p.Report(list[0].Span, "a job in %s that asks for no memory gets all of a node's", recordNames(list))
	if p.IsSet("SelectTypeParameters") {
		d.NoteAt(p.At("SelectTypeParameters"), "memory is given out like processors, and the default is all of it")
	} else {
		d.Note("memory is given out like processors, and the default is all of it")
	}
	d.Note("no other job fits beside it; write DefMemPerCPU=%d, or another number of MB", memoryPerCPUOf(p, list))
}

// memoryPerCPUOf is the least memory there is for a processor in some partitions.
func memoryPerCPUOf(p *rule.Pass, list []*ir.Record) int64 {
	least := int64(0)
	for _, part := range list {
		machines(p, part, func(r *ir.Record) bool {
			if n := usable(r.Machine) / max(r.Machine.CPUs, 1); least == 0 || n < least {
				least = n
			}
			return true
		})
	}
	return least
}

// amountsOfMemory are the global keys that give or bound what jobs have.
var amountsOfMemory = append(slices.Clone(defaultMemory), "MaxMemPerCPU", "MaxMemPerNode")

func memoryNotShared(p *rule.Pass) {
	if !consumable(p) || p.Facts.Partial && !p.IsSet("SelectTypeParameters") {
		return
	}
	gives := func(part *ir.Record) bool { return givesMemory(p, part) }
	report := func(name string, a quantity) {
		d := p.Report(a.at, "jobs may use more memory than a node has, whatever %s is: memory is not given out", name)
		if p.IsSet("SelectTypeParameters") {
			d.NoteAt(p.At("SelectTypeParameters"), "what is given out")
		}
		d.Note("write SelectTypeParameters=CR_Core_Memory, or CR_CPU_Memory")
	}
	if list := p.Records["PartitionName"]; !slices.ContainsFunc(list, gives) && !givesMemory(p, nil) {
		for _, name := range amountsOfMemory {
			if n := p.Number(name); p.IsSet(name) && n > 0 {
				report(name, quantity{at: p.At(name)})
				return
			}
		}
	}
	for _, part := range p.Records["PartitionName"] {
		if gives(part) {
			continue
		}
		for _, kind := range []string{"DefMemPer", "MaxMemPer"} {
			for _, unit := range []string{"CPU", "Node", "GPU"} {
				if a := part.Attr(kind + unit); a.Number() > 0 && !a.Infinite {
					report(kind+unit, quantity{at: a.Span})
					return
				}
			}
		}
	}
}

func unboundTasks(p *rule.Pass) {
	if !consumable(p) || !p.IsSet("SelectType") || p.Facts.Partial {
		return
	}
	text := p.Text("TaskPlugin")
	if p.IsSet("TaskPlugin") && text != "" && !strings.Contains(strings.ToLower(text), "none") {
		return
	}
	at := p.At("SelectType")
	d := p.Report(at, "jobs are given processors, and nothing keeps them there")
	if p.IsSet("TaskPlugin") {
		d.NoteAt(p.At("TaskPlugin"), "no task plugin is used")
	} else {
		d.Note("TaskPlugin is not set, so no task plugin is used")
	}
	d.Note("write TaskPlugin=task/cgroup,task/affinity, with ConstrainCores=yes in cgroup.conf")
}

// nodesWithoutCPUs leaves out nodes that are to come later, whose slurmd says what they have.
func nodesWithoutCPUs(p *rule.Pass) {
	if p.Facts.Partial {
		return
	}
	var list []*ir.Record
	for _, r := range p.Records["NodeName"] {
		if m := r.Machine; m != nil && !m.Counted && !strings.Contains(m.State, "FUTURE") {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return
	}
	d := p.Report(list[0].Span, "each node of %s has one processor: none of CPUs, Sockets and CoresPerSocket is set",
		recordNames(list))
	for _, r := range list[1:min(4, len(list))] {
		d.NoteAt(r.Span, "these too")
	}
	d.Note("Slurm gives out what is written here; `slurmd -C` on the node prints what to write")
}
