package verify

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/fairshare/tree"
)

// tiedLevels finds associations that have, themselves or above them, a competitor whose level is the
// same within what usage may be off by. Which of tied accounts is first decides about all users below. The
// factor that sshare printed has then to be that of another place among the users of the two, and the priority that
// of the factor.
func tiedLevels(q *inquiry, c *Cause) error {
	table := q.snapshot.Credentials["association"]
	names, factors := table.Column("association.name"), table.Column("association.fairshare_factor")
	if names == nil || factors == nil {
		return nil
	}
	printed := map[string]float64{}
	for row, code := range names.Codes {
		if !factors.Missing.Get(row) {
			printed[names.Dict[code]] = factors.Doubles[row]
		}
	}
	sorted, ties := map[*engine.Result][]float64{}, map[*engine.Result]map[int]tie{}
	for _, k := range q.checks {
		if _, known := sorted[k.result]; !known {
			sorted[k.result], ties[k.result] = byName(k.result), map[int]tie{}
		}
	}
	q.settle(c, func(s *subject) (string, bool) {
		r := s.check.result
		if r.Tree == nil || r.Tree.FairTree == nil {
			return "", false
		}
		key := s.readings[0].association
		if key == "" {
			key = jobText(r, "job.association", s.job)
		}
		node, ok := r.Tree.Node(key)
		if !ok {
			return "", false
		}
		if factors := sorted[r]; factors != nil && s.hasFactor(factors[node], 0) {
			return "slurmctld has sorted its associations by name, as it does whenever one is added or moved while it runs; only after a restart they stand as in the database (lft)", true
		}
		theirs, shown := printed[key]
		if !shown {
			return "", false
		}
		tie, known := ties[r][node]
		if !known {
			tie = tieOf(r, node)
			ties[r][node] = tie
		}
		if off := math.Abs(theirs-r.Tree.FairTree.Factor[node]) * float64(r.Tree.Tree.Users); off > float64(tie.users)+0.01 {
			return "", false
		}
		return tie.text(r, key), tie.users > 0 && s.hasFactor(theirs, halfOfSixth*math.Max(1, math.Abs(weightAt(r, s))))
	})
	return nil
}

// hasFactor reports whether all numbers are as printed if the fairshare factor is theirs, which may be off.
func (s *subject) hasFactor(theirs, slack float64) bool {
	for _, x := range s.readings {
		value := x.ours
		if x.association == "" {
			value = withFactor(s.check.result, x, theirs)
		} else if x.field == "fairshare" {
			value = theirs
		}
		if !x.within(value, math.Max(slack, x.slack)) {
			return false
		}
	}
	return true
}

// byName are the factors, by node, that come of associations sorted by name; nil where they are so anyway.
func byName(r *engine.Result) []float64 {
	if r.Tree == nil || r.Tree.FairTree == nil || !r.Tree.Placed {
		return nil
	}
	nodes := r.Tree.Listed()
	rows, usage := make([]tree.Association, len(nodes)), make([]float64, len(nodes))
	for i, node := range nodes {
		rows[i] = r.Tree.Tree.Associations[node]
	}
	sorted, _ := tree.New(rows) // has been made of the same rows before
	if sorted == nil || sorted.Len() != len(nodes) {
		return nil
	}
	for i, node := range nodes {
		usage[sorted.Node(i)] = r.Tree.FairTree.Usage[node]
	}
	f := &tree.FairTree{}
	f.Compute(sorted, usage, tree.FairTreeOptions{MergeTies: r.Program.Documented("fair_tree_ties")})
	factors := make([]float64, len(nodes))
	for i, node := range nodes {
		factors[node] = f.Factor[sorted.Node(i)]
	}
	return factors
}

// weightAt is the weight of fairshare for a job; 0 for an association.
func weightAt(r *engine.Result, s *subject) float64 {
	if s.job < 0 {
		return 0
	}
	return weightOf(r, "fairshare", s.readings[0].row)
}

// tie is what competes with an association, or with an account above it, at as good as the same level.
type tie struct {
	users int    // whose places it may take, its own among them
	rival string // one competitor
	exact bool   // of all competitors: their levels are the same
}

func tieOf(r *engine.Result, node int) tie {
	t, out, unit := r.Tree.Tree, tie{exact: true}, usageUnit(r.Snapshot.Credentials["association"])
	for ; node > 0; node = int(t.FairshareParent[node]) {
		level, ok := r.Tree.Level(node)
		if !ok {
			continue
		}
		rivals := 0 // users
		for _, rival := range t.FairshareChildren(int(t.FairshareParent[node])) {
			other := int(rival)
			theirs, ok := r.Tree.Level(other)
			if !ok || other == node || theirs != level && !(math.Abs(theirs-level) <= levelSlack(r, node, level, unit)+levelSlack(r, other, theirs, unit)) {
				continue
			}
			rivals += usersBelow(r, other)
			out.rival = r.Tree.Key(other)
			out.exact = out.exact && theirs == level
		}
		if rivals > 0 {
			out.users += rivals + usersBelow(r, node)
		}
	}
	return out
}

// text names what input would settle who is first.
func (t *tie) text(r *engine.Result, key string) string {
	why := "the level of " + key + ", or of an account above it, is as good as that of " + t.rival + ": "
	switch {
	case t.exact && !r.Tree.Placed && r.Program.Version != "" && r.Program.Version < "23.11":
		return why + "they go by the database's order, which `scontrol show assoc_mgr` (Lft) or `sacctmgr show assoc` with the column LFT would tell"
	case usageUnit(r.Snapshot.Credentials["association"]) == 1:
		return why + "usage in whole seconds does not tell them apart; `scontrol show assoc_mgr` prints hundredths"
	}
	return why + "only the file assoc_usage in the controller's StateSaveLocation has more digits of usage than hundredths"
}

func usersBelow(r *engine.Result, node int) int {
	t := r.Tree.Tree
	if t.IsUser(node) {
		return 1
	}
	users := 0
	for _, child := range t.FairshareChildren(node) {
		users += usersBelow(r, int(child))
	}
	return users
}
