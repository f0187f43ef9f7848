package slurmconf

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// partitions makes the partitions of the PartitionName records, in file order.
func (e *evaluator) partitions() {
	byName := map[string]int{}
	for _, r := range e.cfg.Records {
		if r.Kind != "PartitionName" {
			continue
		}
		if i, ok := byName[r.Name.Text]; ok {
			e.samePartition(r, e.cfg.Partitions[i])
			continue
		}
		byName[r.Name.Text] = len(e.cfg.Partitions)
		e.cfg.Partitions = append(e.cfg.Partitions, e.partition(r))
	}
	e.oneDefault()
}

// somePartition tests that there is one: slurmctld ends with "No PartitionName information available!"
// (seen in 22.05). A warning, because the rest of the file means what it says, and what the snapshot
// has of partitions may complete it. A file of records alone is a piece that others include.
func (e *evaluator) somePartition(lines []*Line) {
	if len(e.cfg.Partitions) > 0 || e.partial || len(lines) == 0 || len(e.cfg.Params) == 0 {
		return
	}
	for _, r := range e.cfg.Records {
		if r.Kind == "PartitionName" {
			return // it is wrong, and that is reported
		}
	}
	e.ds.Warnf("slurm-no-partition", lines[0].Span.Sub(0, 0), "no PartitionName record is here").
		Note("slurmctld does not start without; write for instance PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0 " +
			"DefaultTime=60")
}

// oneDefault takes the mark off all default partitions but the last, as
// read_config.c does when it comes to another.
func (e *evaluator) oneDefault() {
	last := (*Partition)(nil)
	for i := range e.cfg.Partitions {
		p := &e.cfg.Partitions[i]
		if !p.Default {
			continue
		}
		if last != nil {
			last.Default = false
			if v, _ := p.Record.Get("Default"); e.first(v) {
				d := e.ds.Warnf("slurm-two-defaults", v.Span, "%s becomes the default partition in the place of %s", p.Name,
					last.Name)
				if before, _ := last.Record.Get("Default"); before.IsSet() {
					d.NoteAt(before.Span, "this one has no effect, for the last Default=YES counts")
				}
				d.Note("keep one of them")
			}
		}
		last = p
	}
}

// samePartition: a second record is fatal (seen of 22.05; _build_single_partitionline_info since 20.02); versions
// before log it and keep the first.
func (e *evaluator) samePartition(r *Record, first Partition) {
	severity, consequence := diag.Error, "slurmctld refuses to start"
	if before(e.version, "20.02") {
		severity, consequence = diag.Warning, "Slurm logs an error and ignores this one"
	}
	e.ds.Add(severity, "slurm-duplicate-partition", r.Name.Span, "the partition %s is defined twice", r.Name.Text).
		NoteAt(first.Record.Name.Span, "it is defined here already; %s", consequence)
}

// partition reads one partition with Slurm's defaults (read_config.c,
// _parse_partitionname): infinite limits, job factor and tier 1, state UP.
func (e *evaluator) partition(r *Record) Partition {
	p := Partition{Name: r.Name.Text, Record: r, State: "UP", OverSubscribe: "NO", MaxShare: 1}
	get := func(key string, otherwise Value) Value {
		if v, ok := r.Get(key); ok {
			return v
		}
		return otherwise
	}
	unlimited := Value{Text: "UNLIMITED", Number: 0xffffffff, Infinite: true}
	p.PriorityJobFactor = get("PriorityJobFactor", Value{Text: "1", Number: 1})
	p.PriorityTier = get("PriorityTier", Value{Text: "1", Number: 1})
	p.MaxTimeMinutes = get("MaxTime", unlimited)
	p.DefaultTimeMinutes = get("DefaultTime", Value{})
	p.MinNodes = get("MinNodes", Value{Text: "0"})
	p.MaxNodes = get("MaxNodes", unlimited)
	p.MaxCPUsPerNode = get("MaxCPUsPerNode", unlimited)
	p.MaxCPUsPerSocket = get("MaxCPUsPerSocket", unlimited)
	p.QOS = get("QOS", Value{})
	p.Default = get("Default", Value{}).Bool
	if v, ok := r.Get("State"); ok {
		p.State, _ = partitionState(v.Text)
	}
	e.partitionPriority(r, &p)
	e.partitionAccess(r, &p)
	e.partitionMemory(r, &p)
	p.OverSubscribe, p.MaxShare = e.overSubscribe(r)
	if v, ok := r.Get("TRESBillingWeights"); ok {
		p.TRESBillingWeights = e.weights("TRESBillingWeights", v)
	}
	if v, ok := r.Get("Nodes"); ok {
		p.Nodes = e.nodeIndexes(Word{Text: v.Text, Span: v.Span}, "the partition "+p.Name)
		slices.Sort(p.Nodes)
		p.Nodes = slices.Compact(p.Nodes)
	}
	e.totals(&p)
	return p
}

