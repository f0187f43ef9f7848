package eval

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

// ShareReport is a credential's part of all usage.
type ShareReport struct {
	Kind       string         `json:"kind"`
	Name       string         `json:"name"`
	Usage      float64        `json:"usage"`
	Percent    float64        `json:"usage_percent"`
	Target     *float64       `json:"target"`
	TargetKind string         `json:"target_kind" form:"ornull"`
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
	User           string      `json:"user" form:"ornull"`
	Partition      string      `json:"partition" form:"ornull"`
	Parent         string      `json:"parent" form:"ornull"`
	RawShares      any         `json:"raw_shares"`
	NormShares     float64     `json:"norm_shares"`
	RawUsage       float64     `json:"raw_usage"`
	NormUsage      float64     `json:"norm_usage"`
	EffectiveUsage float64     `json:"effective_usage"`
	Fairshare      float64     `json:"fairshare"`
	LevelFS        float64     `json:"level_fs"`
	Source         source.Span `json:"source"`
}

// LevelReport is one level of the path of an association.
type LevelReport struct {
	Account        string      `json:"account"`
	User           string      `json:"user" form:"ornull"`
	Partition      string      `json:"partition" form:"ornull"`
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
func fairshareReport(r *evaluation.Result) (list []any) {
	if r.Tree != nil {
		for _, node := range r.Tree.Listed() {
			list = append(list, associationOf(r.Tree, node))
		}
	}
	if s := r.Windows; s != nil {
		list = append(list, ReportShare(s, &ShareRow{Object: -1,
			Share: fairshare.Share{Usage: s.Total, Percent: 100}}))
		for object := range fairshare.Objects {
			for _, row := range ShareRows(r, s, object) {
				list = append(list, ReportShare(s, &row))
			}
		}
	}
	return list
}

// ReportShare reports on a credential; an object of −1 is all usage.
func ReportShare(s *fairshare.WindowShares, x *ShareRow) *ShareReport {
	out := &ShareReport{Kind: "total", Name: x.Name, Usage: x.Share.Usage,
		Percent: encode.Known(x.Share.Percent, s.Active()), Delta: x.Share.Delta}
	if x.Object >= 0 {
		out.Kind = fairshare.Objects[x.Object]
	}
	if t := x.Target; t != nil {
		out.Target, out.TargetKind, out.Inherited, out.Source = &t.Value, t.Kind, t.Others && x.Name != t.Name, t.Span
	}
	for k := range s.Windows {
		w := &s.Windows[k]
		usage := w.Total
		if x.Object >= 0 {
			usage = s.InWindow(x.Object, x.Name, k)
		}
		if usage != 0 {
			out.Windows = append(out.Windows, windowReport{w.StartTime, w.Weight, usage, w.Total})
		}
	}
	return out
}

func associationOf(t *evaluation.TreeShares, node int) associationReport {
	a, factors := &t.Tree.Associations[node], t.Factors()
	shares := sharesOf(a.Shares)
	if node == 0 {
		shares = nil
	}
	return associationReport{a.Account, a.User, a.Partition, a.Parent, shares, factors.NormShares[node],
		t.Ledger.Associations.Billing[node],
		encode.Known(factors.NormUsage(node), node > 0), t.EffectiveUsage(node),
		encode.Known(factors.Factor[node], t.Classic != nil || t.Tree.IsUser(node)), encode.Known(t.Level(node)),
		a.Span}
}

// TreePathOf lists an association and those above it through which it competes, the first level first.
func TreePathOf(t *evaluation.TreeShares, node int) (list []LevelReport) {
	for _, step := range t.Steps(node) {
		a := &t.Tree.Associations[step.Node]
		list = append(list, LevelReport{a.Account, a.User, a.Partition, sharesOf(step.Shares), step.LevelShares,
			step.NormShares, step.Usage,
			step.NormUsage, step.EffectiveUsage, encode.Known(t.Level(int(step.Node))), a.Span})
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

// ShareRow is a credential as reports of fairshare windows show it.
type ShareRow struct {
	Object int // index into fairshare.Objects
	Name   string
	Share  fairshare.Share
	Target *program.Target // nil for none
}

// WindowsOf are a result's fairshare windows. Of a Maui policy without FSPOLICY there are none;
// reports then show what is set, as Maui does, with nothing used.
func WindowsOf(r *evaluation.Result) (shares *fairshare.WindowShares, model *program.Windows) {
	switch {
	case r.Windows != nil:
		return r.Windows, r.Windows.Model
	case r.Program.Dormant != nil:
		model = r.Program.Dormant
	default:
		model = &program.Windows{}
	}
	asleep := *model
	asleep.IntervalSeconds, asleep.Depth = max(1, model.IntervalSeconds), 1
	return fairshare.EvaluateWindows(&asleep, nil, r.Now), model
}

// ShareRows lists the credentials of one kind that used something or aim at something: those of
// the jobs, of the usage files and of the policy, by name.
func ShareRows(r *evaluation.Result, s *fairshare.WindowShares, object int) []ShareRow {
	names := map[string]bool{}
	for _, name := range s.Objects[object].Names {
		names[name] = true
	}
	word := fairshare.Objects[object]
	if c := r.Jobs.Column(schema.ColumnID("job." + word)); c != nil {
		for _, code := range c.Codes {
			names[c.Dict[code]] = true
		}
	}
	for i := range r.Program.Settings {
		if set := &r.Program.Settings[i]; set.Column.Object() == word {
			for name := range set.Rows {
				names[name] = true
			}
		}
	}
	delete(names, "")
	var rows []ShareRow
	for name := range names {
		row := ShareRow{Object: object, Name: name, Share: s.Of(object, name)}
		if row.Share.Target != fairshare.NoTarget {
			row.Target = &s.Model.Targets[row.Share.Target]
		}
		if row.Target != nil || row.Share.Usage != 0 {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b ShareRow) int { return strings.Compare(a.Name, b.Name) })
	return rows
}
