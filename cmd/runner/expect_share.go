package runner

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/policy"
)

// expectShares compares associations of the account tree.
func (r *run) expectShares() {
	for i := range r.now.ExpectShares {
		r.expectShare(&r.now.ExpectShares[i])
	}
}

func (r *run) expectShare(x *policy.ExpectShare) {
	tree := r.result.Tree
	if tree == nil {
		r.out.Checks++
		r.fail(x.Span, "no fairshare was computed").
			Note("the policy must share by an account tree, and the test must say what was used: association \"a/amy\" { " +
				"usage_seconds = 1000 }")
		return
	}
	node, ok := tree.Node(x.Name.Value)
	if !ok {
		r.out.Checks++
		var names []string
		for n := range tree.Tree.Len() {
			names = append(names, tree.Key(n))
		}
		slices.Sort(names)
		r.fail(x.Span, "the account tree has no association %q", x.Name.Value).DidYouMean(x.Name.Span, x.Name.Value, names)
		return
	}
	tolerance := x.Tolerance
	if !tolerance.IsSet() {
		tolerance = r.test.Tolerance
	}
	factors, what := tree.Factors(), "association "+x.Name.Value+": "
	r.near(x.Fairshare, tolerance, factors.Factor[node], what+"fairshare factor")
	if level, ok := tree.Level(node); ok {
		r.near(x.Level, tolerance, level, what+"level")
	} else if x.Level.IsSet() {
		r.out.Checks++
		r.fail(x.Level.Span, "%shas no level", what)
	}
	r.near(x.NormShares, tolerance, factors.NormShares[node], what+"normalised shares")
	r.near(x.Usage, tolerance, tree.Ledger.Associations.Billing[node], what+"usage")
	r.near(x.NormUsage, tolerance, factors.NormUsage(node), what+"part of all usage")
	r.near(x.EffectiveUsage, tolerance, tree.EffectiveUsage(node), what+"effective usage")
}
