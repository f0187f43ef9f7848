package shares

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
	"github.com/fairway-sched/fairway/runtime/program"
)

// mostPasses bounds the passes between two evaluations. After a longer pause the first one takes
// what is too much, as that of a controller does which was down.
const mostPasses = 1000

// resume fills the ledger with what the last evaluation left. The tree may be another one now.
func resume(t *evaluation.TreeShares, time int64, state *checkpoint.Tree) {
	t.Ledger.LastRan, t.Ledger.LastReset = time, state.LastReset
	rows, used := make([]program.Association, 0, len(state.Associations)), map[string]*checkpoint.Used{}
	for i := range state.Associations {
		u := &state.Associations[i]
		used[u.Name] = u
		rows = append(rows, associationOf(u.Name, u.Parent))
	}
	column := func(get func(*checkpoint.Used) float64) []float64 {
		return spread(t, rows, func(key string) (float64, bool) {
			u, ok := used[key]
			if !ok {
				return 0, false
			}
			return get(u), true
		}, 0)
	}
	perQOS := func(get func(*checkpoint.Used) float64) []float64 {
		values := make([]float64, len(t.QOS))
		for i := range state.QOS {
			if row := rowOfQOS(t, state.QOS[i].Name); row >= 0 {
				values[row] = get(&state.QOS[i])
			}
		}
		return values
	}
	billing := func(u *checkpoint.Used) float64 { return u.Seconds }
	wall := func(u *checkpoint.Used) float64 { return u.WallSeconds }
	t.Ledger.Associations = &tree.Usage{Billing: column(billing), WallSeconds: column(wall)}
	t.Ledger.QOS = &tree.Usage{Billing: perQOS(billing), WallSeconds: perQOS(wall)}
	for _, name := range t.TRES {
		resource := func(u *checkpoint.Used) float64 { return u.TRES[name] }
		t.Ledger.Associations.TRES = append(t.Ledger.Associations.TRES, column(resource))
		t.Ledger.QOS.TRES = append(t.Ledger.QOS.TRES, perQOS(resource))
	}
}

// passes does what the controller has done since the last evaluation: a pass each
// PriorityCalcPeriod, the last one now. A job that ended is charged when it ends.
func passes(r *evaluation.Result, t *evaluation.TreeShares, c *evaluation.Charges, previous *checkpoint.Checkpoint) {
	vanished(r, t, previous)
	ended := slices.DeleteFunc(slices.Clone(c.List),
		func(x evaluation.Charge) bool { return x.End == 0 || x.End <= previous.TreeUntil() || x.End > r.Now })
	slices.SortStableFunc(ended, func(a, b evaluation.Charge) int { return int(a.End - b.End) })
	period := max(1, t.Model.PassSeconds)
	left := (r.Now - previous.TreeUntil() - 1) / period // passes before the last one
	for left = min(left, mostPasses-1); left >= 0; left-- {
		now := r.Now - left*period
		for len(ended) > 0 && ended[0].End <= now {
			t.Ledger.Add(t.Clock, ended[0].End, []tree.Charge{ended[0].Charge})
			ended = ended[1:]
		}
		if t.Ledger.Pass(t.Clock, now, c.Running(now)) {
			r.Findings.Infof("fairshare-reset", t.Model.Span, "usage was set to zero: a %s reset was due", t.Model.Reset)
		}
	}
}

// vanished says of jobs that ran and are gone without trace that it is unknown when they ended.
func vanished(r *evaluation.Result, t *evaluation.TreeShares, previous *checkpoint.Checkpoint) {
	if previous.TreeUntil() != previous.Time {
		return // the records have them
	}
	known := map[string]bool{}
	for job := range r.Jobs.Rows {
		known[r.JobID(job)] = true
	}
	gone, example := 0, ""
	for i := range previous.Jobs {
		if j := &previous.Jobs[i]; j.State == checkpoint.Running && !known[j.ID] {
			if gone++; gone == 1 {
				example = j.ID
			}
		}
	}
	if gone > 0 {
		r.Findings.Warnf("fairshare-jobs-gone", t.Model.Span,
			"%s that ran in the last evaluation %s gone without trace, such as %s: what was used since then is not counted",
			diag.Count(gone, "job"), diag.Agree(gone, "is", "are"), example).
			Note("the controller shows a job for MinJobAge seconds after its end; evaluate more often, or use scontrol show " +
				"job, which lists ended jobs too")
	}
}

// Keep leaves the usage to the next evaluation.
func Keep(r *evaluation.Result, next *checkpoint.Checkpoint) {
	t := r.Tree
	if t == nil {
		return
	}
	next.Tree = &checkpoint.Tree{LastReset: t.Ledger.LastReset}
	keep := func(usage *tree.Usage, row int, name, parent string) (checkpoint.Used, bool) {
		u := checkpoint.Used{Name: name, Parent: parent, Seconds: usage.Billing[row], WallSeconds: usage.WallSeconds[row]}
		for i, resource := range t.TRES {
			if x := usage.TRES[i][row]; x != 0 {
				if u.TRES == nil {
					u.TRES = map[string]float64{}
				}
				u.TRES[resource] = x
			}
		}
		return u, u.Seconds != 0 || u.WallSeconds != 0 || len(u.TRES) > 0
	}
	for node := range t.Tree.Len() {
		if u, used := keep(t.Ledger.Associations, node, t.Key(node), t.Tree.Associations[node].Parent); used {
			next.Tree.Associations = append(next.Tree.Associations, u)
		}
	}
	for row, name := range t.QOS {
		if u, used := keep(t.Ledger.QOS, row, name, ""); used {
			next.Tree.QOS = append(next.Tree.QOS, u)
		}
	}
}
