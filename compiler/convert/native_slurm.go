package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// slurmColumns are the settings of records that set a column.
var slurmColumns = map[schema.ColumnID]struct {
	kind, setting string
	unit          int64 // of the column in one of the setting
}{
	"qos.priority":                       {"QOS", "Priority", 1},
	"qos.usage_factor":                   {"QOS", "UsageFactor", 1},
	"qos.limit_factor":                   {"QOS", "LimitFactor", 1},
	"qos.usage_threshold":                {"QOS", "UsageThreshold", 1},
	"qos.flags":                          {"QOS", "Flags", 1},
	"qos.preempt_list":                   {"QOS", "Preempt", 1},
	"partition.priority_job_factor":      {"PartitionName", "PriorityJobFactor", 1},
	"partition.priority_tier":            {"PartitionName", "PriorityTier", 1},
	"partition.walltime_max_seconds":     {"PartitionName", "MaxTime", 60},
	"partition.walltime_default_seconds": {"PartitionName", "DefaultTime", 60},
	"partition.nodes_min":                {"PartitionName", "MinNodes", 1},
	"partition.nodes_max":                {"PartitionName", "MaxNodes", 1},
	"partition.accounts_allowed":         {"PartitionName", "AllowAccounts", 1},
	"partition.accounts_denied":          {"PartitionName", "DenyAccounts", 1},
	"partition.qos_allowed":              {"PartitionName", "AllowQos", 1},
	"partition.qos_denied":               {"PartitionName", "DenyQos", 1},
	"partition.qos":                      {"PartitionName", "QOS", 1},
	"association.priority":               {"association", "Priority", 1},
	"association.qos_default":            {"association", "DefaultQOS", 1},
	"association.qos_list":               {"association", "QOS", 1},
}

func (w *writer) nativeSlurm(base *ir.Policy) {
	w.same = map[string]bool{}
	w.usersAccount = free("users", named(w.policy, "account"))
	w.bare = !w.file && !slices.ContainsFunc(w.records, func(r record) bool { return r.kind == "PartitionName" || r.kind == "NodeName" || inDump(r.kind) })
	if !w.file {
		w.placeholderPartitions()
	}
	w.tree(base)
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		if column == "association.parent" && r.Name != "root" {
			w.drawn(r)
		}
	})
	above := map[string]string{}
	for _, r := range w.rows("association.parent") {
		above[r.Name] = r.Value.Str
	}
	own := map[string]source.Span{}
	for _, r := range w.rows("association.priority") {
		own[r.Name] = r.Span
	}
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		c, ok := slurmColumns[column]
		if column == "association.priority" && own[above[r.Name]] == r.Span {
			return // the account's
		}
		if column == "partition.priority" {
			w.because(r.Span, "Slurm has PriorityJobFactor, which PriorityWeightPartition weighs, and PriorityTier, which comes before all priorities: write priority_job_factor or priority_tier")
		}
		if !ok || r.Name == "DEFAULT" {
			return
		}
		v := r.Value
		if v.Type == schema.Int && c.unit > 1 {
			if v.Int%c.unit != 0 {
				return
			}
			v.Int /= c.unit
		}
		if text := valueText(v); text != "" {
			w.setSlurm(c.kind, r.Name, setting{c.setting, text, r.Span})
		}
	})
	newLimits(w.policy, base, func(l *ir.Limit) {
		if l.Kind != "" {
			w.slurmLimit(l)
		}
	})
	enforced := w.nativeLimits(base)
	if w.bare {
		if enforced && !w.hasRecord("Account", "") {
			w.association(w.usersAccount, "", "", "root", setting{span: w.policy.Span})
		}
		w.exampleUsers()
		if p, ok := w.isSet("PriorityWeightFairshare"); ok && p.Value.Int > 0 && !w.hasShares() && w.hasRecord("Account", "") {
			w.diags.Infof("convert-incomplete", p.Set, "what shares accounts and users have is no part of the policy: complete Fairshare of the accounts")
		}
	}
	if !w.file {
		w.placeholders()
	}
}

// drawn puts an account or a user of whom a policy file says nothing else where it draws them.
func (w *writer) drawn(r ir.TableRow) {
	account, user, _ := strings.Cut(r.Name, "/")
	there := slices.ContainsFunc(w.records, func(old record) bool { return old.kind == "Account" && strings.EqualFold(old.name, account) })
	switch {
	case user != "":
		w.slurmRecord("association", r.Name, setting{span: r.Span})
	case !there:
		w.association(account, "", "", r.Value.Str, setting{span: r.Span})
	}
}

// hasShares reports a policy that says who shares with whom.
func (w *writer) hasShares() bool {
	return slices.ContainsFunc(w.policy.Fairshare, func(f ir.Fairshare) bool { return len(f.Associations) > 0 })
}

