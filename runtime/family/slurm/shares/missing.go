package shares

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// missingUsage reports users of the tree whose usage no input states: they count as having used
// nothing, which puts them first. `sshare` without -a shows the caller's own rows only.
func missingUsage(r *evaluation.Result, t *evaluation.TreeShares, u *recordedUsage) {
	stated := u.column("association.usage_seconds", 1)
	users, missing, first := 0, 0, ""
	for node := range t.Tree.Len() {
		if !t.Tree.IsUser(node) {
			continue
		}
		a := t.Tree.Associations[node]
		key := (&program.Association{Account: a.Account, User: a.User, Partition: a.Partition}).Key()
		if key == "root/root" {
			continue // the user that every cluster is made with; dumps may leave it out
		}
		users++
		if _, ok := stated(key); !ok {
			if missing++; missing == 1 {
				first = key
			}
		}
	}
	if missing > 0 {
		r.Findings.Warnf("fairshare-usage-missing", t.Model.Span,
			"%d of %d users' associations have no readable usage in the snapshot, the first is %s: they count as unused",
			missing, users, first).
			Note("who has used nothing comes first; ask for all rows: sshare -a -l -P, or scontrol show assoc_mgr")
	}
}
