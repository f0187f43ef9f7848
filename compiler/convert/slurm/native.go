package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// nativeSlurm adds what blocks of policy files say to Slurm's own words.
func Native(of *draft.Writer, base *ir.Policy) {
	w := newWriter(of)
	w.Same = map[string]bool{}
	w.Bare = !w.File && !slices.ContainsFunc(w.Records, func(r draft.Record) bool {
		return r.Kind == "PartitionName" || r.Kind == "NodeName" || draft.InDump(r.Kind)
	})
	if !w.File {
		w.placeholderPartitions()
	}
	w.tree(base)
	draft.NewRows(w.Policy, base, func(column schema.ColumnID, r ir.TableRow) {
		if column == "association.parent" && r.Name != "root" {
			w.drawn(r)
		}
	})
	w.nativeColumns(base)
	draft.NewLimits(w.Policy, base, func(l *ir.Limit) {
		if l.Kind != "" {
			w.limit(l)
		}
	})
	enforced := w.nativeLimits(base)
	if w.Bare {
		w.placeMembers()
		if enforced {
			w.someAccount(w.Policy.Span)
		}
		w.exampleUsers()
		p, ok := w.IsSet("PriorityWeightFairshare")
		shares := draft.HasAssociation(w.Policy,
			func(*ir.Association) bool { return true }) // the policy says who shares together
		if ok && p.Value.Int > 0 && !shares && w.HasRecord("Account", "") {
			w.Diags.Infof("convert-incomplete", p.Set,
				"what shares accounts and users have is no part of the policy: complete Fairshare of the accounts")
		}
	}
	if !w.Bare && len(w.Members) > 0 {
		w.Diags.Infof("convert-left-out", w.Policy.Span,
			"users of the queue are left out: the policy has records of the site's own, and its accounts in them")
	}
	if !w.File {
		w.placeholders()
	}
}

