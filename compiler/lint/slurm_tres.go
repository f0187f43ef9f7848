package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmTRES are the rules about billing and trackable resources.
var slurmTRES = []Rule{
	{ID: "SL048", CodeDoc: diag.CodeDoc{Code: "slurm-billing-partly", Severity: diag.Warning,
		What: "some partitions have TRESBillingWeights and others have not", Why: "usage is billed in processors there and in weighted resources here, and fairshare adds the two up",
		Example: "PartitionName=a TRESBillingWeights=CPU=1,Mem=0.25G\nPartitionName=b\n", Instead: "TRESBillingWeights on a PartitionName=DEFAULT line"},
		Source: "slurm.conf(5), TRESBillingWeights", check: partlyBilled},
	{ID: "SL049", CodeDoc: diag.CodeDoc{Code: "slurm-memory-weight-unit", Severity: diag.Warning,
		What: "a billing weight of memory has no unit", Why: "it counts for each MB: with Mem=0.25 a job of 64 GB is billed like 16384 processors",
		Example: "PartitionName=a TRESBillingWeights=CPU=1,Mem=0.25\n", Instead: "PartitionName=a TRESBillingWeights=CPU=1,Mem=0.25G"},
		Source: "slurm.conf(5), TRESBillingWeights", check: memoryWeightUnit},
	{ID: "SL050", CodeDoc: diag.CodeDoc{Code: "slurm-gpu-free", Severity: diag.Warning,
		What: "a partition with GPUs has TRESBillingWeights without them", Why: "GPUs cost nothing, however many a job takes",
		Example: "NodeName=n1 CPUs=8 Gres=gpu:4\nPartitionName=a Nodes=n1 TRESBillingWeights=CPU=1\n", Instead: "TRESBillingWeights=CPU=1,GRES/gpu=8"},
		Source: "slurm.conf(5), TRESBillingWeights", check: freeGPUs},
	{ID: "SL051", CodeDoc: diag.CodeDoc{Code: "slurm-gpu-twice", Severity: diag.Info,
		What: "both gres/gpu and one of its types have a weight", Why: "a GPU of the type counts under both names",
		Example: "AccountingStorageTRES=gres/gpu,gres/gpu:a100\nPartitionName=a TRESBillingWeights=GRES/gpu=1,GRES/gpu:a100=4\n", Instead: "one of the two, as 5 for the type alone"},
		Source: "slurm.conf(5), TRESBillingWeights, PriorityWeightTRES", check: gpusTwice},
	{ID: "SL106", CodeDoc: diag.CodeDoc{Code: "slurm-gpu-untracked", Severity: diag.Info,
		What: "nodes have GPUs, usage is recorded, and AccountingStorageTRES lacks gres/gpu", Why: "GPUs cannot be limited, weighed or reported",
		Example: "AccountingStorageType=accounting_storage/slurmdbd\nNodeName=n1 Gres=gpu:4\n", Instead: "AccountingStorageTRES=gres/gpu beside it"},
		Source: "slurm.conf(5), AccountingStorageTRES", check: untrackedGPUs},
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
