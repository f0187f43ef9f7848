package convert

import (
	"cmp"
	"strings"

	"github.com/fairway-sched/fairway/lang/slurmconf"
	"github.com/fairway-sched/fairway/lang/source"
)

// written are the credentials of a kind once each, also those of which the policy's own file only has settings
// that nothing is computed from.
func (w *slurmWriter) written(object, family string) (list []placed) {
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

// isRoot keeps an account of Slurm's own: what stands on root holds for the whole cluster.
func (w *slurmWriter) isRoot(account string, at source.Span) bool {
	if !strings.EqualFold(account, "root") {
		return false
	}
	w.because(at, "Slurm's account root is the whole cluster; give the account another name first")
	return true
}

// namedAssociations: who the policy names is there, whatever can be said of them.
func (w *slurmWriter) namedAssociations() {
	if w.library != nil {
		return
	}
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

// exampleUsers puts a user into each account that has none, and no accounts with users: nobody else has an
// account's priority and shares, and where limits count Slurm refuses all jobs without an association. Beside
// accounts below it a user would take of their shares.
func (w *slurmWriter) exampleUsers() {
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
			filled[parent] = true
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
		w.diags.Infof("convert-incomplete", cmp.Or(first, w.policy.Span),
			"who is in which account is no part of the policy: put users in the place of %s", user)
	}
}

// placeholderPartitions are those that the policy names, or one, where it has no records of any.
func (w *slurmWriter) placeholderPartitions() {
	places := placesOf(w.policy, "partition")
	if w.hasRecord("PartitionName", "") || len(w.set)+len(w.conf())+len(places) == 0 {
		return
	}
	for _, c := range places {
		if c.name != "DEFAULT" {
			w.partition(c.name, c.span)
		}
	}
	if !w.hasRecord("PartitionName", "") {
		w.records = append(
			w.records,
			record{
				kind:     "PartitionName",
				name:     "batch",
				settings: []setting{{"Nodes", "ALL", source.Span{}}},
				span:     w.policy.Span,
			},
		)
	}
	w.defaultPartition()
	for _, r := range w.records {
		if r.kind == "PartitionName" {
			w.isMade(r.kind + "=" + r.name)
		}
	}
}

// placeholders are what slurmctld does not start without, where the policy does not say it.
func (w *slurmWriter) placeholders() {
	if len(w.set)+len(w.conf()) == 0 {
		return // a dump alone
	}
	var missing []string
	for _, p := range []struct{ name, value, other string }{
		{"ClusterName", "cluster", "ClusterName"}, {"SlurmctldHost", "head", "ControlMachine"},
	} {
		if !w.has(p.name) && !w.has(p.other) && !w.hasRecord(p.name, "") {
			w.say(p.name, p.value)
			w.same[p.name] = true
			missing = append(missing, p.name)
		}
	}
	if formula := "PriorityType"; !isBasic(w.policy) && !w.has(formula) &&
		(w.bare || w.policy.Version != "" && slurmconf.Older(w.policy.Version, "23.11")) {
		w.say(formula, "priority/multifactor") // which is the default since 23.11
		w.same[formula] = true
	}
	if len(w.made) > 0 && !w.hasRecord("NodeName", "") {
		w.placeholderNodes()
		missing = append(missing, "NodeName")
	}
	if len(missing) > 0 {
		w.diags.Infof("convert-incomplete", w.policy.Span, "the cluster is no part of the policy: complete %s",
			strings.Join(missing, ", "))
	}
}

// placeholderNodes are nodes for what is no part of the policy; with GPUs where these are counted.
func (w *slurmWriter) placeholderNodes() {
	node := record{kind: "NodeName", name: "n[1-16]", settings: []setting{{"CPUs", "64", source.Span{}}}}
	if w.has("AccountingStorageTRES") {
		node.settings = append(node.settings, setting{"Gres", "gpu:4", source.Span{}})
	}
	w.isMade(node.kind + "=" + node.name)
	w.records, w.index = append([]record{node}, w.records...), dumpIndex{}
}

// isMade notes a record of which the policy says nothing.
func (w *slurmWriter) isMade(line string) {
	w.made[line] = true
}

// countGPUs has slurmctld count them.
func (w *slurmWriter) countGPUs() {
	w.say("GresTypes", "gpu")
	w.say("AccountingStorageTRES", "gres/gpu")
}