// nativeColumns writes what credentials have.
func (w *writer) nativeColumns(base *ir.Policy) {
	above, own := map[string]string{}, map[string]source.Span{}
	for _, r := range w.Rows("association.parent") {
		above[r.Name] = r.Value.Str
	}
	for _, r := range w.Rows("association.priority") {
		own[r.Name] = r.Span
	}
	draft.NewRows(w.Policy, base, func(column schema.ColumnID, r ir.TableRow) {
		c, ok := match.SlurmColumn(column)
		v := r.Value
		switch {
		case column == "partition.priority":
			w.Because(r.Span, "Slurm has PriorityJobFactor, which PriorityWeightPartition weighs, and PriorityTier, "+
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
		if text := draft.ValueText(v); text != "" {
			w.setSlurm(c.Record, r.Name, draft.Set(c.Setting, text, r.Span))
		}
	})
}

// drawn puts an account or a user that a policy file only draws where it draws them.
func (w *writer) drawn(r ir.TableRow) {
	account, user, _ := strings.Cut(r.Name, "/")
	there := slices.ContainsFunc(w.Records,
		func(old draft.Record) bool { return old.Kind == "Account" && strings.EqualFold(old.Name, account) })
	switch {
	case user != "":
		w.recordOf("association", r.Name, draft.Setting{Span: r.Span})
	case !there:
		w.association(account, "", "", r.Value.Str, draft.Setting{Span: r.Span})
	}
}

// nativeLimits writes limits in the policy's own words, and holds of jobs above a size, as Slurm's, and reports
// that slurmctld looks at limits.
func (w *writer) nativeLimits(base *ir.Policy) (enforced bool) {
	limits := w.holdLimits()
	draft.NewLimits(w.Policy, base, func(l *ir.Limit) {
		if l.Kind == "" {
			limits = append(limits, *l)
		}
	})
	enforced = w.Policy.Enforced != nil && w.Policy.Enforced.Limits
	_, set := w.IsSet("AccountingStorageEnforce")
	others := slices.ContainsFunc(w.Policy.Limits, func(l ir.Limit) bool { return l.Kind != "" })
	w.Became = map[draft.Said]bool{}
	defer w.sayHung()
	for _, l := range draft.Stricter(limits) {
		why := ""
		switch {
		case enforced:
		case !w.Slurmdbd():
			why = "Slurm has limits on accounts and QOS with AccountingStorageType=accounting_storage/slurmdbd alone"
		case set || others:
			why = "Slurm's limits count with limits in AccountingStorageEnforce, and the policy's own without it; " +
				"add it there if all are to count"
		}
		places := w.placesOfLimit(l)
		for _, at := range places {
			if why != "" && w.limitName(l) != "" {
				w.Because(at, why)
			}
		}
		can := why == "" && w.hangLimit(l)
		for _, at := range places {
			key := draft.Said{At: at, Name: l.Source}
			if before, had := w.Became[key]; !had || before {
				w.Became[key] = can
			}
			if why := w.Reasons[l.Span]; why != "" && !can {
				w.Because(at, why)
			}
		}
		if can && !enforced {
			w.Say("AccountingStorageEnforce", "limits")
			for _, name := range []string{"", " associations", " limits"} {
				w.Same["AccountingStorageEnforce"+name] = true
			}
			w.enforcing(l)
			enforced = true
		}
	}
	return enforced
}

// placesOfLimit are where a limit is written, and the hold that it is.
func (w *writer) placesOfLimit(l *ir.Limit) []source.Span {
	places := []source.Span{l.Span}
	for i := range w.Policy.Holds {
		if h := &w.Policy.Holds[i]; l.Source == "hold "+h.Name {
			places = append(places, h.Span)
		}
	}
	return places
}

// limit writes a limit that Slurm has.
func (w *writer) limit(l *ir.Limit) bool {
	kind := map[string]string{"qos": "QOS", "association": "association"}[l.Object]
	if l.Kind == "" || kind == "" || !draft.IsWhole(l.Hard) {
		return false
	}
	value := fmt.Sprint(int64(*l.Hard))
	_, tres, ofTRES := strings.Cut(l.Name, "=")
	if ofTRES {
		value = tres + "=" + value
	}
	r := w.recordOf(kind, l.Row, draft.Setting{Span: l.Span})
	if w.Collides(r, draft.Setting{Name: l.Kind, Span: l.Span}, value) {
		return false
	}
	if ofTRES { // beside other resources
		for _, s := range r.Settings {
			if s.Name == l.Kind {
				kept := slices.DeleteFunc(strings.Split(s.Text, ","),
					func(old string) bool { return strings.HasPrefix(old, tres+"=") })
				value = strings.Join(append(kept, value), ",")
			}
		}
	}
	w.setSlurm(kind, l.Row, draft.Set(l.Kind, value, l.Span))
	return true
}

// setSlurm gives a record a setting; that of a partition must be there, as it says which nodes there are.
func (w *writer) setSlurm(kind, name string, s draft.Setting) {
	r := w.recordOf(kind, name, s)
	switch {
	case r == nil:
		w.Because(s.Span,
			"no record PartitionName is here that says which nodes the partition has: add it to the policy first")
	case strings.Contains(s.Text, "=") || !w.Collides(r, s, s.Text):
		w.Exact(s.Span)
		r.Change(s)
	}
}

// recordOf finds or adds a record.
func (w *writer) recordOf(kind, name string, s draft.Setting) *draft.Record {
	account, user, _ := strings.Cut(name, "/")
	user, partition, _ := strings.Cut(user, "/")
	if kind != "association" && kind != "QOS" {
		i := slices.IndexFunc(w.Records, func(r draft.Record) bool { // slurmctld keeps Fast and fast apart
			return r.Kind == kind &&
				(r.Name == name || kind != "PartitionName" && strings.EqualFold(r.Name, name))
		})
		if i < 0 {
			return nil
		}
		return &w.Records[i]
	}
	key := draft.DumpKey("QOS", name, "", "")
	if kind == "association" {
		key = draft.DumpKey("Account", name, "", "")
		if name == "root" {
			key = draft.DumpKey("Cluster", "", "", "")
		} else if user != "" {
			key = draft.DumpKey("User", user, account, partition)
		}
	}
	if i, found := w.Dumped()[key]; found {
		return &w.Records[i]
	}
	switch kind {
	case "QOS": // dumps have them before the cluster
		w.cluster(s.Span)
		i := slices.IndexFunc(w.Records, func(r draft.Record) bool { return strings.EqualFold(r.Kind, "Cluster") })
		w.Records = slices.Insert(w.Records, i, draft.Record{Kind: "QOS", Name: name, Span: s.Span})
		w.Index.Inserted(i, key)
		return &w.Records[i]
	case "association":
		if name == "root" { // the cluster's line is its association
			w.cluster(s.Span)
			return w.recordOf(kind, name, s)
		}
		return w.association(account, user, partition, "root", s)
	}
	return nil
}

// association adds an account or a user at the end, below its parent.
func (w *writer) association(account, user, partition, parent string, s draft.Setting) *draft.Record {
	w.cluster(s.Span)
	r := draft.Record{Kind: "Account", Name: account, Span: s.Span}
	if user != "" {
		if _, there := w.Dumped()[draft.DumpKey("Account", account, "", "")]; account != "root" && !there {
			w.association(account, "", "", "root", s)
		}
		r, parent = draft.Record{Kind: "User", Name: user, Span: s.Span}, account
		if partition != "" {
			r.Settings = []draft.Setting{draft.Set("Partition", partition, s.Span)}
		}
	}
	w.Dumped()
	if w.Index.Parent != parent {
		w.Records = append(w.Records, draft.Record{Kind: "Parent", Name: parent, Span: s.Span})
	}
	w.Records = append(w.Records, r)
	return &w.Records[len(w.Records)-1]
}

// cluster sees that a dump begins with its cluster.
func (w *writer) cluster(from source.Span) {
	if w.HasRecord("Cluster", "") {
		return
	}
	w.Records = append(w.Records,
		draft.Record{Kind: "Cluster", Name: cmp.Or(w.TextOf("ClusterName"), "cluster"), Span: from})
}

// tree adds the accounts and users that policy files draw, with their shares.
func (w *writer) tree(base *ir.Policy) {
	had := map[string]*ir.Association{}
	for a := range draft.Associations(base) {
		had[a.Key()] = a
	}
	for a := range draft.Associations(w.Policy) {
		old, ok := had[a.Key()]
		if a.Account == "root" && a.User == "" ||
			ok && old.Shares == a.Shares && old.Parent == a.Parent {
			continue
		}
		shares := fmt.Sprint(a.Shares)
		if a.UsesParent() {
			shares = "parent"
		}
		s := draft.Set("Fairshare", shares, a.Span)
		if ok {
			w.setSlurm("association", a.Key(), s)
			continue
		}
		w.association(a.Account, a.User, a.Partition, cmp.Or(a.Parent, "root"), s).Change(s)
	}
}
