package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmMachines are the rules about what nodes have and what partitions and memory settings ask of them.
var slurmMachines = []Rule{
	{"slurm-memory-unset", unsetMemory},
	{"slurm-memory-small", smallMemory},
	{"slurm-default-memory-large", largeDefaultMemory},
	{"slurm-default-memory-cores", defaultMemoryCores},
	{"slurm-default-memory-over-max", defaultMemoryOverMax},
	{"slurm-partition-min-nodes", partitionMinNodes},
	{"slurm-max-cpus-idle", idleMaxCPUs},
	{"slurm-system-share", systemShares},
	{"slurm-partition-empty", emptyPartitions},
	{"slurm-node-unused", unusedNodes},
	{"slurm-node-set-empty", emptyNodeSets},
	{"slurm-gres-type", gresTypes},
}

// machines visits the NodeName records of which a partition has nodes, and stops when it is told to.
func (p *pass) machines(part *ir.Record, visit func(r *ir.Record) (more bool)) {
	start := int32(0)
	for _, r := range p.records["NodeName"] {
		end := start + int32(r.Count)
		i, _ := slices.BinarySearch(part.Nodes, start)
		if r.Machine != nil && i < len(part.Nodes) && part.Nodes[i] < end && !visit(r) {
			return
		}
		start = end
	}
}

// complete reports a slurm.conf that is no part of another, as one of records alone is.
func (p *pass) complete() bool {
	return p.slurm() && !p.Facts.Partial && len(p.globals()) > 0
}

// growing reports that nodes may be there which the file does not name.
func (p *pass) growing() bool { return p.Facts.Partial || p.isSet("MaxNodeCount") }

func (p *pass) memoryShared() bool {
	return p.slurm() && p.flag("SelectTypeParameters", "MEMORY")
}

// recordNames joins the first few, for messages.
func recordNames(list []*ir.Record) string {
	var all []string
	for _, r := range list {
		all = append(all, r.Name)
	}
	return names(all)
}

// unsetMemory asks where memory was made a resource on purpose. From 23.11 on it is one by default, also for who has never thought of it.
func unsetMemory(p *pass) {
	if !p.memoryShared() || !p.isSet("SelectTypeParameters") || p.Facts.Partial {
		return
	}
	used := p.used()
	var list []*ir.Record
	start := int32(0)
	for _, r := range p.records["NodeName"] {
		i, _ := slices.BinarySearch(used, start)
		in := i < len(used) && used[i] < start+int32(r.Count)
		if m := r.Machine; in && m != nil && m.MemoryMB.Number == 1 && !strings.Contains(m.State, "FUTURE") {
			list = append(list, r)
		}
		start += int32(r.Count)
	}
	if len(list) == 0 {
		return
	}
	at, why := list[0].Span, "RealMemory is not set"
	if set := list[0].Machine.MemoryMB.Set; !set.IsZero() {
		at, why = set, "RealMemory is in MB"
	}
	p.report(at, "the nodes %s have 1 MB of memory, so no job that asks for memory can run there", recordNames(list)).
		NoteAt(p.at("SelectTypeParameters"), "memory is shared out like processors").
		Note("%s; `slurmd -C` on the node prints what to write", why)
}

func smallMemory(p *pass) {
	for _, r := range p.records["NodeName"] {
		m := r.Machine
		if m == nil || m.MemoryMB.Set.IsZero() || m.MemoryMB.Number <= 1 || m.MemoryMB.Number >= 32*m.CPUs || m.MemoryMB.Number >= 4096 {
			continue
		}
		p.report(m.MemoryMB.Set, "the nodes %s have %d MB of memory for %s", r.Name, m.MemoryMB.Number, several(int(m.CPUs), "processor")).
			Note("RealMemory is in MB; write %d for as many GB, somewhat less than there is", m.MemoryMB.Number*1000)
	}
}

// quantity is a setting of a partition, or else the one for all of them.
type quantity struct {
	name string
	mb   int64
	at   source.Span
}

