package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// tresRules are the rules about billing and trackable resources.
var tresRules = []rule.Rule{
	{Code: "slurm-billing-partly", Check: partlyBilled},
	{Code: "slurm-memory-weight-unit", Check: memoryWeightUnit},
	{Code: "slurm-gpu-free", Check: freeGPUs},
	{Code: "slurm-gpu-twice", Check: gpusTwice},
	{Code: "slurm-gpu-untracked", Check: untrackedGPUs},
}

// weighted pairs a partition with its own list of billing weights.
func billed(p *rule.Pass, visit func(r *ir.Record, a *ir.Attr, first bool)) {
	seen := map[string]bool{}
	for _, r := range p.Records["PartitionName"] {
		if a := r.Attr("TRESBillingWeights"); a != nil {
			place := a.Span.String()
			visit(r, a, !seen[place]) // one line of DEFAULT is many partitions'
			seen[place] = true
		}
	}
}

func partlyBilled(p *rule.Pass) {
	var with, without *ir.Record
	missing := []string{}
	for _, r := range p.Records["PartitionName"] {
		switch {
		case r.Attr("TRESBillingWeights") != nil:
			if with == nil {
				with = r
			}
		default:
			if without == nil {
				without = r
			}
			missing = append(missing, r.Name)
		}
	}
	if with == nil || without == nil {
		return
	}
	p.Report(without.Span, "usage in %s is billed in processors, in other partitions by weights", rule.Names(missing)).
		NoteAt(with.Attr("TRESBillingWeights").Span, "these weights hold in %s", with.Name).
		Note("write TRESBillingWeights on every partition, or on a PartitionName=DEFAULT line")
}

// memoryWeightUnit: a weight for each MB that is meant so is a ten-thousandth or so.
func memoryWeightUnit(p *rule.Pass) {
	billed(p, func(r *ir.Record, a *ir.Attr, first bool) {
		for _, entry := range strings.Split(a.Text, ",") {
			name, value, _ := strings.Cut(entry, "=")
			unit := strings.Trim(value, "0123456789. ")
			if !first || unit != "" || !strings.EqualFold(strings.TrimSpace(name), "mem") {
				continue
			}
			for _, w := range tresWeights(a.Text) {
				if w.Name == "mem" && w.Value >= 0.01 {
					p.Report(a.Span, "Mem=%s counts for each MB, so 64 GB cost %.0f", strings.TrimSpace(value),
						w.Value*65536).
						Note("%s", perGB(strings.TrimSpace(value), w.Value))
				}
			}
		}
	})
}

// perGB: a number above some is no weight of a GB either.
func perGB(text string, value float64) string {
	if value > 4 {
		return "a unit divides: write Mem=0.25G, so that four GB cost as much as a processor"
	}
	return "write Mem=" + text + "G for a weight by the GB"
}

func freeGPUs(p *rule.Pass) {
	billed(p, func(r *ir.Record, a *ir.Attr, first bool) {
		gpus, _ := p.Row(schema.TRES("partition", "gres/gpu"), r.Name)
		if !first || gpus.Double == 0 {
			return
		}
		for _, w := range tresWeights(a.Text) {
			if strings.HasPrefix(w.Name, "gres/gpu") {
				return
			}
		}
		p.Report(a.Span, "the %s of partition %s cost nothing", rule.Several(int(gpus.Double), "GPU"), r.Name).
			Note("add GRES/gpu=N, where N is what a GPU is worth in processors")
	})
}

func gpusTwice(p *rule.Pass) {
	look := func(at source.Span, text string) {
		var list []string
		for _, w := range tresWeights(text) {
			if w.Value != 0 {
				list = append(list, w.Name)
			}
		}
		i := slices.IndexFunc(list, func(name string) bool { return strings.HasPrefix(name, "gres/gpu:") })
		if i >= 0 && slices.Contains(list, "gres/gpu") {
			p.Report(at, "a GPU of the type %s counts twice", strings.TrimPrefix(list[i], "gres/gpu:")).
				Note("it is one of gres/gpu too; keep one of the weights, unless the sum is meant")
		}
	}
	billed(p, func(_ *ir.Record, a *ir.Attr, first bool) {
		if first {
			look(a.Span, a.Text)
		}
	})
	if p.Multifactor() {
		look(p.At("PriorityWeightTRES"), p.Text("PriorityWeightTRES"))
	}
}

func untrackedGPUs(p *rule.Pass) {
	if !p.Since("15.08") { // TRES are not tracked before
		return
	}
	if !strings.Contains(strings.ToLower(p.Text("AccountingStorageType")), "slurmdbd") ||
		p.Flag("AccountingStorageTRES", "GRES/GPU") {
		return
	}
	for _, r := range p.Records["NodeName"] {
		if a := r.Attr("Gres"); a != nil && strings.HasPrefix(strings.ToLower(a.Text), "gpu") {
			p.Report(a.Span, "the GPUs are not tracked").
				Note("write AccountingStorageTRES=gres/gpu, so that they can be limited, weighed and reported")
			return
		}
	}
}
