package slurm

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// written are the credentials of a kind once each, also those that only have settings in the policy's own file
// that nothing is computed from.
func (w *writer) written(object, family string) (list []draft.Placed) {
	seen := map[string]bool{}
	add := func(c draft.Placed) {
		if c.Name != "" && !seen[c.Name] {
			seen[c.Name] = true
			list = append(list, c)
		}
	}
	for i := range w.Policy.Facts.Records {
		if r := &w.Policy.Facts.Records[i]; r.Kind == family {
			add(draft.Placed{Name: r.Name, Span: r.Span})
		}
	}
	for _, c := range draft.PlacesOf(w.Policy, object) {
		add(c)
	}
	return list
}

// isRoot keeps an account of Slurm's own: what is on root holds for the whole cluster.
func (w *writer) isRoot(account string, at source.Span) bool {
	if !strings.EqualFold(account, "root") {
		return false
	}
	w.Because(at, "Slurm's account root is the whole cluster; give the account another name first")
	return true
}

// namedAssociations: who the policy names is there, whatever can be stated of them.
func (w *writer) namedAssociations() {
	if w.Library != nil {
		return
	}
	for _, object := range []string{"account", "user"} {
		for _, c := range w.written(object, "") {
			keys := []string{c.Name}
			if object == "user" {
				keys, _ = w.homes(c.Name)
			}
			for _, key := range keys {
				if canName(c.Name) && c.Name != "DEFAULT" && key != "root" {
					w.recordOf("association", key, draft.Setting{Span: c.Span})
				}
			}
		}
	}
}

// exampleUsers puts a user into each account that has none, and no accounts with users: no one else has an
// account's priority and shares, and where limits count Slurm refuses all jobs without an association. Beside
// accounts below it a user would take of their shares.
func (w *writer) exampleUsers() {
	user := draft.Free("someone", draft.Named(w.Policy, "user"))
	filled, parent := map[string]bool{}, "root"
	var accounts []draft.Record
	for _, r := range w.Records {
		switch r.Kind {
		case "Parent":
			parent = strings.ToLower(r.Name)
		case "User":
			filled[parent] = true
		case "Account":
			filled[parent] = true
			accounts = append(accounts, r)
		}
	}
	var first source.Span
	for _, a := range accounts {
		if !filled[strings.ToLower(a.Name)] {
			w.association(a.Name, user, "", "root", draft.Setting{Span: a.Span})
			first = cmp.Or(first, a.Span)
		}
	}
	if w.HasRecord("User", user) {
		w.Diags.Infof("convert-incomplete", cmp.Or(first, w.Policy.Span),
			"who is in which account is no part of the policy: put users in the place of %s", user)
	}
}

// placeholderPartitions are those that the policy names, or one, where it has no records of any.
func (w *writer) placeholderPartitions() {
	places := draft.PlacesOf(w.Policy, "partition")
	if w.HasRecord("PartitionName", "") || len(w.Set)+len(w.Conf())+len(places) == 0 {
		return
	}
	for _, c := range places {
		if c.Name != "DEFAULT" {
			w.partition(c.Name, c.Span)
		}
	}
	if !w.HasRecord("PartitionName", "") {
		w.Records = append(
			w.Records,
			draft.Record{
				Kind:     "PartitionName",
				Name:     "batch",
				Settings: []draft.Setting{draft.Set("Nodes", "ALL", source.Span{})},
				Span:     w.Policy.Span,
			},
		)
	}
	w.defaultPartition()
	for _, r := range w.Records {
		if r.Kind == "PartitionName" {
			w.isMade(r.Kind + "=" + r.Name)
		}
	}
}

// placeholders are what slurmctld does not start without, where the policy does not say it.
func (w *writer) placeholders() {
	if len(w.Set)+len(w.Conf()) == 0 {
		return // a dump alone
	}
	var missing []string
	for _, p := range []struct{ name, value, other string }{
		{"ClusterName", "cluster", "ClusterName"}, {"SlurmctldHost", "head", "ControlMachine"},
	} {
		if !w.Has(p.name) && !w.Has(p.other) && !w.HasRecord(p.name, "") {
			w.Say(p.name, p.value)
			w.Same[p.name] = true
			missing = append(missing, p.name)
		}
	}
	if formula := "PriorityType"; !draft.IsBasic(w.Policy) && !w.Has(formula) &&
		(w.Bare || w.Policy.Version != "" && slurmconf.Older(w.Policy.Version, "23.11")) {
		w.Say(formula, "priority/multifactor") // which is the default since 23.11
		w.Same[formula] = true
	}
	if len(w.Made) > 0 && !w.HasRecord("NodeName", "") {
		w.placeholderNodes()
		missing = append(missing, "NodeName")
	}
	if len(missing) > 0 {
		w.Diags.Infof("convert-incomplete", w.Policy.Span, "the cluster is no part of the policy: complete %s",
			strings.Join(missing, ", "))
	}
}

// placeholderNodes are nodes for what is no part of the policy; with GPUs where these are counted.
func (w *writer) placeholderNodes() {
	node := draft.Record{
		Kind:     "NodeName",
		Name:     "n[1-16]",
		Settings: []draft.Setting{draft.Set("CPUs", "64", source.Span{})},
	}
	if w.Has("AccountingStorageTRES") {
		node.Settings = append(node.Settings, draft.Set("Gres", "gpu:4", source.Span{}))
	}
	w.isMade(node.Kind + "=" + node.Name)
	w.Records, w.Index = append([]draft.Record{node}, w.Records...), draft.DumpIndex{}
}

// isMade notes a record that is not in the policy.
func (w *writer) isMade(line string) {
	w.Made[line] = true
}

// countGPUs has slurmctld count them.
func (w *writer) countGPUs() {
	w.Say("GresTypes", "gpu")
	w.Say("AccountingStorageTRES", "gres/gpu")
}
