package tree

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// BillingRule says how weighted TRES become one number.
type BillingRule int

// The rules: the sum of all; PriorityFlags=MAX_TRES; PriorityFlags=MAX_TRES_GRES, which
// since 25.05 leaves GRES out of the maximum and before was the same as MAX_TRES.
const (
	SumTRES BillingRule = iota
	MaxTRES
	MaxTRESGRES
)

// Billing is the rate at which a job in a partition uses its share.
type Billing struct {
	perNode []weight // those the maximum is taken of
	rest    []weight // always summed
	max     bool
}

type weight struct {
	tres  int // in the list of counts
	value float64
}

// NewBilling prepares a partition's TRESBillingWeights for counts in the order of
// tres; no weights bill the CPUs (slurm.conf manual). A weighted TRES that is not in the
// list is one that no job has. Billing itself cannot be weighted.
func NewBilling(rule BillingRule, tres []string, weights []slurmtext.TRESWeight) Billing {
	if len(weights) == 0 {
		weights = []slurmtext.TRESWeight{{Name: "cpu", Value: 1}}
	}
	b := Billing{max: rule != SumTRES}
	for i, name := range tres { // in the order of the TRES, as the sums are formed
		at := slices.IndexFunc(weights, func(w slurmtext.TRESWeight) bool { return w.Name == name })
		if at < 0 || name == "billing" {
			continue
		}
		w := weight{i, weights[at].Value}
		if PerNode(name, rule) {
			b.perNode = append(b.perNode, w)
		} else {
			b.rest = append(b.rest, w)
		}
	}
	return b
}

// PerNode reports a TRES that a node has, as against the cluster: the maximum is taken of these.
func PerNode(tres string, rule BillingRule) bool {
	switch tres {
	case "cpu", "mem", "node":
		return true
	}
	return strings.HasPrefix(tres, "gres/") && rule != MaxTRESGRES
}

// Of is the billing of a job with these counts (assoc_mgr_tres_weighted). The maximum
// is over the totals of the job, although the manual says "on a node". Fairshare
// takes it whole; what limits and sacct call billing is cut to an integer.
func (b Billing) Of(counts []float64) float64 {
	node, rest := 0.0, 0.0
	for _, w := range b.perNode {
		value := float64(counts[w.tres] * w.value)
		if b.max {
			node = max(node, value)
		} else {
			node += value
		}
	}
	for _, w := range b.rest {
		rest += float64(counts[w.tres] * w.value)
	}
	return node + rest
}
