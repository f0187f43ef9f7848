package slurm

import (
	"fmt"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// staleFactor is the version from which a weight of 0 no longer makes the threshold go by the
// classic formula, since the factor is kept with the association (recorded: 22.05 and 25.11).
const staleFactor = 2511

// belowThreshold asks a QOS with the flag EnforceUsageThreshold. slurmctld compares the weighted
// factor, so that a threshold below 1 hardly ever stops a job once fairshare has a weight
// (recorded: limit-usage-threshold); the manual means the factor.
func (g *guard) belowThreshold(row, job int) *evaluation.Block {
	for _, qos := range []string{g.partition(row).qos, g.result.Rows.Text("job.qos", row)} {
		if qos == "" || !slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", qos).List), "enforceusagethreshold") {
			continue
		}
		threshold := g.values.Of("qos.usage_threshold", qos)
		factor, known := g.thresholdFactor(job)
		if threshold.Known() && known && factor < threshold.Double {
			return &evaluation.Block{Kind: evaluation.BlockPartition, Text: "QOSUsageThreshold",
				Refusal: &evaluation.Refusal{Name: g.partition(row).name,
					Text: fmt.Sprintf("its fairshare of %.6g is below the threshold %.6g of QOS %s",
						factor, threshold.Double, qos)}}
		}
	}
	return nil
}

// thresholdFactor is what is compared with a threshold.
func (g *guard) thresholdFactor(job int) (factor float64, known bool) {
	key := g.result.Jobs.Text("job.association", job)
	t := g.result.Tree
	node, inTree := 0, false
	if t != nil {
		node, inTree = t.Node(key)
	}
	if inTree {
		factor, known = t.Factors().Factor[node], true
	} else if v := g.values.Of(schema.ColumnID("association.fairshare_factor"), key); v.Known() {
		factor, known = v.Double, true
	}
	weight := g.rules.FairshareWeight
	switch {
	case !known || g.result.Program.Documented("usage_threshold"):
	case weight != 0:
		factor *= weight
	case g.version < staleFactor && g.rules.FairTree && inTree:
		factor = 0
		if shares := t.Factors().NormShares[node]; shares > 0 {
			damp := float64(max(1, t.Model.Damp))
			factor = math.Pow(2, -(t.EffectiveUsage(node)/shares)/damp)
		}
	}
	return factor, known
}

// CheckedFairshare gives the fairshare factor that the check of UsageThreshold computes for a row; ok is false
// where no QOS of the row has one to check.
func CheckedFairshare(r *evaluation.Result) func(row int) (factor float64, ok bool) {
	g := guardOf(r)
	return func(row int) (float64, bool) {
		if !g.qosFlag(row, "enforceusagethreshold") {
			return 0, false
		}
		return g.thresholdFactor(int(r.RowJob[row]))
	}
}