// memory finds one of two settings: the partition's own, the one per node before the one per processor, or else those for
// all partitions. ok is false where nothing is set.
func (p *pass) memory(part *ir.Record, kind string) (q quantity, ok bool) {
	for _, name := range []string{kind + "PerNode", kind + "PerCPU"} {
		if a := part.Attr(name); a != nil {
			return quantity{name, int64(a.Number()), a.Span}, a.Number() > 0 && !a.Infinite
		}
	}
	for _, name := range []string{kind + "PerNode", kind + "PerCPU"} {
		if n := p.number(name); p.isSet(name) && n > 0 {
			return quantity{name, int64(n), p.at(name)}, true
		}
	}
	return quantity{}, false
}

// usable is the memory of a node that jobs may have.
func usable(m *ir.Machine) int64 {
	if m.SystemMB.Number < m.MemoryMB.Number {
		return m.MemoryMB.Number - m.SystemMB.Number
	}
	return m.MemoryMB.Number
}

// measured visits partitions of whose nodes each has a memory that somebody wrote, with the default for their jobs.
func (p *pass) measured(visit func(part *ir.Record, q quantity)) {
	if !p.memoryShared() {
		return
	}
	for _, part := range p.records["PartitionName"] {
		q, ok := p.memory(part, "DefMem")
		if !ok || len(part.Nodes) == 0 || p.growing() {
			continue
		}
		p.machines(part, func(r *ir.Record) bool {
			ok = ok && r.Machine.MemoryMB.Number > 1
			return ok
		})
		if ok {
			visit(part, q)
		}
	}
}

func largeDefaultMemory(p *pass) {
	told := map[source.Span]bool{}
	p.measured(func(part *ir.Record, q quantity) {
		var largest *ir.Record
		p.machines(part, func(r *ir.Record) bool {
			if largest == nil || usable(r.Machine) > usable(largest.Machine) {
				largest = r
			}
			return true
		})
		if largest == nil || q.mb <= usable(largest.Machine) || told[q.at] {
			return
		}
		told[q.at] = true
		p.report(q.at, "%s=%d is more than any node of partition %s has", q.name, q.mb, part.Name).
			NoteAt(largest.Span, "%s have the most, %d MB for jobs", largest.Name, usable(largest.Machine)).
			Note("a job that asks for no memory fits nowhere; write a number in MB up to that")
	})
}

// defaultMemoryCores leaves nodes out that have a specialised core count: the processors of the system are not given out.
func defaultMemoryCores(p *pass) {
	told := map[source.Span]bool{}
	p.measured(func(part *ir.Record, q quantity) {
		if q.name != "DefMemPerCPU" || told[q.at] {
			return
		}
		p.machines(part, func(r *ir.Record) bool {
			m := r.Machine
			fit := usable(m) / q.mb
			if fit == 0 || fit >= m.CPUs || m.SystemCores.Number > 0 {
				return true
			}
			told[q.at] = true
			at := m.MemoryMB.Set
			if at.IsZero() {
				at = r.Span
			}
			p.report(q.at, "jobs that ask for no memory fill %d of the %d processors of %s", fit, m.CPUs, r.Name).
				NoteAt(at, "%d MB for jobs, at %d MB a processor", usable(m), q.mb).
				Note("write DefMemPerCPU=%d, or less in a partition of these nodes alone", usable(m)/m.CPUs)
			return false
		})
	})
}

func defaultMemoryOverMax(p *pass) {
	if !p.slurm() {
		return
	}
	told := map[source.Span]bool{}
	test := func(of string, standard, limit quantity) {
		if standard.name == "" || limit.name == "" || standard.name[3:] != limit.name[3:] || standard.mb <= limit.mb || told[standard.at] {
			return
		}
		told[standard.at] = true
		d := p.report(standard.at, "%s=%d is above %s=%d%s", standard.name, standard.mb, limit.name, limit.mb, of).NoteAt(limit.at, "the limit")
		if strings.HasSuffix(standard.name, "CPU") {
			d.Note("a job that asks for no memory gets more processors, until each has no more than the limit; write a lower %s", standard.name)
		} else {
			d.Note("a job that asks for no memory waits for ever; write a lower %s", standard.name)
		}
	}
	for _, part := range p.records["PartitionName"] {
		standard, ok := p.memory(part, "DefMem")
		limit, both := p.memory(part, "MaxMem")
		if ok && both {
			test(" in partition "+part.Name, standard, limit)
		}
	}
	if len(p.records["PartitionName"]) == 0 {
		standard, ok := p.memory(nil, "DefMem")
		if limit, both := p.memory(nil, "MaxMem"); ok && both {
			test("", standard, limit)
		}
	}
}