// partitionPriority: Priority, even from DEFAULT, overwrites both of the keys
// that replaced it in 16.05.
func (e *evaluator) partitionPriority(r *Record, p *Partition) {
	v, ok := r.Get("Priority")
	if !ok {
		return
	}
	for _, key := range []string{"PriorityJobFactor", "PriorityTier"} {
		if over, ok := r.Get(key); ok {
			e.ds.Warnf("slurm-overruled", over.Span, "%s has no effect beside Priority", key).
				NoteAt(v.Span, "Priority=%s overwrites it, even from a DEFAULT record; delete Priority", v.Text)
		}
	}
	p.PriorityJobFactor, p.PriorityTier = v, v
}

// partitionAccess: an Allow list makes the Deny list of its kind ignored.
// Names are kept in lower case, as the accounting database has them.
func (e *evaluator) partitionAccess(r *Record, p *Partition) {
	list := func(key string) []string {
		v, ok := r.Get(key)
		if !ok || strings.EqualFold(v.Text, "ALL") {
			return nil
		}
		words := splitList(strings.ToLower(v.Text))
		if words == nil {
			words = []string{}
		}
		return words
	}
	for _, kind := range []struct {
		name        string
		allow, deny *[]string
	}{{"Accounts", &p.AllowAccounts, &p.DenyAccounts}, {"Qos", &p.AllowQOS, &p.DenyQOS}} {
		*kind.allow = list("Allow" + kind.name)
		deny, ok := r.Get("Deny" + kind.name)
		if allow, both := r.Get("Allow" + kind.name); ok && both {
			e.ds.Warnf("slurm-overruled", deny.Span, "Deny%s has no effect beside Allow%s", kind.name, kind.name).
				NoteAt(allow.Span, "the Allow list counts alone")
		} else {
			*kind.deny = list("Deny" + kind.name)
		}
	}
	if v, ok := r.Get("AllowGroups"); ok && !strings.EqualFold(v.Text, "ALL") {
		p.AllowGroups = splitList(v.Text)
	}
}

// partitionMemory: the limits per node win over those per CPU.
func (e *evaluator) partitionMemory(r *Record, p *Partition) {
	for _, kind := range []struct {
		name            string
		perCPU, perNode *Value
	}{{"DefMem", &p.DefMemPerCPUMB, &p.DefMemPerNodeMB}, {"MaxMem", &p.MaxMemPerCPUMB, &p.MaxMemPerNodeMB}} {
		*kind.perNode, _ = r.Get(kind.name + "PerNode")
		perCPU, ok := r.Get(kind.name + "PerCPU")
		if ok && kind.perNode.IsSet() {
			e.ds.Warnf("slurm-overruled", perCPU.Span, "%sPerCPU has no effect beside %sPerNode", kind.name, kind.name).
				NoteAt(kind.perNode.Span, "the value per node counts")
			continue
		}
		*kind.perCPU = perCPU
	}
}

// overSubscribe: the key on the line, then in DEFAULT, then the old Shared on
// the line, then in DEFAULT.
func (e *evaluator) overSubscribe(r *Record) (string, int) {
	v, ok := r.Get("OverSubscribe")
	if !ok {
		v, ok = r.Get("Shared")
	} else if old, also := r.Get("Shared"); also {
		e.ds.Infof("slurm-overruled", old.Span, "Shared has no effect beside OverSubscribe").
			NoteAt(v.Span, "this counts, even from a DEFAULT record")
	}
	if !ok {
		return "NO", 1
	}
	mode, jobs, _ := parseOverSubscribe(v.Text)
	return mode, jobs
}

// suggestNode names the defined node nearest to one that is not. There is no
// fix: the diagnostic's span is the whole list.
func (e *evaluator) suggestNode(d *diag.Diagnostic, name string) {
	if d == nil || len(e.cfg.Nodes) > 4096 {
		return // comparing with every name of a huge cluster takes too long
	}
	var known []string
	for _, n := range e.cfg.Nodes {
		known = append(known, n.Name)
	}
	if near := diag.Nearest(name, known); near != "" {
		d.Note("did you mean %q?", near)
	}
}
