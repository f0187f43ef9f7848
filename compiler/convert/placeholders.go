package convert

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/source"
)

// placed is a credential, where the policy first has something for it.
type placed struct {
	name string
	span source.Span
}

// placesOf are those of a kind that the policy has something for.
func placesOf(p *ir.Policy, object string) (list []placed) {
	for i := range p.Tables {
		if p.Tables[i].Column.Object() == object {
			for _, r := range p.Tables[i].Rows {
				list = append(list, placed{r.Name, r.Span})
			}
		}
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; l.Object == object {
			list = append(list, placed{l.Row, l.Span})
		}
	}
	for i := range p.Fairshare {
		for _, t := range p.Fairshare[i].Targets {
			if t.Object == object {
				list = append(list, placed{t.Name, t.Span})
			}
		}
	}
	return list
}

func named(p *ir.Policy, object string) (names []string) {
	for _, c := range placesOf(p, object) {
		names = append(names, c.name)
	}
	return names
}

// written are the credentials of a kind once each, also those of which the policy's own file only has settings that nothing is
// computed from.
func (w *writer) written(object, family string) (list []placed) {
	seen := map[string]bool{}
	add := func(c placed) {
		if c.name != "" && !seen[c.name] {
			seen[c.name] = true
			list = append(list, c)
		}
	}
	for i := range w.policy.Facts.Records {
		if r := &w.policy.Facts.Records[i]; r.Kind == family {
			add(placed{r.Name, r.Span})
		}
	}
	for _, c := range placesOf(w.policy, object) {
		add(c)
	}
	return list
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

// namedAssociations: who the policy names is there, whatever can be said of them.
func (w *writer) namedAssociations() {
	for _, object := range []string{"account", "user"} {
		for _, c := range w.written(object, "") {
			keys := []string{c.name}
			if object == "user" {
				keys, _ = w.homes(c.name)
			}
			for _, key := range keys {
				if slurmCanName(c.name) && c.name != "DEFAULT" && key != "root" {
					w.slurmRecord("association", key, setting{span: c.span})
				}
			}
		}
	}
}

// exampleUsers puts a user into each account that has none: nobody else has an account's priority and shares, and
// where limits count Slurm refuses all jobs without an association.
func (w *writer) exampleUsers() {
	user := free("someone", named(w.policy, "user"))
	filled, parent := map[string]bool{}, "root"
	var accounts []record
	for _, r := range w.records {
		switch r.kind {
		case "Parent":
			parent = strings.ToLower(r.name)
		case "User":
			filled[parent] = true
		case "Account":
			accounts = append(accounts, r)
		}
	}
	var first source.Span
	for _, a := range accounts {
		if !filled[strings.ToLower(a.name)] {
			w.association(a.name, user, "", "root", setting{span: a.span})
			first = cmp.Or(first, a.span)
		}
	}
	if w.hasRecord("User", user) {
		w.diags.Infof("convert-incomplete", cmp.Or(first, w.policy.Span), "who is in which account is no part of the policy: put users in the place of %s", user)
	}
}

// placeholderNodes are nodes for what is no part of the policy; with GPUs where these are counted.
func (w *writer) placeholderNodes() {
	node := record{kind: "NodeName", name: "n[1-16]", settings: []setting{{"CPUs", "64", source.Span{}}}}
	if w.has("AccountingStorageTRES") {
		node.settings = append(node.settings, setting{"Gres", "gpu:4", source.Span{}})
	}
	w.records = append([]record{node}, w.records...)
}

// countGPUs has slurmctld count them.
func (w *writer) countGPUs() {
	w.say("GresTypes", "gpu")
	w.say("AccountingStorageTRES", "gres/gpu")
}
