package convert

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// named are the credentials of a kind that the policy has something for.
func named(p *ir.Policy, object string) (names []string) {
	for i := range p.Tables {
		if p.Tables[i].Column.Object() == object {
			for _, r := range p.Tables[i].Rows {
				names = append(names, r.Name)
			}
		}
	}
	for i := range p.Limits {
		if p.Limits[i].Object == object {
			names = append(names, p.Limits[i].Row)
		}
	}
	for i := range p.Fairshare {
		for _, t := range p.Fairshare[i].Targets {
			if t.Object == object {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// free is a name that none of the list has, in any case: Slurm takes names so.
func free(name string, list []string) string {
	for slices.ContainsFunc(list, func(old string) bool { return strings.EqualFold(old, name) }) {
		name += "_"
	}
	return name
}

// isRoot keeps an account of Slurm's own: what stands on root holds for the whole cluster.
func (w *writer) isRoot(account string, at source.Span) bool {
	if !strings.EqualFold(account, "root") {
		return false
	}
	w.because(at, "Slurm's account root is the whole cluster; give the account another name first")
	return true
}

// miss remembers what is not said.
func (t *translation) miss(name string, at source.Span) {
	if !at.IsZero() {
		t.missed = append(t.missed, unsaid{name: name, span: at})
	}
}

// because says why something is left.
func (t *translation) because(at source.Span, why string) { t.reasons[at] = why }

// exampleUsers puts a user into each account that has none, as Slurm refuses all jobs without an association where
// limits count.
func (w *writer) exampleUsers(at source.Span) {
	user := free("someone", named(w.policy, "user"))
	filled, parent := map[string]bool{}, "root"
	var accounts []string
	for _, r := range w.records {
		switch r.kind {
		case "Parent":
			parent = strings.ToLower(r.name)
		case "User":
			filled[parent] = true
		case "Account":
			accounts = append(accounts, r.name)
		}
	}
	if len(accounts) == 0 {
		accounts = []string{w.usersAccount}
	}
	for _, a := range accounts {
		if !filled[strings.ToLower(a)] {
			w.association(a, user, "", "root", setting{span: at})
		}
	}
	w.diags.Infof("convert-approximated", at, "limits count with AccountingStorageEnforce=limits alone").
		Note("slurmctld then also refuses the jobs of users without an association: load one for each, with sacctmgr")
	if w.hasRecord("User", user) {
		w.diags.Infof("convert-incomplete", at, "who is in which account is no part of the policy: put users in the place of %s", user)
	}
}
