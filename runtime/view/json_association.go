package view

import (
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/program"
)

// association writes a node of the account tree: the columns of sshare -l, not rounded.
func (j *jsonWriter) association(r *engine.Result, node int) {
	t := r.Tree
	a := &t.Tree.Associations[node]
	j.open('{')
	j.key("account").str(a.Account)
	j.key("user").orNull(a.User)
	j.key("partition").orNull(a.Partition)
	j.key("parent").orNull(a.Parent)
	j.key("raw_shares")
	switch {
	case node == 0:
		j.null()
	case a.Shares == program.ParentShares:
		j.str("parent")
	default:
		j.int(a.Shares)
	}
	factors := t.Factors()
	j.key("norm_shares").num(factors.NormShares[node])
	j.key("raw_usage").num(t.Ledger.Associations.Billing[node])
	j.key("norm_usage").known(factors.NormUsage(node), node > 0)
	j.key("effective_usage").num(t.EffectiveUsage(node))
	j.key("fairshare").known(factors.Factor[node], t.Classic != nil || t.Tree.IsUser(node))
	level, ok := t.Level(node)
	j.key("level_fs").known(level, ok)
	j.key("source").place(a.Span)
	j.shut('}')
}
