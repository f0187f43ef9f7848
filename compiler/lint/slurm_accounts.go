package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// slurmAccounts are the rules about the limits and shares of a dump of the accounts.
var slurmAccounts = []Rule{
	{"slurm-limits-off", limitsOff},
	{"slurm-budget-unsafe", unsafeBudget},
	{"slurm-budget-decays", decayingBudget},
	{"slurm-no-deny-on-limit", noDenyOnLimit},
	{"slurm-qos-limit-hidden", hiddenQOSLimits},
	{"slurm-qos-wall-over-partition", wallOverPartition},
	{"slurm-threshold-unused", unusedThreshold},
	{"slurm-usage-free", freeUsage},
	{"slurm-account-uses-parent", parentShares},
	{"slurm-no-shares", noShares},
	{"slurm-shares-equal", equalShares},
	{"slurm-users-in-several-accounts", severalAccounts},
}

// dumped visits the QOS and associations of a dump.
func (p *pass) dumped(visit func(r *ir.Record) (more bool)) {
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.records[kind] {
			if !visit(r) {
				return
			}
		}
	}
}

// isLimit reports an option that bounds something: 0 and -1 are an absence of a bound for some, but
// then they were written for a reason too.
func isLimit(a *ir.Attr) bool {
	return (strings.HasPrefix(a.Name, "Grp") || strings.HasPrefix(a.Name, "Max") || strings.HasPrefix(a.Name, "MinTRES")) && a.Text != "-1"
}

func limitsOff(p *pass) {
	if p.Enforced == nil || p.Enforced.Limits || p.Facts.Partial || p.global == nil {
		return
	}
	p.dumped(func(r *ir.Record) bool {
		for i := range r.Attrs {
			a := &r.Attrs[i]
			if !isLimit(a) {
				continue
			}
			d := p.report(a.Span, "%s of %s is not enforced, like all limits of accounts and QOS", a.Name, r.Name)
			if p.isSet("AccountingStorageEnforce") {
				d.NoteAt(p.at("AccountingStorageEnforce"), "limits is missing here")
			}
			d.Note("write AccountingStorageEnforce=limits,safe,qos")
			return false
		}
		return true
	})
}

// budget finds the first GrpTRESMins.
func (p *pass) budget() (found *ir.Record, at *ir.Attr) {
	p.dumped(func(r *ir.Record) bool {
		if a := r.Attr("GrpTRESMins"); a != nil && a.Text != "-1" {
			found, at = r, a
		}
		return found == nil
	})
	return found, at
}

func unsafeBudget(p *pass) {
	if r, a := p.budget(); a != nil && p.Enforced != nil && p.Enforced.Limits && !p.Enforced.Safe {
		p.report(a.Span, "a job of %s is killed when the budget ends", r.Name).
			NoteAt(p.at("AccountingStorageEnforce"), "safe is missing here").
			Note("with safe a job starts only if the budget lasts for all of it")
	}
}

func decayingBudget(p *pass) {
	r, a := p.budget()
	if a == nil || !p.multifactor() || p.Enforced == nil || !p.Enforced.Limits || p.number("PriorityDecayHalfLife") == 0 {
		return
	}
	for _, q := range p.records["QOS"] {
		if hasWord(q.Attr("Flags"), "NoDecay") {
			return
		}
	}
	d := p.report(a.Span, "the budget of %s fills up again by half in each %s", r.Name, duration(int64(p.number("PriorityDecayHalfLife"))))
	if p.isSet("PriorityDecayHalfLife") {
		d.NoteAt(p.at("PriorityDecayHalfLife"), "the half-life of usage")
	}
	d.Note("write PriorityDecayHalfLife=0 with a PriorityUsageResetPeriod, or set NoDecay on a QOS and the limit there")
}

func hasWord(a *ir.Attr, word string) bool {
	return slices.ContainsFunc(a.List(), func(w string) bool { return strings.EqualFold(w, word) })
}

func noDenyOnLimit(p *pass) {
	for _, q := range p.records["QOS"] {
		for i := range q.Attrs {
			if a := &q.Attrs[i]; strings.HasSuffix(a.Name, "PerJob") && !hasWord(q.Attr("Flags"), "DenyOnLimit") {
				p.report(a.Span, "a job above %s of QOS %s waits for ever", a.Name, q.Name).Note("with the flag DenyOnLimit it is refused")
				break
			}
		}
	}
}

func hiddenQOSLimits(p *pass) {
	told := map[*ir.Attr]bool{}
	for _, part := range p.records["PartitionName"] {
		a := part.Attr("QOS")
		if a == nil {
			continue
		}
		for _, first := range p.records["QOS"] {
			if !strings.EqualFold(first.Name, a.Text) {
				continue
			}
			for _, q := range p.records["QOS"] {
				if q != first && admits(part, q.Name) && !hasWord(q.Attr("Flags"), "OverPartQOS") {
					p.hiddenBy(first, q, part, told)
				}
			}
		}
	}
}

// hiddenBy reports the limits of a QOS that the one of the partition has too, with another number.
func (p *pass) hiddenBy(first, q, part *ir.Record, told map[*ir.Attr]bool) {
	for i := range q.Attrs {
		a := &q.Attrs[i]
		b := first.Attr(a.Name)
		if b == nil || told[a] {
			continue
		}
		what, ok := hidden(a, b)
		if !ok {
			continue
		}
		told[a] = true
		p.report(a.Span, "%s of QOS %s is not asked in partition %s", what, q.Name, part.Name).
			NoteAt(b.Span, "the partition's QOS %s comes first", first.Name).
			Note("add OverPartQOS to the flags of %s, if its own limit should hold", q.Name)
	}
}

