package slurm

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/source"
)

// machinesRules are the rules about what nodes have and what partitions and memory settings ask of them.
var machinesRules = []rule.Rule{
	{Code: "slurm-memory-unset", Check: unsetMemory},
	{Code: "slurm-memory-small", Check: smallMemory},
	{Code: "slurm-default-memory-large", Check: largeDefaultMemory},
	{Code: "slurm-default-memory-cores", Check: defaultMemoryCores},
	{Code: "slurm-default-memory-over-max", Check: defaultMemoryOverMax},
	{Code: "slurm-partition-min-nodes", Check: partitionMinNodes},
	{Code: "slurm-max-cpus-idle", Check: idleMaxCPUs},
	{Code: "slurm-system-share", Check: systemShares},
	{Code: "slurm-partition-empty", Check: emptyPartitions},
	{Code: "slurm-node-unused", Check: unusedNodes},
	{Code: "slurm-node-set-empty", Check: emptyNodeSets},
	{Code: "slurm-gres-type", Check: gresTypes},
}

// machines visits the NodeName records with nodes of a partition, until visit wants no more.
func machines(p *rule.Pass, part *ir.Record, visit func(r *ir.Record) (more bool)) {
	for rest := part.Nodes; len(rest) > 0; {
		at := sort.Search(len(p.NodesFrom), func(i int) bool { return p.NodesFrom[i] > rest[0] }) - 1
		r := p.Records["NodeName"][at]
		if r.Machine != nil && !visit(r) {
			return
		}
		next, _ := slices.BinarySearch(rest, p.NodesFrom[at]+int32(r.Count))
		rest = rest[max(next, 1):]
	}
}

// complete reports a slurm.conf that is no part of another, as one of records alone is.
func complete(p *rule.Pass) bool {
	return p.Slurm() && !p.Facts.Partial && len(p.Globals()) > 0
}

// growing reports that nodes may be there which the file does not name.
func growing(p *rule.Pass) bool { return p.Facts.Partial || p.IsSet("MaxNodeCount") }

func memoryShared(p *rule.Pass) bool {
	return p.Slurm() && p.Flag("SelectTypeParameters", "MEMORY")
}

// recordNames joins the first few, for messages.
func recordNames(list []*ir.Record) string {
	var all []string
	for _, r := range list {
		all = append(all, r.Name)
	}
	return rule.Names(all)
}

