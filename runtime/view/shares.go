package view

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/program"
)

// shareRow is a credential as reports of fairshare windows show it.
type shareRow struct {
	object int // index into fairshare.Objects
	name   string
	share  fairshare.Share
	target *program.Target // nil for none
}

// windowsOf are a result's fairshare windows. Of a Maui policy without FSPOLICY there are none;
// reports then show what is set, as Maui does, with nothing used.
func windowsOf(r *engine.Result) (shares *fairshare.WindowShares, model *program.Windows) {
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

// shareRows lists the credentials of one kind that used something or aim at something: those of
// the jobs, of the usage files and of the policy, by name.
func shareRows(r *engine.Result, s *fairshare.WindowShares, object int) []shareRow {
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
	var rows []shareRow
	for name := range names {
		row := shareRow{object: object, name: name, share: s.Of(object, name)}
		if row.share.Target != fairshare.NoTarget {
			row.target = &s.Model.Targets[row.share.Target]
		}
		if row.target != nil || row.share.Usage != 0 {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b shareRow) int { return strings.Compare(a.name, b.name) })
	return rows
}
