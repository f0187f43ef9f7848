package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// namesRules are the rules about names that one file uses and the other does not know: slurm.conf and a dump of
// the accounts.
var namesRules = []rule.Rule{
	{Code: "slurm-other-cluster", Check: otherCluster},
	{Code: "slurm-partition-qos-unknown", Check: partitionQOS},
	{Code: "slurm-allowed-qos-unknown", Check: allowedQOS},
	{Code: "slurm-allowed-account-unknown", Check: allowedAccounts},
	{Code: "slurm-association-partition", Check: associationPartitions},
	{Code: "slurm-dump-qos-unknown", Check: dumpedQOS},
	{Code: "slurm-default-qos-barred", Check: barredDefaultQOS},
	{Code: "slurm-default-account-unknown", Check: defaultAccounts},
}

// foreign is the cluster of a dump that is not ClusterName; nil if all dumps are of this one.
func foreign(p *rule.Pass) *ir.Cluster {
	for i := range p.Facts.Clusters {
		if c := &p.Facts.Clusters[i]; p.IsSet("ClusterName") && !strings.EqualFold(c.Name, p.Text("ClusterName")) {
			return c
		}
	}
	return nil
}

func otherCluster(p *rule.Pass) {
	if c := foreign(p); c != nil {
		p.Report(rule.WordAt(c.Span, c.Name), "this is a dump of the cluster %s", c.Name).
			NoteAt(p.At("ClusterName"), "the configuration is of %s", p.Text("ClusterName")).
			Note("its accounts and limits are taken all the same; give the dump that `sacctmgr dump %s` writes",
				strings.ToLower(p.Text("ClusterName")))
	}
}

