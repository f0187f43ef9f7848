package eval

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

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
