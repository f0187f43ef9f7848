package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmTRES are the rules about billing and trackable resources.
var slurmTRES = []Rule{
	{"slurm-billing-partly", partlyBilled},
	{"slurm-memory-weight-unit", memoryWeightUnit},
	{"slurm-gpu-free", freeGPUs},
	{"slurm-gpu-twice", gpusTwice},
	{"slurm-gpu-untracked", untrackedGPUs},
}

// weighted pairs a partition with its own list of billing weights.
func (p *pass) billed(visit func(r *ir.Record, a *ir.Attr, first bool)) {
	seen := map[string]bool{}
	for _, r := range p.records["PartitionName"] {
		if a := r.Attr("TRESBillingWeights"); a != nil {
			place := a.Span.String()
			visit(r, a, !seen[place]) // one line of DEFAULT is many partitions'
			seen[place] = true
		}
	}
}

func partlyBilled(p *pass) {
	var with, without *ir.Record
	missing := []string{}
	for _, r := range p.records["PartitionName"] {
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
	p.report(without.Span, "usage in %s is billed in processors, in other partitions by weights", names(missing)).
		NoteAt(with.Attr("TRESBillingWeights").Span, "these weights hold in %s", with.Name).
		Note("write TRESBillingWeights on every partition, or on a PartitionName=DEFAULT line")
}

// memoryWeightUnit: a weight for each MB that is meant so is a ten-thousandth or so.
func memoryWeightUnit(p *pass) {
	p.billed(func(r *ir.Record, a *ir.Attr, first bool) {
		for _, entry := range strings.Split(a.Text, ",") {
			name, value, _ := strings.Cut(entry, "=")
			unit := strings.Trim(value, "0123456789. ")
			if !first || unit != "" || !strings.EqualFold(strings.TrimSpace(name), "mem") {
				continue
			}
			for _, w := range tresWeights(a.Text) {
				if w.Name == "mem" && w.Value >= 0.01 {
					p.report(a.Span, "Mem=%s counts for each MB, so 64 GB cost %.0f", strings.TrimSpace(value), w.Value*65536).
						Note("write Mem=%sG for a weight by the GB", strings.TrimSpace(value))
				}
			}
		}
	})
}

func freeGPUs(p *pass) {
	p.billed(func(r *ir.Record, a *ir.Attr, first bool) {
		gpus, _ := p.row(schema.TRES("partition", "gres/gpu"), r.Name)
		if !first || gpus.Double == 0 {
			return
		}
		for _, w := range tresWeights(a.Text) {
			if strings.HasPrefix(w.Name, "gres/gpu") {
				return
			}
		}
		p.report(a.Span, "the %s of partition %s cost nothing", several(int(gpus.Double), "GPU"), r.Name).
			Note("add GRES/gpu=N, where N is what a GPU is worth in processors")
	})
}

func gpusTwice(p *pass) {
	look := func(at source.Span, text string) {
		var list []string
		for _, w := range tresWeights(text) {
			if w.Value != 0 {
				list = append(list, w.Name)
			}
		}
		i := slices.IndexFunc(list, func(name string) bool { return strings.HasPrefix(name, "gres/gpu:") })
		if i >= 0 && slices.Contains(list, "gres/gpu") {
			p.report(at, "a GPU of the type %s counts twice", strings.TrimPrefix(list[i], "gres/gpu:")).
				Note("it is one of gres/gpu too; keep one of the weights, unless the sum is meant")
		}
	}
	p.billed(func(_ *ir.Record, a *ir.Attr, first bool) {
		if first {
			look(a.Span, a.Text)
		}
	})
	if p.multifactor() {
		look(p.at("PriorityWeightTRES"), p.text("PriorityWeightTRES"))
	}
}

func untrackedGPUs(p *pass) {
	if !p.slurm() || !strings.Contains(strings.ToLower(p.text("AccountingStorageType")), "slurmdbd") || p.flag("AccountingStorageTRES", "GRES/GPU") {
		return
	}
	for _, r := range p.records["NodeName"] {
		if a := r.Attr("Gres"); a != nil && strings.HasPrefix(strings.ToLower(a.Text), "gpu") {
			p.report(a.Span, "the GPUs are not tracked").Note("write AccountingStorageTRES=gres/gpu, so that they can be limited, weighed and reported")
			return
		}
	}
}
