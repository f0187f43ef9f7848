package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// slurmPartitions are the rules about partitions.
var slurmPartitions = []Rule{
	{"slurm-tier-absolute", absoluteTiers},
	{"slurm-partitions-overlap", overlappingPartitions},
	{"slurm-no-time-limit", noTimeLimit},
	{"slurm-no-default-time", noDefaultTime},
	{"slurm-default-over-max", defaultOverMax},
	{"slurm-partition-closed", closedPartitions},
	{"slurm-no-default-partition", noDefaultPartition},
}

// shared finds the first pair of partitions, in the order of the file, that have common nodes and whose tiers are the
// same, or differ. One for root alone is as it is on purpose.
func (p *pass) shared(sameTier bool) (a, b *ir.Record) {
	list := slices.DeleteFunc(slices.Clone(p.records["PartitionName"]), func(r *ir.Record) bool { return isOn(r.Attr("RootOnly")) })
	tiers := make([]int64, len(list))
	for i, r := range list {
		tiers[i] = p.tier(r)
	}
	if !sameTier && !slices.ContainsFunc(tiers, func(t int64) bool { return t != tiers[0] }) {
		return nil, nil
	}
	for i, a := range list {
		for k := i + 1; k < len(list); k++ {
			if (tiers[i] == tiers[k]) == sameTier && intersect(a.Nodes, list[k].Nodes) {
				return a, list[k]
			}
		}
	}
	return nil, nil
}

// intersect of two ascending lists.
func intersect(a, b []int32) bool {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] || b[len(b)-1] < a[0] {
		return false
	}
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			return true
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return false
}

// tier is the partition's PriorityTier; Priority sets it too.
func (p *pass) tier(r *ir.Record) int64 {
	if p.tiers == nil {
		p.tiers = map[string]int64{}
		if t := p.table("partition.priority_tier"); t != nil {
			for _, row := range t.Rows {
				p.tiers[row.Name] = row.Value.Int
			}
		}
	}
	if tier, ok := p.tiers[r.Name]; ok {
		return tier
	}
	return 1
}

func absoluteTiers(p *pass) {
	if strings.EqualFold(p.text("PreemptType"), "preempt/partition_prio") {
		return
	}
	low, high := p.shared(false)
	if low == nil {
		return
	}
	if p.tier(low) > p.tier(high) {
		low, high = high, low
	}
	at := high.Span
	if t := high.Attr("PriorityTier"); t != nil {
		at = t.Span
	}
	p.report(at, "no job of %s starts on the nodes it shares with %s while one of %s waits for them", low.Name, high.Name, high.Name).
		NoteAt(low.Span, "%s has the tier %d, %s %d", low.Name, p.tier(low), high.Name, p.tier(high)).
		Note("PriorityJobFactor weighs partitions instead")
}

func overlappingPartitions(p *pass) {
	a, b := p.shared(true)
	if a == nil {
		return
	}
	p.report(b.Span, "%s shares nodes with %s in one tier", b.Name, a.Name).
		NoteAt(a.Span, "a job that waits here keeps shared nodes from the main pass").
		Note("backfill must reach far enough: bf_max_job_test, bf_continue")
}

func noTimeLimit(p *pass) {
	if !strings.EqualFold(p.text("SchedulerType"), "sched/backfill") || p.Facts.Partial {
		return
	}
	list := p.unlimited()
	if len(list) == 0 {
		return
	}
	var all []string
	for _, r := range list {
		all = append(all, r.Name)
	}
	p.report(list[0].Span, "a job without a time limit in %s is planned to run for a year", names(all)).
		Note("write MaxTime and a short DefaultTime, so that backfill can plan around it")
}

func noDefaultTime(p *pass) {
	for _, r := range p.records["PartitionName"] {
		if limit := r.Attr("MaxTime"); limit != nil && !limit.Infinite && r.Attr("DefaultTime") == nil {
			p.report(r.Span, "a job in %s that asks for no time is planned with %s", r.Name, duration(int64(limit.Number())*60)).Note("write a short DefaultTime")
		}
	}
}

func defaultOverMax(p *pass) {
	for _, r := range p.records["PartitionName"] {
		standard, limit := r.Attr("DefaultTime"), r.Attr("MaxTime")
		if standard == nil || limit == nil || limit.Infinite || !standard.Infinite && standard.Number() <= limit.Number() {
			continue
		}
		d := p.report(standard.Span, "DefaultTime=%s of %s is longer than its MaxTime=%s", standard.Text, r.Name, limit.Text)
		if limit.Inherited {
			d.NoteAt(limit.Span, "MaxTime is inherited from this DEFAULT line")
		}
		d.Note("write a DefaultTime up to MaxTime, or a MaxTime of the partition's own")
	}
}

func closedPartitions(p *pass) {
	for _, r := range p.records["PartitionName"] {
		if a := r.Attr("State"); a.Is("DRAIN") || a.Is("INACTIVE") {
			p.report(a.Span, "partition %s is closed at every start", r.Name).Note("write State=UP, and close it with scontrol update for a while")
		}
	}
}

func noDefaultPartition(p *pass) {
	list := p.records["PartitionName"]
	if p.Facts.Partial || len(list) == 0 || slices.ContainsFunc(list, func(r *ir.Record) bool {
		return isOn(r.Attr("Default"))
	}) {
		return
	}
	p.report(list[0].Span, "no partition is the default").Note("a job that names none is refused; write Default=YES on one, if that is not meant")
}

// isOn reports a switch that is set, by any of the words that Slurm takes.
func isOn(a *ir.Attr) bool { return a.Is("YES") || a.Is("TRUE") || a.Is("1") || a.Is("UP") }
