package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmNames are the rules about names that one file uses and the other does not know: slurm.conf and a dump of the accounts.
var slurmNames = []Rule{
	{"slurm-other-cluster", otherCluster},
	{"slurm-partition-qos-unknown", partitionQOS},
	{"slurm-allowed-qos-unknown", allowedQOS},
	{"slurm-allowed-account-unknown", allowedAccounts},
	{"slurm-association-partition", associationPartitions},
	{"slurm-dump-qos-unknown", dumpedQOS},
	{"slurm-default-qos-barred", barredDefaultQOS},
	{"slurm-default-account-unknown", defaultAccounts},
}

// foreign is the cluster of a dump that is not ClusterName; nil if all dumps are of this one.
func (p *pass) foreign() *ir.Cluster {
	for i := range p.Facts.Clusters {
		if c := &p.Facts.Clusters[i]; p.isSet("ClusterName") && !strings.EqualFold(c.Name, p.text("ClusterName")) {
			return c
		}
	}
	return nil
}

func otherCluster(p *pass) {
	if c := p.foreign(); c != nil && p.slurm() {
		p.report(wordAt(c.Span, c.Name), "this is a dump of the cluster %s", c.Name).
			NoteAt(p.at("ClusterName"), "the configuration is of %s", p.text("ClusterName")).
			Note("its accounts and limits are taken all the same; give the dump that `sacctmgr dump %s` writes", strings.ToLower(p.text("ClusterName")))
	}
}

// qosNames are the QOS that the dumps and policy files define; nil where no dump lists them, as
// those of sacctmgr before 25.05 do not. slurmdbd makes normal by itself.
func (p *pass) qosNames() []string {
	if !p.Facts.Dumped || len(p.records["QOS"]) == 0 {
		return nil
	}
	list := []string{"normal"}
	for _, q := range p.records["QOS"] {
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
func (p *pass) accounts() []string {
	if p.foreign() != nil {
		return nil
	}
	var list []string
	for _, a := range p.tree() {
		if a.User == "" {
			list = append(list, a.Account)
		}
	}
	return list
}

// wordAt is where a word of a list stands in it; the whole list where it is not to be found.
func wordAt(list source.Span, word string) source.Span {
	text, word := strings.ToLower(list.Text()), strings.ToLower(word)
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			break
		}
		i += at
		end := i + len(word)
		if (i == 0 || strings.IndexByte(`,:;='"+- `, text[i-1]) >= 0) && (end == len(text) || strings.IndexByte(`,:;='" `, text[end]) >= 0) {
			return list.Sub(i, end)
		}
		at = end
	}
	return list
}

// eachUnknown visits the words of a list that are not known, each at its place.
func eachUnknown(a *ir.Attr, known []string, visit func(at source.Span, word string)) {
	for _, word := range a.List() {
		name := strings.ToLower(strings.TrimLeft(word, "+-"))
		if name != "" && !slices.Contains(known, name) {
			visit(wordAt(a.Span, name), name)
		}
	}
}

func partitionQOS(p *pass) {
	known := p.qosNames()
	p.each("PartitionName", "QOS", func(part *ir.Record, a *ir.Attr) {
		if known == nil || a.Text == "" || slices.Contains(known, strings.ToLower(a.Text)) {
			return
		}
		at := wordAt(a.Span, a.Text)
		d := p.report(at, "the QOS %s of partition %s is in no dump", a.Text, part.Name)
		if p.Enforced != nil && p.Enforced.QOS {
			d.NoteAt(p.at("AccountingStorageEnforce"), "slurmctld refuses to start, because qos is enforced")
		} else {
			d.Severity = diag.Warning
		}
		d.Note("make it with `sacctmgr add qos`, or correct the name").DidYouMean(at, a.Text, known)
	})
}

// ofPartitions visits the words of two lists of each partition that are not known.
func (p *pass) ofPartitions(allow, deny string, known []string, visit func(part *ir.Record, a *ir.Attr, at source.Span, word string)) {
	told := map[source.Span]bool{}
	for _, part := range p.records["PartitionName"] {
		for _, name := range []string{allow, deny} {
			a := part.Attr(name)
			if a == nil || known == nil || told[a.Span] || a.Is("ALL") || name == deny && part.Attr(allow) != nil {
				continue
			}
			told[a.Span] = true
			eachUnknown(a, known, func(at source.Span, word string) { visit(part, a, at, word) })
		}
	}
}

