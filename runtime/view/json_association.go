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

// treePath writes an association and those above it through which it competes, the first level first.
func (j *jsonWriter) treePath(r *engine.Result, node int) {
	t := r.Tree
	j.open('[')
	for _, step := range t.Steps(node) {
		a := &t.Tree.Associations[step.Node]
		j.open('{')
		j.key("account").str(a.Account)
		j.key("user").orNull(a.User)
		j.key("partition").orNull(a.Partition)
		j.key("shares")
		if step.Shares == program.ParentShares {
			j.str("parent")
		} else {
			j.int(step.Shares)
		}
		j.key("level_shares").int(step.LevelShares)
		j.key("norm_shares").num(step.NormShares)
		j.key("usage").num(step.Usage)
		j.key("norm_usage").num(step.NormUsage)
		j.key("effective_usage").num(step.EffectiveUsage)
		level, ok := t.Level(int(step.Node))
		j.key("level_fs").known(level, ok)
		j.key("source").place(a.Span)
		j.shut('}')
	}
	j.shut(']')
}

// bill writes what a job costs each second.
func (j *jsonWriter) bill(r *engine.Result, job int) {
	b, ok := r.Bill(job)
	if !ok || r.Tree == nil {
		return
	}
	j.key("billing").open('{')
	j.key("per_second").num(b.Total)
	j.key("usage_factor").num(b.UsageFactor)
	j.key("rule").str(b.Rule)
	j.key("parts").open('[')
	for _, p := range b.Parts {
		j.open('{')
		j.key("tres").str(p.TRES)
		j.key("count").num(p.Count)
		j.key("weight").num(p.Weight)
		j.key("value").num(p.Value)
		j.key("in_maximum").bool(p.OfNode)
		j.shut('}')
	}
	j.shut(']')
	j.key("source").place(b.Span)
	j.shut('}')
}
