package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/source"
)

// twiceRules are the rules about what is written twice, one of them without effect.
var twiceRules = []rule.Rule{
	{Code: "slurm-feature-twice", Check: featureTwice},
	{Code: "slurm-propagate-both", Check: propagateBoth},
	{Code: "slurm-listed-twice", Check: listedTwice},
	{Code: "slurm-partition-preempt-unused", Check: unusedPartitionPreemption},
}

// featureTwice: a line's Feature comes before its Features, and both before those of DEFAULT
// (common/read_config.c).
func featureTwice(p *rule.Pass) {
	seen := map[source.Span]bool{}
	for _, r := range p.Records["NodeName"] {
		if r.Machine == nil || len(r.Machine.Lists) < 2 {
			continue
		}
		a, b := &r.Machine.Lists[0], &r.Machine.Lists[1]
		if a.Inherited != b.Inherited || seen[b.Span] {
			continue
		}
		seen[b.Span] = true
		p.Report(b.Span, "Features has no effect beside Feature, so %s is missing on %s", b.Text, r.Name).
			NoteAt(a.Span, "this one counts").Note("write one list, Feature=%s,%s", a.Text, b.Text)
	}
}

func propagateBoth(p *rule.Pass) {
	const both, except = "PropagateResourceLimits", "PropagateResourceLimitsExcept"
	if p.IsSet(both) && p.IsSet(except) && p.Text(except) != "" {
		p.Report(p.At(both), "%s has no effect beside %s", both, except).
			NoteAt(p.At(except), "all limits but these follow a job").Note("keep the one that is meant")
	}
}

// setsOfNames are lists in which an entry counts once. Of Gres, each counts.
var setsOfNames = []struct{ kind, keys string }{
	{"", "AccountingStorageTRES AccountingStorageEnforce GresTypes LaunchParameters SlurmctldParameters " +
		"SlurmdParameters PriorityFlags SchedulerParameters PrivateData DebugFlags TaskPlugin JobSubmitPlugins " +
		"PrologFlags ReconfigFlags"},
	{"PartitionName", "AllowAccounts DenyAccounts AllowGroups AllowQos DenyQos AllowAllocNodes Nodes"},
}

func listedTwice(p *rule.Pass) {
	look := func(of string, a *ir.Attr) {
		var seen []string
		for _, word := range outside(a) {
			if word = strings.ToLower(strings.Trim(word, `"`)); word != "" && slices.Contains(seen, word) {
				p.Report(a.Span, "%s is in %s%s twice", word, a.Name, of).Note("once is enough; is another name meant?")
				return
			}
			seen = append(seen, word)
		}
	}
	for _, s := range setsOfNames {
		for _, key := range strings.Fields(s.keys) {
			if s.kind == "" {
				look("", p.Global.Attr(key))
				continue
			}
			p.Each(s.kind, key, func(r *ir.Record, a *ir.Attr) { look(" of "+r.Name, a) })
		}
	}
	seen := map[source.Span]bool{}
	for _, r := range p.Records["NodeName"] {
		for i := 0; r.Machine != nil && i < len(r.Machine.Lists); i++ {
			if a := &r.Machine.Lists[i]; !seen[a.Span] {
				seen[a.Span] = true
				look(" of "+r.Name, a)
			}
		}
	}
}

// outside are the entries of a list, whose commas in brackets part none.
func outside(a *ir.Attr) (list []string) {
	if a == nil || !strings.Contains(a.Text, "[") {
		return a.List()
	}
	depth, start := 0, 0
	for i, c := range a.Text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case (c == ',' || c == ' ') && depth == 0:
			list = append(list, a.Text[start:i])
			start = i + 1
		}
	}
	return append(list, a.Text[start:])
}

// unusedPartitionPreemption: preempt/partition_prio alone asks the mode of a partition.
func unusedPartitionPreemption(p *rule.Pass) {
	kind := p.Text("PreemptType")
	if !complete(p) || strings.EqualFold(kind, "preempt/partition_prio") {
		return
	}
	p.Each("PartitionName", "PreemptMode", func(part *ir.Record, a *ir.Attr) {
		if a.Is("OFF") {
			return
		}
		d := p.Report(a.Span, "PreemptMode=%s of partition %s has no effect", a.Text, part.Name)
		if p.IsSet("PreemptType") {
			d.NoteAt(p.At("PreemptType"), "the mode of a partition counts with preempt/partition_prio alone")
		} else {
			d.Note("PreemptType is not set, so nothing is preempted")
		}
		d.Note("remove it; tiers preempt with PreemptType=preempt/partition_prio, a PreemptMode for all and " +
			"different PriorityTier")
	})
}