func allowedQOS(p *pass) {
	known := p.qosNames()
	p.ofPartitions("AllowQos", "DenyQos", known, func(part *ir.Record, a *ir.Attr, at source.Span, word string) {
		p.report(at, "the QOS %s in %s of partition %s is in no dump", word, a.Name, part.Name).
			Note("slurmctld passes over it; correct the name, or remove it").DidYouMean(at, word, known)
	})
}

func allowedAccounts(p *pass) {
	known := p.accounts()
	p.ofPartitions("AllowAccounts", "DenyAccounts", known, func(part *ir.Record, a *ir.Attr, at source.Span, word string) {
		p.report(at, "the account %s in %s of partition %s is in no dump", word, a.Name, part.Name).
			Note("no job has it; correct the name, or remove it").DidYouMean(at, word, known)
	})
}

func associationPartitions(p *pass) {
	known := p.namesOf("PartitionName")
	if len(known) == 0 || p.Facts.Partial || p.foreign() != nil {
		return
	}
	told := map[string]bool{}
	for _, r := range p.records["association"] {
		a := r.Attr("Partition")
		if a == nil || a.Text == "" || told[a.Text] || slices.ContainsFunc(known, func(name string) bool { return strings.EqualFold(name, a.Text) }) {
			continue
		}
		told[a.Text] = true
		at := wordAt(a.Span, a.Text)
		p.report(at, "there is no partition %s", a.Text).
			Note("no job can use this association; correct the name, or add the partition to slurm.conf").DidYouMean(at, a.Text, known)
	}
}

func dumpedQOS(p *pass) {
	known := p.qosNames()
	if known == nil {
		return
	}
	told := map[string]bool{}
	p.dumped(func(r *ir.Record) bool {
		for _, name := range []string{"Preempt", "QOS", "DefaultQOS"} {
			a := r.Attr(name)
			if a == nil {
				continue
			}
			eachUnknown(a, known, func(at source.Span, word string) {
				if told[word] {
					return // accounts repeat what their users have
				}
				told[word] = true
				p.report(at, "there is no QOS %s", word).Note("sacctmgr refuses it; correct the name, or add a QOS line").DidYouMean(at, word, known)
			})
		}
		return true
	})
}

// barredDefaultQOS asks of users, but for root: what an account has counts as far as they inherit it, unless it has both.
func barredDefaultQOS(p *pass) {
	lists, parents := map[string][]string{}, map[string]string{}
	if t := p.table("association.qos_list"); t != nil {
		for _, r := range t.Rows {
			lists[r.Name] = r.Value.List
		}
	}
	defaults := map[string]*ir.Attr{}
	for _, r := range p.records["association"] {
		if a := r.Attr("DefaultQOS"); a != nil && a.Text != "" && a.Text != "-1" {
			defaults[r.Name] = a
		}
	}
	tree := p.tree()
	for _, a := range tree {
		if a.User == "" {
			parents[a.Account] = a.Parent
		}
	}
	told := map[*ir.Attr]bool{}
	for _, r := range p.records["association"] {
		both := r.Attr("DefaultQOS") != nil && r.Attr("QOS") != nil
		if r.Name == "root" || strings.HasPrefix(r.Name, "root/") || !strings.Contains(r.Name, "/") && !both {
			continue
		}
		a, _ := nearest(r.Name, parents, defaults)
		list, found := nearest(r.Name, parents, lists)
		changed := slices.ContainsFunc(list, func(name string) bool { return strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") })
		if a == nil || !found || changed || len(list) == 0 || told[a] || slices.Contains(list, strings.ToLower(a.Text)) {
			continue // a list that is changed depends on what the database has
		}
		told[a] = true
		p.report(wordAt(a.Span, a.Text), "%s may not use its DefaultQOS %s", r.Name, a.Text).
			Note("its QOS are %s; add %s to the list, or choose one of them", names(list), a.Text)
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

func defaultAccounts(p *pass) {
	in := map[string][]string{} // accounts of users
	for _, a := range p.tree() {
		if a.User != "" {
			in[a.User] = append(in[a.User], a.Account)
		}
	}
	told := map[string]bool{}
	for _, r := range p.records["association"] {
		_, user, _ := strings.Cut(r.Name, "/")
		user, _, _ = strings.Cut(user, "/")
		a := r.Attr("DefaultAccount")
		if a == nil || a.Text == "" || len(in[user]) == 0 || told[user] || slices.Contains(in[user], strings.ToLower(a.Text)) {
			continue
		}
		told[user] = true
		at := wordAt(a.Span, a.Text)
		p.report(at, "%s is not in the account %s", user, a.Text).
			Note("add the user below Parent - '%s', or write DefaultAccount='%s'", a.Text, in[user][0]).DidYouMean(at, a.Text, in[user])
	}
}
