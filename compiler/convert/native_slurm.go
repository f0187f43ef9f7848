package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// nativeSlurm adds what blocks of policy files say to Slurm's own words.
func nativeSlurm(of *writer, base *ir.Policy) {
	w := newSlurmWriter(of)
	w.same = map[string]bool{}
	w.bare = !w.file && !slices.ContainsFunc(w.records, func(r record) bool {
		return r.kind == "PartitionName" || r.kind == "NodeName" || inDump(r.kind)
	})
	if !w.file {
		w.placeholderPartitions()
	}
	w.tree(base)
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		if column == "association.parent" && r.Name != "root" {
			w.drawn(r)
		}
	})
	w.nativeColumns(base)
	newLimits(w.policy, base, func(l *ir.Limit) {
		if l.Kind != "" {
			w.slurmLimit(l)
		}
	})
	enforced := w.nativeLimits(base)
	if w.bare {
		if enforced {
			w.someAccount(w.policy.Span)
		}
		w.exampleUsers()
		p, ok := w.isSet("PriorityWeightFairshare")
		shares := hasAssociation(w.policy,
			func(*ir.Association) bool { return true }) // the policy says who shares with whom
		if ok && p.Value.Int > 0 && !shares && w.hasRecord("Account", "") {
			w.diags.Infof("convert-incomplete", p.Set,
				"what shares accounts and users have is no part of the policy: complete Fairshare of the accounts")
		}
	}
	if !w.file {
		w.placeholders()
	}
}

// nativeColumns writes what credentials have.
func (w *slurmWriter) nativeColumns(base *ir.Policy) {
	above, own := map[string]string{}, map[string]source.Span{}
	for _, r := range w.rows("association.parent") {
		above[r.Name] = r.Value.Str
	}
	for _, r := range w.rows("association.priority") {
		own[r.Name] = r.Span
	}
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		c, ok := match.SlurmColumn(column)
		v := r.Value
		switch {
		case column == "partition.priority":
			w.because(r.Span, "Slurm has PriorityJobFactor, which PriorityWeightPartition weighs, and PriorityTier, "+
				"which comes before all priorities: write priority_job_factor or priority_tier")
			return
		case !ok || r.Name == "DEFAULT":
			return
		case column == "association.priority" && own[above[r.Name]] == r.Span: // the account's
			return
		case v.Type == schema.Int && v.Int%c.Unit != 0:
			return
		case v.Type == schema.Int:
			v.Int /= c.Unit
		}
		if text := valueText(v); text != "" {
			w.setSlurm(c.Record, r.Name, setting{c.Setting, text, r.Span})
		}
	})
}

// drawn puts an account or a user of whom a policy file says nothing else where it draws them.
func (w *slurmWriter) drawn(r ir.TableRow) {
	account, user, _ := strings.Cut(r.Name, "/")
	there := slices.ContainsFunc(w.records,
		func(old record) bool { return old.kind == "Account" && strings.EqualFold(old.name, account) })
	switch {
	case user != "":
		w.slurmRecord("association", r.Name, setting{span: r.Span})
	case !there:
		w.association(account, "", "", r.Value.Str, setting{span: r.Span})
	}
}

// nativeLimits writes limits in the policy's own words, and holds of jobs above a size, as Slurm's, and reports
// that slurmctld looks at limits.
func (w *slurmWriter) nativeLimits(base *ir.Policy) (enforced bool) {
	limits := w.holdLimits()
	newLimits(w.policy, base, func(l *ir.Limit) {
		if l.Kind == "" {
			limits = append(limits, *l)
		}
	})
	enforced = w.policy.Enforced != nil && w.policy.Enforced.Limits
	_, set := w.isSet("AccountingStorageEnforce")
	others := slices.ContainsFunc(w.policy.Limits, func(l ir.Limit) bool { return l.Kind != "" })
	w.became = map[said]bool{}
	defer w.sayHung()
	for _, l := range stricter(limits) {
		why := ""
		switch {
		case enforced:
		case !w.slurmdbd():
			why = "Slurm has limits on accounts and QOS with AccountingStorageType=accounting_storage/slurmdbd alone"
		case set || others:
			why = "Slurm's limits count with limits in AccountingStorageEnforce, and the policy's own without it; " +
				"add it there if all are to count"
		}
		places := w.placesOfLimit(l)
		for _, at := range places {
			if why != "" && w.limitName(l) != "" {
				w.because(at, why)
			}
		}
		can := why == "" && w.limitToSlurm(l)
		for _, at := range places {
			key := said{at, l.Source}
			if before, had := w.became[key]; !had || before {
				w.became[key] = can
			}
			if why := w.reasons[l.Span]; why != "" && !can {
				w.because(at, why)
			}
		}
		if can && !enforced {
			w.say("AccountingStorageEnforce", "limits")
			for _, name := range []string{"", " associations", " limits"} {
				w.same["AccountingStorageEnforce"+name] = true
			}
			w.enforcing(l)
			enforced = true
		}
	}
	return enforced
}

// placesOfLimit are where a limit is written, and the hold that it is.
func (w *slurmWriter) placesOfLimit(l *ir.Limit) []source.Span {
	places := []source.Span{l.Span}
	for i := range w.policy.Holds {
		if h := &w.policy.Holds[i]; l.Source == "hold "+h.Name {
			places = append(places, h.Span)
		}
	}
	return places
}