func partitionMinNodes(p *pass) {
	told := map[source.Span]bool{}
	for _, part := range p.records["PartitionName"] {
		low, high := part.Attr("MinNodes"), part.Attr("MaxNodes")
		if low == nil || told[low.Span] {
			continue
		}
		switch n := low.Number(); {
		case high != nil && !high.Infinite && n > high.Number():
			told[low.Span] = true
			p.report(low.Span, "no job can be in partition %s: MinNodes=%s is above MaxNodes=%s", part.Name, low.Text, high.Text).
				NoteAt(high.Span, "the most nodes of a job").Note("write a lower MinNodes")
		case len(part.Nodes) > 0 && !p.growing() && n > float64(len(part.Nodes)):
			told[low.Span] = true
			p.report(low.Span, "no job can be in partition %s: MinNodes=%s, and it has %s", part.Name, low.Text, several(len(part.Nodes), "node")).
				Note("write a lower MinNodes, or more Nodes")
		}
	}
}

func idleMaxCPUs(p *pass) {
	told := map[source.Span]bool{}
	for _, part := range p.records["PartitionName"] {
		a := part.Attr("MaxCPUsPerNode")
		if a.Number() <= 0 || a.Infinite || len(part.Nodes) == 0 || p.growing() || told[a.Span] {
			continue
		}
		most := int64(0)
		p.machines(part, func(r *ir.Record) bool {
			most = max(most, r.Machine.CPUs)
			return true
		})
		if int64(a.Number()) > most && !p.bindsElsewhere(a, most) {
			told[a.Span] = true
			p.report(a.Span, "MaxCPUsPerNode=%s keeps nothing from jobs in %s: no node has more than %d processors", a.Text, part.Name, most).
				Note("write fewer, or leave it out")
		}
	}
}

// bindsElsewhere reports that another partition inherits the same setting, and has larger nodes.
func (p *pass) bindsElsewhere(a *ir.Attr, most int64) (binds bool) {
	for _, part := range p.records["PartitionName"] {
		if b := part.Attr(a.Name); b != nil && b.Span == a.Span {
			p.machines(part, func(r *ir.Record) bool {
				binds = binds || r.Machine.CPUs > int64(a.Number())
				return !binds
			})
		}
	}
	return binds
}

func systemShares(p *pass) {
	for _, r := range p.records["NodeName"] {
		m := r.Machine
		if m == nil {
			continue
		}
		if n := m.SystemCores.Number; n > 0 && n >= m.Cores {
			p.report(m.SystemCores.Set, "CoreSpecCount=%d leaves %s no core: they have %d", n, r.Name, m.Cores).
				Note("slurmctld takes 1 in its place; write how many cores the system is to have")
		}
		if n := m.SystemMB.Number; n > 0 && n >= m.MemoryMB.Number {
			d := p.report(m.SystemMB.Set, "MemSpecLimit=%d leaves %s no memory: they have %d MB", n, r.Name, m.MemoryMB.Number)
			if m.MemoryMB.Set.IsZero() {
				d.Note("RealMemory is not set, so that it is 1 MB")
			}
			d.Note("slurmctld takes 0 in its place; write how many MB the system is to have")
		}
	}
}

// emptyPartitions takes it that a file without any nodes is not whole.
func emptyPartitions(p *pass) {
	if len(p.records["NodeName"]) == 0 || p.growing() {
		return
	}
	for _, part := range p.records["PartitionName"] {
		if a := part.Attr("Nodes"); a == nil || a.Text == "" || a.Text == `""` {
			p.report(part.Span, "partition %s has no nodes", part.Name).Note("no job can run in it; write Nodes=…, or remove the partition")
		}
	}
}

