package view

import (
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

// shareReport is a credential's part of all usage.
type shareReport struct {
	Kind       string         `json:"kind"`
	Name       string         `json:"name"`
	Usage      float64        `json:"usage"`
	Percent    float64        `json:"usage_percent"`
	Target     *float64       `json:"target"`
	TargetKind string         `json:"target_kind,ornull"`
	Inherited  bool           `json:"inherited"`
	Source     source.Span    `json:"source"`
	Delta      float64        `json:"delta"`
	Windows    []windowReport `json:"windows"`
}

type windowReport struct {
	Start  int64   `json:"start"`
	Weight float64 `json:"weight"`
	Usage  float64 `json:"usage"`
	Total  float64 `json:"total"`
}

// associationReport is a node of the account tree: the columns of sshare -l, not rounded.
type associationReport struct {
	Account        string      `json:"account"`
	User           string      `json:"user,ornull"`
	Partition      string      `json:"partition,ornull"`
	Parent         string      `json:"parent,ornull"`
	RawShares      any         `json:"raw_shares"`
	NormShares     float64     `json:"norm_shares"`
	RawUsage       float64     `json:"raw_usage"`
	NormUsage      float64     `json:"norm_usage"`
	EffectiveUsage float64     `json:"effective_usage"`
	Fairshare      float64     `json:"fairshare"`
	LevelFS        float64     `json:"level_fs"`
	Source         source.Span `json:"source"`
}

// levelReport is one level of the path of an association.
type levelReport struct {
	Account        string      `json:"account"`
	User           string      `json:"user,ornull"`
	Partition      string      `json:"partition,ornull"`
	Shares         any         `json:"shares"`
	LevelShares    int64       `json:"level_shares"`
	NormShares     float64     `json:"norm_shares"`
	Usage          float64     `json:"usage"`
	NormUsage      float64     `json:"norm_usage"`
	EffectiveUsage float64     `json:"effective_usage"`
	LevelFS        float64     `json:"level_fs"`
	Source         source.Span `json:"source"`
}

// fairshareReport lists each association, or all usage and then each credential that used or should get something.
func fairshareReport(r *engine.Result) (list []any) {
	if r.Tree != nil {
		for _, node := range r.Tree.Listed() {
			list = append(list, associationOf(r.Tree, node))
		}
	}
	if s := r.Windows; s != nil {
		list = append(list, reportShare(s, &shareRow{object: -1,
			share: fairshare.Share{Usage: s.Total, Percent: 100}}))
		for object := range fairshare.Objects {
			for _, row := range shareRows(r, s, object) {
				list = append(list, reportShare(s, &row))
			}
		}
	}
	return list
}

// reportShare reports on a credential; an object of −1 is all usage.
func reportShare(s *fairshare.WindowShares, x *shareRow) *shareReport {
	out := &shareReport{Kind: "total", Name: x.name, Usage: x.share.Usage,
		Percent: known(x.share.Percent, s.Active()), Delta: x.share.Delta}
	if x.object >= 0 {
		out.Kind = fairshare.Objects[x.object]
	}
	if t := x.target; t != nil {
		out.Target, out.TargetKind, out.Inherited, out.Source = &t.Value, t.Kind, t.Others && x.name != t.Name, t.Span
	}
	for k := range s.Windows {
		w := &s.Windows[k]
		usage := w.Total
		if x.object >= 0 {
			usage = s.InWindow(x.object, x.name, k)
		}
		if usage != 0 {
			out.Windows = append(out.Windows, windowReport{w.StartTime, w.Weight, usage, w.Total})
		}
	}
	return out
}

func associationOf(t *engine.TreeShares, node int) associationReport {
	a, factors := &t.Tree.Associations[node], t.Factors()
	shares := sharesOf(a.Shares)
	if node == 0 {
		shares = nil
	}
	return associationReport{a.Account, a.User, a.Partition, a.Parent, shares, factors.NormShares[node],
		t.Ledger.Associations.Billing[node],
		known(factors.NormUsage(node), node > 0), t.EffectiveUsage(node),
		known(factors.Factor[node], t.Classic != nil || t.Tree.IsUser(node)), known(t.Level(node)), a.Span}
}

// treePathOf lists an association and those above it through which it competes, the first level first.
func treePathOf(t *engine.TreeShares, node int) (list []levelReport) {
	for _, step := range t.Steps(node) {
		a := &t.Tree.Associations[step.Node]
		list = append(list, levelReport{a.Account, a.User, a.Partition, sharesOf(step.Shares), step.LevelShares,
			step.NormShares, step.Usage,
			step.NormUsage, step.EffectiveUsage, known(t.Level(int(step.Node))), a.Span})
	}
	return list
}

// sharesOf is a number of shares, or that they are the parent's.
func sharesOf(shares int64) any {
	if shares == program.ParentShares {
		return "parent"
	}
	return shares
}