// slurmLimit writes a limit that Slurm has.
func (w *slurmWriter) slurmLimit(l *ir.Limit) bool {
	kind := map[string]string{"qos": "QOS", "association": "association"}[l.Object]
	if l.Kind == "" || kind == "" || !isWhole(l.Hard) {
		return false
	}
	value := fmt.Sprint(int64(*l.Hard))
	_, tres, ofTRES := strings.Cut(l.Name, "=")
	if ofTRES {
		value = tres + "=" + value
	}
	r := w.slurmRecord(kind, l.Row, setting{span: l.Span})
	if w.collides(r, setting{name: l.Kind, span: l.Span}, value) {
		return false
	}
	if ofTRES { // beside other resources
		for _, s := range r.settings {
			if s.name == l.Kind {
				kept := slices.DeleteFunc(strings.Split(s.text, ","),
					func(old string) bool { return strings.HasPrefix(old, tres+"=") })
				value = strings.Join(append(kept, value), ",")
			}
		}
	}
	w.setSlurm(kind, l.Row, setting{l.Kind, value, l.Span})
	return true
}

// setSlurm gives a record a setting; that of a partition must be there, as it says which nodes there are.
func (w *slurmWriter) setSlurm(kind, name string, s setting) {
	r := w.slurmRecord(kind, name, s)
	switch {
	case r == nil:
		w.because(s.span,
			"no record PartitionName is here that says which nodes the partition has: add it to the policy first")
	case strings.Contains(s.text, "=") || !w.collides(r, s, s.text):
		w.exact(s.span)
		r.change(s)
	}
}

// slurmRecord finds or adds a record.
func (w *slurmWriter) slurmRecord(kind, name string, s setting) *record {
	account, user, _ := strings.Cut(name, "/")
	user, partition, _ := strings.Cut(user, "/")
	if kind != "association" && kind != "QOS" {
		i := slices.IndexFunc(w.records, func(r record) bool { // slurmctld keeps Fast and fast apart
			return r.kind == kind &&
				(r.name == name || kind != "PartitionName" && strings.EqualFold(r.name, name))
		})
		if i < 0 {
			return nil
		}
		return &w.records[i]
	}
	key := dumpKey("QOS", name, "", "")
	if kind == "association" {
		key = dumpKey("Account", name, "", "")
		if name == "root" {
			key = dumpKey("Cluster", "", "", "")
		} else if user != "" {
			key = dumpKey("User", user, account, partition)
		}
	}
	if i, found := w.dumped()[key]; found {
		return &w.records[i]
	}
	switch kind {
	case "QOS": // dumps have them before the cluster
		w.cluster(s.span)
		i := slices.IndexFunc(w.records, func(r record) bool { return strings.EqualFold(r.kind, "Cluster") })
		w.records = slices.Insert(w.records, i, record{kind: "QOS", name: name, span: s.span})
		w.index.inserted(i, key)
		return &w.records[i]
	case "association":
		if name == "root" { // the cluster's line is its association
			w.cluster(s.span)
			return w.slurmRecord(kind, name, s)
		}
		return w.association(account, user, partition, "root", s)
	}
	return nil
}

// association adds an account or a user at the end, below its parent.
func (w *slurmWriter) association(account, user, partition, parent string, s setting) *record {
	w.cluster(s.span)
	r := record{kind: "Account", name: account, span: s.span}
	if user != "" {
		if account != "root" && !w.hasRecord("Account", account) {
			w.association(account, "", "", "root", s)
		}
		r, parent = record{kind: "User", name: user, span: s.span}, account
		if partition != "" {
			r.settings = []setting{{"Partition", partition, s.span}}
		}
	}
	w.dumped()
	if w.index.parent != parent {
		w.records = append(w.records, record{kind: "Parent", name: parent, span: s.span})
	}
	w.records = append(w.records, r)
	return &w.records[len(w.records)-1]
}

// cluster sees that a dump begins with its cluster.
func (w *slurmWriter) cluster(from source.Span) {
	if w.hasRecord("Cluster", "") {
		return
	}
	w.records = append(w.records, record{kind: "Cluster", name: cmp.Or(w.textOf("ClusterName"), "cluster"), span: from})
}

// tree adds the accounts and users that policy files draw, with their shares.
func (w *slurmWriter) tree(base *ir.Policy) {
	had := map[string]*ir.Association{}
	for a := range associations(base) {
		had[a.Key()] = a
	}
	for a := range associations(w.policy) {
		old, ok := had[a.Key()]
		if a.Account == "root" && a.User == "" ||
			ok && old.Shares == a.Shares && old.ParentShares == a.ParentShares && old.Parent == a.Parent {
			continue
		}
		shares := fmt.Sprint(a.Shares)
		if a.ParentShares {
			shares = "parent"
		}
		s := setting{"Fairshare", shares, a.Span}
		if ok {
			w.setSlurm("association", a.Key(), s)
			continue
		}
		w.association(a.Account, a.User, a.Partition, cmp.Or(a.Parent, "root"), s).change(s)
	}
}