// admits reports that jobs of a QOS may be in a partition. DenyQos is not asked beside an AllowQos.
func admits(part *ir.Record, qos string) bool {
	if allow := part.Attr("AllowQos"); allow != nil {
		return allow.Is("ALL") || hasWord(allow, qos)
	}
	return !hasWord(part.Attr("DenyQos"), qos)
}

// hidden names what of one limit another takes the place of: limits of TRES are asked for each of them.
func hidden(a, b *ir.Attr) (what string, ok bool) {
	if !isLimit(a) || !isLimit(b) {
		return "", false
	}
	if !strings.Contains(a.Text, "=") || !strings.Contains(b.Text, "=") {
		return a.Name, a.Text != b.Text
	}
	first := map[string]string{}
	for _, word := range b.List() {
		name, n, _ := strings.Cut(word, "=")
		first[strings.ToLower(name)] = n
	}
	var all []string
	for _, word := range a.List() {
		name, n, _ := strings.Cut(word, "=")
		if m := first[strings.ToLower(name)]; m != "" && m != "-1" && n != "-1" && m != n {
			all = append(all, name)
		}
	}
	return a.Name + " of " + strings.Join(all, ","), len(all) > 0
}

func wallOverPartition(p *pass) {
	longest := 0.0
	for _, r := range p.records["PartitionName"] {
		limit := r.Attr("MaxTime")
		if limit == nil || limit.Infinite {
			return
		}
		longest = max(longest, limit.Number())
	}
	if longest == 0 || p.Facts.Partial {
		return
	}
	for _, q := range p.records["QOS"] {
		if a := q.Attr("MaxWallDurationPerJob"); a.Number() > longest && !hasWord(q.Attr("Flags"), "PartitionTimeLimit") {
			p.report(a.Span, "no partition runs a job for the %s that QOS %s allows", duration(int64(a.Number())*60), q.Name).
				Note("the longest MaxTime is %s; add PartitionTimeLimit to the flags of the QOS, or raise MaxTime", duration(int64(longest)*60))
		}
	}
}

func unusedThreshold(p *pass) {
	for _, q := range p.records["QOS"] {
		if a := q.Attr("UsageThreshold"); a.Number() > 0 && !hasWord(q.Attr("Flags"), "EnforceUsageThreshold") {
			p.report(a.Span, "UsageThreshold of QOS %s is never asked", q.Name).Note("add EnforceUsageThreshold to its flags, or remove it")
		}
	}
}

func freeUsage(p *pass) {
	if !p.multifactor() || p.number("PriorityWeightFairshare") == 0 {
		return
	}
	for _, q := range p.records["QOS"] {
		if a := q.Attr("UsageFactor"); a != nil && a.Number() == 0 {
			p.report(a.Span, "what runs in QOS %s costs its users no fairshare", q.Name).Note("write a UsageFactor above 0, or limit the QOS")
		}
	}
}

// tree is the account tree of the dumps; nil where there is none.
func (p *pass) tree() []ir.Association {
	for _, f := range p.Fairshare {
		if len(f.Associations) > 0 && p.Facts.Dumped {
			return f.Associations
		}
	}
	return nil
}

func parentShares(p *pass) {
	tree := p.tree()
	for _, a := range tree {
		if a.User == "" && a.ParentShares && slices.ContainsFunc(tree, func(b ir.Association) bool { return b.Parent == a.Account && b.User == "" }) {
			p.report(a.Span, "the accounts below %s compete with its neighbours", a.Account).Note("Fairshare=parent takes %s out of the tree of shares; give it a number of its own", a.Account)
		}
	}
}

func noShares(p *pass) {
	tree := p.tree()
	for _, a := range tree {
		if a.User == "" && !a.ParentShares && a.Shares == 0 && slices.ContainsFunc(tree, func(b ir.Association) bool { return b.User != "" && b.Account == a.Account }) {
			p.report(a.Span, "the users of %s come last: the account has no shares", a.Account).Note("write Fairshare=1 or more")
		}
	}
}

func equalShares(p *pass) {
	tree := p.tree()
	accounts := 0
	for _, a := range tree {
		if a.ParentShares || a.Shares != 1 {
			return
		}
		if a.User == "" && a.Account != "root" {
			accounts++
		}
	}
	if accounts > 1 && p.multifactor() && p.number("PriorityWeightFairshare") > 0 {
		p.report(p.at("PriorityWeightFairshare"), "all %d accounts have one share each", accounts).Note("they get the same, whatever their size; give accounts Fairshare=N with sacctmgr, if that is not meant")
	}
}

func severalAccounts(p *pass) {
	seen := map[string][]*ir.Record{}
	var order []string
	for _, r := range p.records["association"] {
		if _, user, ok := strings.Cut(r.Name, "/"); ok {
			if seen[user] == nil {
				order = append(order, user)
			}
			seen[user] = append(seen[user], r)
		}
	}
	for _, user := range order {
		list := seen[user]
		if len(list) > 1 && !slices.ContainsFunc(list, func(r *ir.Record) bool { return r.Attr("DefaultAccount") != nil }) {
			p.report(list[0].Span, "%s is in %s and has no DefaultAccount", user, several(len(list), "account")).Note("write DefaultAccount on one of the lines")
		}
	}
}
