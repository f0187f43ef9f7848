package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// databaseRules are the rules about what needs accounts: slurmdbd, and AccountingStorageEnforce.
var databaseRules = []rule.Rule{
	{Code: "slurm-needs-slurmdbd", Check: needsDatabase},
	{Code: "slurm-accounts-not-asked", Check: accountsNotAsked},
	{Code: "slurm-partition-qos-off", Check: partitionQOSOff},
}

// hasDatabase reports that slurmdbd is used.
func hasDatabase(p *rule.Pass) bool {
	return strings.Contains(strings.ToLower(p.Text("AccountingStorageType")), "slurmdbd")
}

// databaseKeys are what counts with slurmdbd alone. From the version in fatal on, slurmctld does not start without
// it (slurmctld/read_config.c). Those of records are keys of PartitionName.
var databaseKeys = []struct{ key, record, since, fatal, why string }{
	{"PriorityWeightQOS", "", "", "", "no job has a QOS"},
	{"PriorityWeightAssoc", "", "", "", "no job has an association"},
	{"PreemptType", "", "", "", "no job has a QOS, so none preempts another"},
	{"QOS", "PartitionName", "", "25.11", "there are no QOS"},
	{"AllowQos", "PartitionName", "", "25.11", "there are no QOS"},
	{"DenyQos", "PartitionName", "", "25.11", "there are no QOS"},
	{"AllowAccounts", "PartitionName", "23.02", "", "accounts are not checked"},
	{"DenyAccounts", "PartitionName", "23.02", "", "accounts are not checked"},
}

func needsDatabase(p *rule.Pass) {
	if !complete(p) || hasDatabase(p) || p.Facts.Dumped {
		return
	}
	for _, k := range databaseKeys {
		if k.since != "" && !p.Since(k.since) {
			continue
		}
		stops := k.fatal != "" && p.Since(k.fatal)
		report := func(at source.Span, text string) {
			d := p.Report(at, "%s has no effect without slurmdbd: %s", text, k.why)
			if stops {
				d.Severity, d.Message = diag.Error, text+" keeps slurmctld from starting without slurmdbd: "+k.why
			}
			if p.IsSet("AccountingStorageType") {
				d.NoteAt(p.At("AccountingStorageType"), "accounting is not with slurmdbd")
			} else {
				d.Note("AccountingStorageType is not set, so there is no accounting")
			}
			d.Note("write AccountingStorageType=accounting_storage/slurmdbd, or remove it")
		}
		if k.record == "" {
			if p.IsSet(k.key) && asksDatabase(p, k.key) {
				report(p.At(k.key), k.key)
			}
			continue
		}
		p.Each(k.record, k.key, func(part *ir.Record, a *ir.Attr) {
			if a.Text != "" && a.Text != `""` && !a.Is("ALL") {
				report(a.Span, k.key+" of partition "+part.Name)
			}
		})
	}
}

// asksDatabase reports a global key whose value asks for a QOS or an association.
func asksDatabase(p *rule.Pass, key string) bool {
	if key == "PreemptType" {
		return strings.EqualFold(p.Text(key), "preempt/qos")
	}
	return p.Multifactor() && p.Number(key) > 0
}

// accountsNotAsked: from 23.02 on the account of a job is compared where associations are enforced
// (part_policy_valid_acct); before, with its plain name.
func accountsNotAsked(p *rule.Pass) {
	if !complete(p) || !hasDatabase(p) || !p.Since("23.02") || p.Enforced == nil || p.Enforced.Associations {
		return
	}
	for _, name := range []string{"AllowAccounts", "DenyAccounts"} {
		p.Each("PartitionName", name, func(part *ir.Record, a *ir.Attr) {
			if a.Text == "" || a.Is("ALL") {
				return
			}
			d := p.Report(a.Span, "%s of partition %s has no effect: associations are not enforced", name, part.Name)
			enforcement(p, d, "associations")
		})
	}
}

func enforcement(p *rule.Pass, d *diag.Diagnostic, word string) {
	if p.IsSet("AccountingStorageEnforce") {
		d.NoteAt(p.At("AccountingStorageEnforce"), "%s is missing here", word)
	}
	d.Note("write AccountingStorageEnforce=associations,limits,qos")
}

// partitionQOSOff: what a partition's QOS is there for are its limits.
func partitionQOSOff(p *rule.Pass) {
	if !complete(p) || !hasDatabase(p) || p.Enforced == nil || p.Enforced.Limits {
		return
	}
	p.Each("PartitionName", "QOS", func(part *ir.Record, a *ir.Attr) {
		if a.Text == "" || a.Text == `""` {
			return
		}
		d := p.Report(a.Span, "the limits of QOS %s do not hold in partition %s: limits are not enforced", a.Text,
			part.Name)
		enforcement(p, d, "limits")
	})
}