// nativeLimits writes limits in the policy's own words, and holds of jobs above a size, as Slurm's, and reports that slurmctld
// looks at limits.
func (w *writer) nativeLimits(base *ir.Policy) (enforced bool) {
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
		places := []source.Span{l.Span}
		for i := range w.policy.Holds {
			if h := &w.policy.Holds[i]; l.Source == "hold "+h.Name {
				places = append(places, h.Span)
			}
		}
		for _, at := range places {
			switch {
			case w.limitName(l) == "" || enforced:
			case !w.slurmdbd():
				w.because(at, "Slurm has limits on accounts and QOS with AccountingStorageType=accounting_storage/slurmdbd alone")
			case set || others:
				w.because(at, "Slurm's limits count with limits in AccountingStorageEnforce, and the policy's own without it; add it there if all are to count")
			}
		}
		can := (enforced || w.slurmdbd() && !set && !others) && w.limitToSlurm(l)
		for _, at := range places {
			key := said{at, l.Source}
			if before, had := w.became[key]; !had || before {
				w.became[key] = can
			}
			if why := w.reasons[l.Span]; why != "" && !can {
				w.because(at, why)
			}
		}
		if !can {
			continue
		}
		if !enforced {
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

// slurmLimit writes a limit that Slurm has.
func (w *writer) slurmLimit(l *ir.Limit) bool {
	if l.Kind == "" || l.Hard == nil || *l.Hard != float64(int64(*l.Hard)) {
		return false
	}
	kind := map[string]string{"qos": "QOS", "association": "association"}[l.Object]
	value := fmt.Sprint(int64(*l.Hard))
	_, tres, ofTRES := strings.Cut(l.Name, "=")
	if ofTRES {
		value = tres + "=" + value
	}
	if kind == "" {
		return false
	}
	r := w.slurmRecord(kind, l.Row, setting{span: l.Span})
	if w.collides(r, setting{name: l.Kind, span: l.Span}, value) {
		return false
	}
	if ofTRES { // beside other resources
		for _, s := range r.settings {
			if s.name == l.Kind {
				kept := slices.DeleteFunc(strings.Split(s.text, ","), func(old string) bool { return strings.HasPrefix(old, tres+"=") })
				value = strings.Join(append(kept, value), ",")
			}
		}
	}
	w.setSlurm(kind, l.Row, setting{l.Kind, value, l.Span})
	return true
}

// setSlurm gives a record a setting; that of a partition must be there, as it says which nodes there are.
func (w *writer) setSlurm(kind, name string, s setting) {
	r := w.slurmRecord(kind, name, s)
	switch {
	case r == nil:
		w.because(s.span, "no record PartitionName is here that says which nodes the partition has: add it to the policy first")
	case strings.Contains(s.text, "=") || !w.collides(r, s, s.text):
		w.exact(s.span)
		r.change(s)
	}
}

// slurmRecord finds or adds a record.
func (w *writer) slurmRecord(kind, name string, s setting) *record {
	account, user, _ := strings.Cut(name, "/")
	user, partition, _ := strings.Cut(user, "/")
	if kind != "association" && kind != "QOS" {
		i := slices.IndexFunc(w.records, func(r record) bool {
			return r.kind == kind && (r.name == name || kind != "PartitionName" && strings.EqualFold(r.name, name)) // slurmctld keeps Fast and fast apart
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

func (r *record) text(name string) string {
	for _, s := range r.settings {
		if strings.EqualFold(s.name, name) {
			return s.text
		}
	}
	return ""
}

// association adds an account or a user at the end, below its parent.
func (w *writer) association(account, user, partition, parent string, s setting) *record {
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
func (w *writer) cluster(from source.Span) {
	if w.hasRecord("Cluster", "") {
		return
	}
	name := "cluster"
	for _, p := range w.set {
		if p.name == "ClusterName" {
			name = p.text
		}
	}
	w.records = append(w.records, record{kind: "Cluster", name: name, span: from})
}

// hasRecord reports a record of a kind, of any name if it is "".
func (w *writer) hasRecord(kind, name string) bool {
	return slices.ContainsFunc(w.records, func(r record) bool {
		return strings.EqualFold(r.kind, kind) && (name == "" || strings.EqualFold(r.name, name))
	})
}

// tree adds the accounts and users that policy files draw, with their shares.
func (w *writer) tree(base *ir.Policy) {
	had := map[string]ir.Association{}
	for i := range base.Fairshare {
		for _, a := range base.Fairshare[i].Associations {
			had[a.Key()] = a
		}
	}
	for i := range w.policy.Fairshare {
		for _, a := range w.policy.Fairshare[i].Associations {
			old, ok := had[a.Key()]
			if a.Account == "root" && a.User == "" || ok && old.Shares == a.Shares && old.ParentShares == a.ParentShares && old.Parent == a.Parent {
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
			parent := a.Parent
			if parent == "" {
				parent = "root"
			}
			w.association(a.Account, a.User, a.Partition, parent, s).change(s)
		}
	}
}