// unsetMemory asks where memory was made a resource on purpose. From 23.11 on it is one by default, also for who
// has never thought of it.
func unsetMemory(p *rule.Pass) {
	if !memoryShared(p) || !p.IsSet("SelectTypeParameters") || p.Facts.Partial {
		return
	}
	used := used(p)
	var list []*ir.Record
	start := int32(0)
	for _, r := range p.Records["NodeName"] {
		i, _ := slices.BinarySearch(used, start)
		in := i < len(used) && used[i] < start+int32(r.Count)
		if m := r.Machine; in && m != nil && m.MemoryMB.Number == 1 && !refused(r, m) &&
			!strings.Contains(m.State, "FUTURE") {
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
	p.Report(at, "RealMemory of %s is 1 MB, so no job that asks for memory can run there", recordNames(list)).
		NoteAt(p.At("SelectTypeParameters"), "memory is shared out like processors").
		Note("%s; `slurmd -C` on the node prints what to write", why)
}

// refused reports a RealMemory that is there and none that Slurm takes.
func refused(r *ir.Record, m *ir.Machine) bool {
	return m.MemoryMB.Set.IsZero() && r.Span.File != nil &&
		strings.Contains(strings.ToLower(r.Span.File.Line(r.Span.Position().Line)), "realmemory")
}

func smallMemory(p *rule.Pass) {
	for _, r := range p.Records["NodeName"] {
		m := r.Machine
		if m == nil || m.MemoryMB.Set.IsZero() || m.MemoryMB.Number <= 1 || m.MemoryMB.Number >= 32*m.CPUs ||
			m.MemoryMB.Number >= 4096 {
			continue
		}
		p.Report(m.MemoryMB.Set, "RealMemory of %s is %d MB for %s", r.Name, m.MemoryMB.Number,
			rule.Several(int(m.CPUs), "processor")).
			Note("RealMemory is in MB; write %d for as many GB, somewhat less than there is", m.MemoryMB.Number*1000)
	}
}

// quantity is a setting of a partition, or else the one for all of them.
type quantity struct {
	name string
	mb   int64
	at   source.Span
}

// memory finds one of two settings: the partition's own, the one per node before the one per processor, or else
// those for
// all partitions. ok is false where nothing is set.
func memory(p *rule.Pass, part *ir.Record, kind string) (q quantity, ok bool) {
	for _, name := range []string{kind + "PerNode", kind + "PerCPU"} {
		if a := part.Attr(name); a != nil {
			return quantity{name, int64(a.Number()), a.Span}, a.Number() > 0 && !a.Infinite
		}
	}
	for _, name := range []string{kind + "PerNode", kind + "PerCPU"} {
		if n := p.Number(name); p.IsSet(name) && n > 0 {
			return quantity{name, int64(n), p.At(name)}, true
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
func measured(p *rule.Pass, visit func(part *ir.Record, q quantity)) {
	if !memoryShared(p) {
		return
	}
	for _, part := range p.Records["PartitionName"] {
		q, ok := memory(p, part, "DefMem")
		if !ok || len(part.Nodes) == 0 || growing(p) {
			continue
		}
		machines(p, part, func(r *ir.Record) bool {
			ok = ok && r.Machine.MemoryMB.Number > 1
			return ok
		})
		if ok {
			visit(part, q)
		}
	}
}

func largeDefaultMemory(p *rule.Pass) {
	seen := map[source.Span]bool{}
	measured(p, func(part *ir.Record, q quantity) {
		var largest *ir.Record
		machines(p, part, func(r *ir.Record) bool {
			if largest == nil || usable(r.Machine) > usable(largest.Machine) {
				largest = r
			}
			return true
		})
		if largest == nil || q.mb <= usable(largest.Machine) || seen[q.at] {
			return
		}
		seen[q.at] = true
		p.Report(q.at, "%s=%d is more than any node of partition %s has", q.name, q.mb, part.Name).
			NoteAt(largest.Span, "%s have the most, %d MB for jobs", largest.Name, usable(largest.Machine)).
			Note("a job that asks for no memory fits nowhere; write a number in MB up to that")
	})
}

// defaultMemoryCores leaves nodes out that have a specialised core count: the processors of the system are not
// given out.
func defaultMemoryCores(p *rule.Pass) {
	seen := map[source.Span]bool{}
	measured(p, func(part *ir.Record, q quantity) {
		if q.name != "DefMemPerCPU" || seen[q.at] {
			return
		}
		machines(p, part, func(r *ir.Record) bool {
			m := r.Machine
			fit := usable(m) / q.mb
			if fit == 0 || fit >= m.CPUs || m.SystemCores.Number > 0 {
				return true
			}
			seen[q.at] = true
			at := m.MemoryMB.Set
			if at.IsZero() {
				at = r.Span
			}
			p.Report(q.at, "jobs that ask for no memory fill %d of the %d processors of %s", fit, m.CPUs, r.Name).
				NoteAt(at, "%d MB for jobs, at %d MB a processor", usable(m), q.mb).
				Note("write DefMemPerCPU=%d, or less in a partition of these nodes alone", usable(m)/m.CPUs)
			return false
		})
	})
}

func defaultMemoryOverMax(p *rule.Pass) {
	seen := map[source.Span]bool{}
	test := func(of string, standard, limit quantity) {
		if standard.name == "" || limit.name == "" || standard.name[3:] != limit.name[3:] || standard.mb <= limit.mb ||
			seen[standard.at] {
			return
		}
		seen[standard.at] = true
		d := p.Report(standard.at, "%s=%d is above %s=%d%s", standard.name, standard.mb, limit.name, limit.mb, of).
			NoteAt(limit.at, "the limit")
		if strings.HasSuffix(standard.name, "CPU") {
			d.Note(
				"a job that asks for no memory gets more processors, until each has no more than the limit; write "+
					"a lower %s",
				standard.name,
			)
		} else {
			d.Note("a job that asks for no memory waits for ever; write a lower %s", standard.name)
		}
	}
	for _, part := range p.Records["PartitionName"] {
		standard, ok := memory(p, part, "DefMem")
		limit, both := memory(p, part, "MaxMem")
		if ok && both {
			test(" in partition "+part.Name, standard, limit)
		}
	}
	if len(p.Records["PartitionName"]) == 0 {
		standard, ok := memory(p, nil, "DefMem")
		if limit, both := memory(p, nil, "MaxMem"); ok && both {
			test("", standard, limit)
		}
	}
}

func partitionMinNodes(p *rule.Pass) {
	seen := map[source.Span]bool{}
	for _, part := range p.Records["PartitionName"] {
		low, high := part.Attr("MinNodes"), part.Attr("MaxNodes")
		if low == nil || seen[low.Span] {
			continue
		}
		switch n := low.Number(); {
		case high != nil && !high.Infinite && n > high.Number():
			seen[low.Span] = true
			p.Report(low.Span, "no job can be in partition %s: MinNodes=%s is above MaxNodes=%s", part.Name, low.Text,
				high.Text).
				NoteAt(high.Span, "the most nodes of a job").
				Note("write a lower MinNodes")
		case len(part.Nodes) > 0 && !growing(p) && n > float64(len(part.Nodes)):
			seen[low.Span] = true
			p.Report(low.Span, "no job can be in partition %s: MinNodes=%s, and it has %s", part.Name, low.Text,
				rule.Several(len(part.Nodes), "node")).
				Note("write a lower MinNodes, or more Nodes")
		}
	}
}

func idleMaxCPUs(p *rule.Pass) {
	seen := map[source.Span]bool{}
	for _, part := range p.Records["PartitionName"] {
		a := part.Attr("MaxCPUsPerNode")
		if a.Number() <= 0 || a.Infinite || len(part.Nodes) == 0 || growing(p) || seen[a.Span] {
			continue
		}
		most := int64(0)
		machines(p, part, func(r *ir.Record) bool {
			most = max(most, r.Machine.CPUs)
			return true
		})
		if int64(a.Number()) > most && !bindsElsewhere(p, a, most) {
			seen[a.Span] = true
			p.Report(a.Span, "MaxCPUsPerNode=%s keeps nothing from jobs in %s: no node has more than %d processors",
				a.Text, part.Name, most).
				Note("write fewer, or leave it out")
		}
	}
}

// bindsElsewhere reports that another partition inherits the same setting, and has larger nodes.
func bindsElsewhere(p *rule.Pass, a *ir.Attr, most int64) (binds bool) {
	for _, part := range p.Records["PartitionName"] {
		if b := part.Attr(a.Name); b != nil && b.Span == a.Span {
			machines(p, part, func(r *ir.Record) bool {
				binds = binds || r.Machine.CPUs > int64(a.Number())
				return !binds
			})
		}
	}
	return binds
}

func systemShares(p *rule.Pass) {
	for _, r := range p.Records["NodeName"] {
		m := r.Machine
		if m == nil {
			continue
		}
		if n := m.SystemCores.Number; n > 0 && n >= m.Cores {
			p.Report(m.SystemCores.Set, "CoreSpecCount=%d leaves no core of %s: a node has %d", n, r.Name, m.Cores).
				Note("slurmctld takes 1 in its place; write how many cores the system is to have")
		}
		if n := m.SystemMB.Number; n > 0 && n >= m.MemoryMB.Number {
			d := p.Report(m.SystemMB.Set, "MemSpecLimit=%d leaves no memory of %s: a node has %d MB", n, r.Name,
				m.MemoryMB.Number)
			if m.MemoryMB.Set.IsZero() {
				d.Note("RealMemory is not set, so that it is 1 MB")
			}
			d.Note("slurmctld takes 0 in its place; write how many MB the system is to have")
		}
	}
}

// emptyPartitions takes it that a file without any nodes is not whole.
func emptyPartitions(p *rule.Pass) {
	if len(p.Records["NodeName"]) == 0 || growing(p) {
		return
	}
	for _, part := range p.Records["PartitionName"] {
		if a := part.Attr("Nodes"); a == nil || a.Text == "" || a.Text == `""` {
			p.Report(part.Span, "partition %s has no nodes", part.Name).
				Note("no job can run in it; write Nodes=…, or remove the partition")
		}
	}
}

// used are the nodes that are in some partition, in their order.
func used(p *rule.Pass) (list []int32) {
	for _, part := range p.Records["PartitionName"] {
		list = append(list, part.Nodes...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func unusedNodes(p *rule.Pass) {
	used := used(p)
	if len(used) == 0 || p.Facts.Partial {
		return
	}
	var list []*ir.Record
	start, idle, some := int32(0), 0, 0 // idle nodes in all, and of the first record
	for _, r := range p.Records["NodeName"] {
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
		what += fmt.Sprintf(" and %s", rule.Several(idle-some, "other node"))
	}
	d := p.Report(list[0].Span, "nodes are in no partition: %s", what)
	for _, r := range list[1:min(4, len(list))] {
		d.NoteAt(r.Span, "these are in none either, or not all of them")
	}
	d.Note(
		"no job can run there; add them to the Nodes of a partition, or remove them if they are no hosts to submit " +
			"from",
	)
}

func emptyNodeSets(p *rule.Pass) {
	if growing(p) || len(p.Records["NodeName"]) == 0 {
		return
	}
	var known []string
	for _, r := range p.Records["NodeName"] {
		if r.Machine != nil {
			known = append(known, r.Machine.Features...)
		}
	}
	for _, set := range p.Records["NodeSet"] {
		a := set.Attr("Feature")
		if a == nil || a.Text == "" || set.Attr("Nodes") != nil ||
			slices.ContainsFunc(known, func(f string) bool { return strings.EqualFold(f, a.Text) }) {
			continue
		}
		at := rule.WordAt(a.Span, a.Text)
		p.Report(at, "no node has the feature %s, so the set %s is empty", a.Text, set.Name).
			Note("write Feature=%s on its nodes, or correct the name", a.Text).DidYouMean(at, a.Text, known)
	}
}

func gresTypes(p *rule.Pass) {
	if !complete(p) {
		return
	}
	types := strings.Split(strings.ToLower(p.Text("GresTypes")), ",")
	for i := range types {
		types[i] = strings.TrimSpace(types[i])
	}
	seen := map[string]bool{}
	for _, r := range p.Records["NodeName"] {
		if r.Machine == nil {
			continue
		}
		for _, name := range r.Machine.Gres {
			if name = strings.ToLower(name); seen[name] || slices.Contains(types, name) {
				continue
			}
			seen[name] = true
			at := r.Span
			if a := r.Attr("Gres"); a != nil {
				at = gresAt(a.Span, name)
			}
			if kind, number, ok := strings.Cut(name, "="); ok {
				p.Report(at, "%s is taken for the name of a resource, which GresTypes does not have", name).
					Note("a number comes after a colon: write %s:%s", kind, number)
				continue
			}
			d := p.Report(at, "GresTypes does not name %s of %s", name, r.Name)
			if p.IsSet("GresTypes") {
				d.NoteAt(p.At("GresTypes"), "%s is missing here", name)
			}
			d.Note("jobs that ask for it are refused; write GresTypes=%s",
				strings.TrimPrefix(p.Text("GresTypes")+","+name, ","))
		}
	}
}

// gresAt is where the entry of a name is in a Gres list.
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
