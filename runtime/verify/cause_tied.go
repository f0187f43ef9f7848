package verify

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/engine"
)

// tiedLevels finds associations that have, themselves or above them, a competitor whose level is the
// same within what usage may be off by. Of tied accounts the controller takes first what was made first (by lft; observed
// in 22.05), while sshare and sacctmgr dump sort by name. The factor that sshare printed has then to be that of another
// place among the users of the two, and the priority that of the factor.
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
		theirs, shown := printed[key]
		if !ok || !shown {
			return "", false
		}
		places := tiedUsers(r, node)
		if off := math.Abs(theirs-r.Tree.FairTree.Factor[node]) * float64(r.Tree.Tree.Users); off > float64(places)+0.01 {
			return "", false
		}
		slack := halfOfSixth * math.Max(1, math.Abs(weightAt(r, s)))
		for _, x := range s.readings {
			value := x.ours
			if x.association == "" {
				value = withFactor(r, x, theirs)
			} else if x.field == "fairshare" {
				value = theirs
			}
			if !x.within(value, slack) {
				return "", false
			}
		}
		return "the level of " + key + ", or of an account above it, is as good as equal to that of a competitor", places > 0
	})
	return nil
}

// weightAt is the weight of fairshare for a job; 0 for an association.
func weightAt(r *engine.Result, s *subject) float64 {
	if s.job < 0 {
		return 0
	}
	return weightOf(r, "fairshare", s.readings[0].row)
}

// tiedUsers counts the users whose places a node may take: those of competitors that are as good as tied
// with it or with an account above it, and its own.
func tiedUsers(r *engine.Result, node int) int {
	t := r.Tree.Tree
	users := 0
	for ; node > 0; node = int(t.FairshareParent[node]) {
		level, ok := r.Tree.Level(node)
		if !ok {
			continue
		}
		for _, other := range t.FairshareChildren(int(t.FairshareParent[node])) {
			theirs, ok := r.Tree.Level(int(other))
			if ok && int(other) != node && (theirs == level || math.Abs(theirs-level) <= levelSlack(r, node, level)+levelSlack(r, int(other), theirs)) {
				users += usersBelow(r, int(other)) + usersBelow(r, node)
			}
		}
	}
	return users
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