// qosNames are the QOS that the dumps and policy files define; nil where no dump lists them, as
// those of sacctmgr before 25.05 do not. slurmdbd makes normal by itself.
func qosNames(p *rule.Pass) []string {
	if !p.Facts.Dumped || len(p.Records["QOS"]) == 0 {
		return nil
	}
	list := []string{"normal"}
	for _, q := range p.Records["QOS"] {
		list = append(list, q.Name)
	}
	for _, t := range p.Tables {
		if strings.HasPrefix(string(t.Column), "qos.") {
			for _, r := range t.Rows {
				list = append(list, r.Name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// accounts are those of the dumps; nil where none is of this cluster.
func accounts(p *rule.Pass) []string {
	if foreign(p) != nil {
		return nil
	}
	var list []string
	for _, a := range tree(p) {
		if a.User == "" {
			list = append(list, a.Account)
		}
	}
	return list
}

// eachUnknown visits the words of a list that are not known, each at its place.
func eachUnknown(a *ir.Attr, known []string, visit func(at source.Span, word string)) {
	for _, word := range a.List() {
		name := strings.ToLower(strings.TrimLeft(word, "+-"))
		if name != "" && !slices.Contains(known, name) {
			visit(rule.WordAt(a.Span, name), name)
		}
	}
}

func partitionQOS(p *rule.Pass) {
	known := qosNames(p)
	p.Each("PartitionName", "QOS", func(part *ir.Record, a *ir.Attr) {
		if known == nil || a.Text == "" || slices.Contains(known, strings.ToLower(a.Text)) {
			return
		}
		at := rule.WordAt(a.Span, a.Text)
		d := p.Report(at, "the QOS %s of partition %s is in no dump", a.Text, part.Name)
		if p.Enforced != nil && p.Enforced.QOS {
			d.NoteAt(p.At("AccountingStorageEnforce"), "slurmctld refuses to start, because qos is enforced")
		} else {
			d.Severity = diag.Warning
		}
		d.Note("make it with `sacctmgr add qos`, or correct the name").DidYouMean(at, a.Text, known)
	})
}

// ofPartitions visits the words of two lists of each partition that are not known.
func ofPartitions(p *rule.Pass, allow, deny string, known []string,
	visit func(part *ir.Record, a *ir.Attr, at source.Span, word string)) {
	said := map[source.Span]bool{}
	for _, part := range p.Records["PartitionName"] {
		for _, name := range []string{allow, deny} {
			a := part.Attr(name)
			if a == nil || known == nil || said[a.Span] || a.Is("ALL") || name == deny && part.Attr(allow) != nil {
				continue
			}
			said[a.Span] = true
			eachUnknown(a, known, func(at source.Span, word string) { visit(part, a, at, word) })
		}
	}
}

func allowedQOS(p *rule.Pass) {
	known := qosNames(p)
	ofPartitions(p, "AllowQos", "DenyQos", known, func(part *ir.Record, a *ir.Attr, at source.Span, word string) {
		d := p.Report(at, "the QOS %s in %s of partition %s is in no dump", word, a.Name, part.Name)
		if p.Since("25.11") { // slurmctld/read_config.c
			d.Severity = diag.Error
			d.Note("slurmctld refuses to start; make it with `sacctmgr add qos`, or correct the name")
		} else {
			d.Note("slurmctld ignores it; correct the name, or remove it")
		}
		d.DidYouMean(at, word, known)
	})
}

func allowedAccounts(p *rule.Pass) {
	known := accounts(p)
	ofPartitions(
		p,
		"AllowAccounts",
		"DenyAccounts",
		known,
		func(part *ir.Record, a *ir.Attr, at source.Span, word string) {
			p.Report(at, "the account %s in %s of partition %s is in no dump", word, a.Name, part.Name).
				Note("no job has it; correct the name, or remove it").DidYouMean(at, word, known)
		},
	)
}

func associationPartitions(p *rule.Pass) {
	known := p.NamesOf("PartitionName")
	if len(known) == 0 || p.Facts.Partial || foreign(p) != nil {
		return
	}
	said := map[string]bool{}
	for _, r := range p.Records["association"] {
		a := r.Attr("Partition")
		if a == nil || a.Text == "" || said[a.Text] ||
			slices.ContainsFunc(known, func(name string) bool { return strings.EqualFold(name, a.Text) }) {
			continue
		}
		said[a.Text] = true
		at := rule.WordAt(a.Span, a.Text)
		p.Report(at, "there is no partition %s", a.Text).
			Note("no job can use this association; correct the name, or add the partition to slurm.conf").
			DidYouMean(at, a.Text, known)
	}
}

func dumpedQOS(p *rule.Pass) {
	known := qosNames(p)
	if known == nil {
		return
	}
	said := map[string]bool{}
	dumped(p, func(r *ir.Record) bool {
		for _, name := range []string{"Preempt", "QOS", "DefaultQOS"} {
			a := r.Attr(name)
			if a == nil {
				continue
			}
			eachUnknown(a, known, func(at source.Span, word string) {
				if said[word] {
					return // accounts repeat what their users have
				}
				said[word] = true
				p.Report(at, "there is no QOS %s", word).
					Note("sacctmgr refuses it; correct the name, or add a QOS line").
					DidYouMean(at, word, known)
			})
		}
		return true
	})
}

// barredDefaultQOS asks of users, but for root: what an account has counts as far as they inherit it, unless it
// has both.
func barredDefaultQOS(p *rule.Pass) {
	lists, parents := map[string][]string{}, map[string]string{}
	if t := p.Table("association.qos_list"); t != nil {
		for _, r := range t.Rows {
			lists[r.Name] = r.Value.List
		}
	}
	defaults := map[string]*ir.Attr{}
	for _, r := range p.Records["association"] {
		if a := r.Attr("DefaultQOS"); a != nil && a.Text != "" && a.Text != "-1" {
			defaults[r.Name] = a
		}
	}
	tree := tree(p)
	for _, a := range tree {
		if a.User == "" {
			parents[a.Account] = a.Parent
		}
	}
	said := map[*ir.Attr]bool{}
	for _, r := range p.Records["association"] {
		both := r.Attr("DefaultQOS") != nil && r.Attr("QOS") != nil
		if r.Name == "root" || strings.HasPrefix(r.Name, "root/") || !strings.Contains(r.Name, "/") && !both {
			continue
		}
		a, _ := nearest(r.Name, parents, defaults)
		list, found := nearest(r.Name, parents, lists)
		changed := slices.ContainsFunc(list,
			func(name string) bool { return strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") })
		if a == nil || !found || changed || len(list) == 0 || said[a] ||
			slices.Contains(list, strings.ToLower(a.Text)) {
			continue // a list that is changed depends on what the database has
		}
		said[a] = true
		p.Report(rule.WordAt(a.Span, a.Text), "%s may not use its DefaultQOS %s", r.Name, a.Text).
			Note("its QOS are %s; add %s to the list, or choose one of them", rule.Names(list), a.Text)
	}
}

// nearest is what an association has itself, or else the nearest account above it.
func nearest[T any](key string, parents map[string]string, has map[string]T) (value T, ok bool) {
	account, _, _ := strings.Cut(key, "/")
	for seen := map[string]bool{}; key != "" && !seen[key]; {
		if value, ok = has[key]; ok {
			return value, true
		}
		seen[key] = true
		if key == account {
			account = parents[account]
		}
		key = account
	}
	return value, false
}

func defaultAccounts(p *rule.Pass) {
	in := map[string][]string{} // accounts of users
	for _, a := range tree(p) {
		if a.User != "" {
			in[a.User] = append(in[a.User], a.Account)
		}
	}
	said := map[string]bool{}
	for _, r := range p.Records["association"] {
		_, user, _ := strings.Cut(r.Name, "/")
		user, _, _ = strings.Cut(user, "/")
		a := r.Attr("DefaultAccount")
		if a == nil || a.Text == "" || len(in[user]) == 0 || said[user] ||
			slices.Contains(in[user], strings.ToLower(a.Text)) {
			continue
		}
		said[user] = true
		at := rule.WordAt(a.Span, a.Text)
		p.Report(at, "%s is not in the account %s", user, a.Text).
			Note("add the user below Parent - '%s', or write DefaultAccount='%s'", a.Text, in[user][0]).
			DidYouMean(at, a.Text, in[user])
	}
}