// used are the nodes that are in some partition, in their order.
func (p *pass) used() (list []int32) {
	for _, part := range p.records["PartitionName"] {
		list = append(list, part.Nodes...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func unusedNodes(p *pass) {
	used := p.used()
	if len(used) == 0 || p.Facts.Partial {
		return
	}
	var list []*ir.Record
	start, idle, some := int32(0), 0, 0 // idle nodes in all, and of the first record
	for _, r := range p.records["NodeName"] {
		first, _ := slices.BinarySearch(used, start)
		start += int32(r.Count)
		last, _ := slices.BinarySearch(used, start)
		n := r.Count - (last - first)
		if n == 0 || r.Machine != nil && strings.Contains(r.Machine.State, "FUTURE") {
			continue
		}
		if list = append(list, r); len(list) == 1 {
			some = n
		}
		idle += n
	}
	if len(list) == 0 {
		return
	}
	what := list[0].Name
	if some < list[0].Count {
		what = fmt.Sprintf("%d of %s", some, what)
	}
	if idle > some {
		what += fmt.Sprintf(" and %s", several(idle-some, "other node"))
	}
	d := p.report(list[0].Span, "nodes are in no partition: %s", what)
	for _, r := range list[1:min(4, len(list))] {
		d.NoteAt(r.Span, "these are in none either, or not all of them")
	}
	d.Note("no job can run there; add them to the Nodes of a partition, or remove them if they are no hosts to submit from")
}

func emptyNodeSets(p *pass) {
	if p.growing() || len(p.records["NodeName"]) == 0 {
		return
	}
	var known []string
	for _, r := range p.records["NodeName"] {
		if r.Machine != nil {
			known = append(known, r.Machine.Features...)
		}
	}
	for _, set := range p.records["NodeSet"] {
		a := set.Attr("Feature")
		if a == nil || a.Text == "" || set.Attr("Nodes") != nil || slices.ContainsFunc(known, func(f string) bool { return strings.EqualFold(f, a.Text) }) {
			continue
		}
		at := wordAt(a.Span, a.Text)
		p.report(at, "no node has the feature %s, so the set %s is empty", a.Text, set.Name).
			Note("write Feature=%s on its nodes, or correct the name", a.Text).DidYouMean(at, a.Text, known)
	}
}

func gresTypes(p *pass) {
	if !p.complete() {
		return
	}
	types := strings.Split(strings.ToLower(p.text("GresTypes")), ",")
	for i := range types {
		types[i] = strings.TrimSpace(types[i])
	}
	told := map[string]bool{}
	for _, r := range p.records["NodeName"] {
		if r.Machine == nil {
			continue
		}
		for _, name := range r.Machine.Gres {
			if name = strings.ToLower(name); told[name] || slices.Contains(types, name) {
				continue
			}
			told[name] = true
			at := r.Span
			if a := r.Attr("Gres"); a != nil {
				at = gresAt(a.Span, name)
			}
			d := p.report(at, "GresTypes does not name %s, which %s have", name, r.Name)
			if p.isSet("GresTypes") {
				d.NoteAt(p.at("GresTypes"), "%s is missing here", name)
			}
			d.Note("jobs that ask for it are refused; write GresTypes=%s", strings.TrimPrefix(p.text("GresTypes")+","+name, ","))
		}
	}
}

// gresAt is where the entry of a name stands in a Gres list.
func gresAt(list source.Span, name string) source.Span {
	text := list.Text()
	at := 0
	for _, entry := range strings.Split(text, ",") {
		word := strings.Trim(entry, `" `)
		if kind, _, _ := strings.Cut(word, ":"); strings.EqualFold(kind, name) {
			start := at + strings.Index(entry, word)
			return list.Sub(start, start+len(word))
		}
		at += len(entry) + 1
	}
	return list
}
