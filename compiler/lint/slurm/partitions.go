package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// partitionsRules are the rules about partitions.
var partitionsRules = []rule.Rule{
	{Code: "slurm-tier-absolute", Check: absoluteTiers},
	{Code: "slurm-partitions-overlap", Check: overlappingPartitions},
	{Code: "slurm-no-time-limit", Check: noTimeLimit},
	{Code: "slurm-no-default-time", Check: noDefaultTime},
	{Code: "slurm-default-over-max", Check: defaultOverMax},
	{Code: "slurm-partition-closed", Check: closedPartitions},
	{Code: "slurm-no-default-partition", Check: noDefaultPartition},
}

// shared finds the first pair of partitions, in the order of the file, that have common nodes and whose tiers are the
// same, or differ. One for root alone is as it is on purpose.
func shared(p *rule.Pass, sameTier bool) (a, b *ir.Record) {
	list := slices.DeleteFunc(slices.Clone(p.Records["PartitionName"]),
		func(r *ir.Record) bool { return isOn(r.Attr("RootOnly")) })
	all, tiers := tiersOf(p), make([]int64, len(list))
	for i, r := range list {
		tiers[i] = all.of(r)
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

// tiers are those of the partitions by name; Priority sets them too.
type tiers map[string]int64

func tiersOf(p *rule.Pass) tiers {
	list := tiers{}
	if t := p.Table("partition.priority_tier"); t != nil {
		for _, row := range t.Rows {
			list[row.Name] = row.Value.Int
		}
	}
	return list
}

func (t tiers) of(r *ir.Record) int64 {
	if tier, ok := t[r.Name]; ok {
		return tier
	}
	return 1
}

func absoluteTiers(p *rule.Pass) {
	if strings.EqualFold(p.Text("PreemptType"), "preempt/partition_prio") {
		return
	}
	low, high := shared(p, false)
	if low == nil {
		return
	}
	tiers := tiersOf(p)
	if tiers.of(low) > tiers.of(high) {
		low, high = high, low
	}
	at := high.Span
	if t := high.Attr("PriorityTier"); t != nil {
		at = t.Span
	}
	p.Report(at, "no job of %s starts on the nodes it shares with %s while one of %s waits for them", low.Name,
		high.Name, high.Name).
		NoteAt(low.Span, "%s has the tier %d, %s %d", low.Name, tiers.of(low), high.Name, tiers.of(high)).
		Note("PriorityJobFactor weighs partitions instead")
}

func overlappingPartitions(p *rule.Pass) {
	a, b := shared(p, true)
	if a == nil {
		return
	}
	p.Report(b.Span, "%s shares nodes with %s in one tier", b.Name, a.Name).
		NoteAt(a.Span, "a job that waits here keeps shared nodes from the main pass").
		Note("backfill must reach far enough: bf_max_job_test, bf_continue")
}

func noTimeLimit(p *rule.Pass) {
	if !strings.EqualFold(p.Text("SchedulerType"), "sched/backfill") || p.Facts.Partial {
		return
	}
	list := unlimited(p)
	if len(list) == 0 {
		return
	}
	var all []string
	for _, r := range list {
		all = append(all, r.Name)
	}
	p.Report(list[0].Span, "a job without a time limit in %s is planned to run for a year", rule.Names(all)).
		Note("write MaxTime and a short DefaultTime, so that backfill can plan around it")
}

func noDefaultTime(p *rule.Pass) {
	for _, r := range p.Records["PartitionName"] {
		if limit := r.Attr("MaxTime"); limit != nil && !limit.Infinite && r.Attr("DefaultTime") == nil {
			p.Report(r.Span, "a job in %s that asks for no time is planned with %s", r.Name,
				rule.Duration(int64(limit.Number())*60)).
				Note("write a short DefaultTime")
		}
	}
}

func defaultOverMax(p *rule.Pass) {
	for _, r := range p.Records["PartitionName"] {
		standard, limit := r.Attr("DefaultTime"), r.Attr("MaxTime")
		if standard == nil || limit == nil || limit.Infinite ||
			!standard.Infinite && standard.Number() <= limit.Number() {
			continue
		}
		d := p.Report(standard.Span, "DefaultTime=%s of %s is longer than its MaxTime=%s", standard.Text, r.Name,
			limit.Text)
		if limit.Inherited {
			d.NoteAt(limit.Span, "MaxTime is inherited from this DEFAULT line")
		}
		d.Note("write a DefaultTime up to MaxTime, or a MaxTime of the partition's own")
	}
}

func closedPartitions(p *rule.Pass) {
	for _, r := range p.Records["PartitionName"] {
		if a := r.Attr("State"); a.Is("DRAIN") || a.Is("INACTIVE") {
			p.Report(a.Span, "partition %s is closed at every start", r.Name).
				Note("write State=UP, and close it with scontrol update for a while")
		}
	}
}

func noDefaultPartition(p *rule.Pass) {
	list := p.Records["PartitionName"]
	if p.Facts.Partial || len(list) == 0 || slices.ContainsFunc(list, func(r *ir.Record) bool {
		return isOn(r.Attr("Default"))
	}) {
		return
	}
	p.Report(list[0].Span, "no partition is the default").
		Note("a job that names none is refused; write Default=YES on one, if that is not meant")
}

// isOn reports a switch that is set, by any of the words that Slurm takes.
func isOn(a *ir.Attr) bool { return a.Is("YES") || a.Is("TRUE") || a.Is("1") || a.Is("UP") }
