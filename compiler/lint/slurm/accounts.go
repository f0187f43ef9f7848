package slurm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// accountsRules are the rules about the limits and shares of a dump of the accounts.
var accountsRules = []rule.Rule{
	{Code: "slurm-limits-off", Check: limitsOff},
	{Code: "slurm-budget-unsafe", Check: unsafeBudget},
	{Code: "slurm-budget-decays", Check: decayingBudget},
	{Code: "slurm-no-deny-on-limit", Check: noDenyOnLimit},
	{Code: "slurm-qos-limit-hidden", Check: hiddenQOSLimits},
	{Code: "slurm-qos-wall-over-partition", Check: wallOverPartition},
	{Code: "slurm-qos-nodes-over-partition", Check: nodesOverPartition},
	{Code: "slurm-threshold-unused", Check: unusedThreshold},
	{Code: "slurm-usage-free", Check: freeUsage},
	{Code: "slurm-account-uses-parent", Check: parentShares},
	{Code: "slurm-no-shares", Check: noShares},
	{Code: "slurm-shares-equal", Check: equalShares},
	{Code: "slurm-users-in-several-accounts", Check: severalAccounts},
}

// dumped visits the QOS and associations of a dump.
func dumped(p *rule.Pass, visit func(r *ir.Record) (more bool)) {
	for _, kind := range []string{"association", "QOS"} {
		for _, r := range p.Records[kind] {
			if !visit(r) {
				return
			}
		}
	}
}

// isLimit reports an option that bounds something: 0 and -1 are an absence of a bound for some, but
// then they were written for a reason too.
func isLimit(a *ir.Attr) bool {
	return (strings.HasPrefix(a.Name, "Grp") || strings.HasPrefix(a.Name, "Max") || strings.HasPrefix(a.Name,
		"MinTRES")) &&
		a.Text != "-1"
}

func limitsOff(p *rule.Pass) {
	if p.Enforced == nil || p.Enforced.Limits || p.Facts.Partial || p.Global == nil {
		return
	}
	dumped(p, func(r *ir.Record) bool {
		for i := range r.Attrs {
			a := &r.Attrs[i]
			if !isLimit(a) {
				continue
			}
			d := p.Report(a.Span, "%s of %s is not enforced, like all limits of accounts and QOS", a.Name, r.Name)
			if p.IsSet("AccountingStorageEnforce") {
				d.NoteAt(p.At("AccountingStorageEnforce"), "limits is missing here")
			}
			if hasDatabase(p) {
				d.Note("write AccountingStorageEnforce=limits,safe,qos")
			} else {
				d.Note("write AccountingStorageType=accounting_storage/slurmdbd and AccountingStorageEnforce=limits,safe,qos")
			}
			return false
		}
		return true
	})
}

// budget finds the first GrpTRESMins.
func budget(p *rule.Pass) (found *ir.Record, at *ir.Attr) {
	dumped(p, func(r *ir.Record) bool {
		if a := r.Attr("GrpTRESMins"); a != nil && a.Text != "-1" {
			found, at = r, a
		}
		return found == nil
	})
	return found, at
}

func unsafeBudget(p *rule.Pass) {
	if r, a := budget(p); a != nil && p.Enforced != nil && p.Enforced.Limits && !p.Enforced.Safe {
		p.Report(a.Span, "a job of %s is killed when the budget ends", r.Name).
			NoteAt(p.At("AccountingStorageEnforce"), "safe is missing here").
			Note("with safe a job starts only if the budget lasts for all of it")
	}
}

func decayingBudget(p *rule.Pass) {
	r, a := budget(p)
	if a == nil || !p.Multifactor() || p.Enforced == nil || !p.Enforced.Limits ||
		p.Number("PriorityDecayHalfLife") == 0 {
		return
	}
	for _, q := range p.Records["QOS"] {
		if hasWord(q.Attr("Flags"), "NoDecay") {
			return
		}
	}
	d := p.Report(a.Span, "the budget of %s fills up again by half in each %s", r.Name,
		rule.Duration(int64(p.Number("PriorityDecayHalfLife"))))
	if p.IsSet("PriorityDecayHalfLife") {
		d.NoteAt(p.At("PriorityDecayHalfLife"), "the half-life of usage")
	}
	d.Note("write PriorityDecayHalfLife=0 and PriorityUsageResetPeriod=MONTHLY, or set NoDecay on a QOS and the limit " +
		"there")
}

func hasWord(a *ir.Attr, word string) bool {
	return slices.ContainsFunc(a.List(), func(w string) bool { return strings.EqualFold(w, word) })
}

func noDenyOnLimit(p *rule.Pass) {
	for _, q := range p.Records["QOS"] {
		for i := range q.Attrs {
			if a := &q.Attrs[i]; strings.HasSuffix(a.Name, "PerJob") && !hasWord(q.Attr("Flags"), "DenyOnLimit") {
				p.Report(a.Span, "a job above %s of QOS %s waits for ever", a.Name, q.Name).
					Note("with the flag DenyOnLimit it is refused")
				break
			}
		}
	}
}

func hiddenQOSLimits(p *rule.Pass) {
	said := map[*ir.Attr]bool{}
	for _, part := range p.Records["PartitionName"] {
		a := part.Attr("QOS")
		if a == nil {
			continue
		}
		for _, first := range p.Records["QOS"] {
			if !strings.EqualFold(first.Name, a.Text) {
				continue
			}
			for _, q := range p.Records["QOS"] {
				if q != first && admits(part, q.Name) && !hasWord(q.Attr("Flags"), "OverPartQOS") {
					hiddenBy(p, first, q, part, said)
				}
			}
		}
	}
}

// hiddenBy reports the limits of a QOS that the one of the partition has too, with another number.
func hiddenBy(p *rule.Pass, first, q, part *ir.Record, said map[*ir.Attr]bool) {
	for i := range q.Attrs {
		a := &q.Attrs[i]
		b := first.Attr(a.Name)
		if b == nil || said[a] {
			continue
		}
		what, ok := hidden(a, b)
		if !ok {
			continue
		}
		said[a] = true
		p.Report(a.Span, "%s of QOS %s is not checked in partition %s", what, q.Name, part.Name).
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

func wallOverPartition(p *rule.Pass) {
	longest := 0.0
	for _, r := range p.Records["PartitionName"] {
		limit := r.Attr("MaxTime")
		if limit == nil || limit.Infinite {
			return
		}
		longest = max(longest, limit.Number())
	}
	if longest == 0 || p.Facts.Partial {
		return
	}
	for _, q := range p.Records["QOS"] {
		if a := q.Attr("MaxWallDurationPerJob"); a.Number() > longest &&
			!hasWord(q.Attr("Flags"), "PartitionTimeLimit") {
			p.Report(a.Span, "no partition runs a job for the %s that QOS %s allows",
				rule.Duration(int64(a.Number())*60), q.Name).
				Note("the longest MaxTime is %s; add PartitionTimeLimit to the flags of the QOS, or raise MaxTime",
					rule.Duration(int64(longest)*60))
		}
	}
}

// nodesOverPartition: a partition's MaxNodes bounds the jobs of all QOS but those with a flag.
func nodesOverPartition(p *rule.Pass) {
	most := int64(0)
	for _, r := range p.Records["PartitionName"] {
		limit := r.Attr("MaxNodes")
		if limit == nil || limit.Infinite {
			return
		}
		most = max(most, int64(limit.Number()))
	}
	if most == 0 || p.Facts.Partial {
		return
	}
	for _, q := range p.Records["QOS"] {
		a := q.Attr("MaxTRESPerJob")
		for _, word := range a.List() {
			name, text, _ := strings.Cut(word, "=")
			n, err := strconv.ParseInt(text, 10, 64)
			if strings.EqualFold(name, "node") && err == nil && n > most && !hasWord(q.Attr("Flags"), "PartitionMaxNodes") {
				p.Report(a.Span, "no partition runs a job on the %d nodes that QOS %s allows", n, q.Name).
					Note("the largest MaxNodes is %d; add PartitionMaxNodes to the flags of the QOS, or raise MaxNodes", most)
			}
		}
	}
}

func unusedThreshold(p *rule.Pass) {
	for _, q := range p.Records["QOS"] {
		if a := q.Attr("UsageThreshold"); a.Number() > 0 && !hasWord(q.Attr("Flags"), "EnforceUsageThreshold") {
			p.Report(a.Span, "UsageThreshold of QOS %s is never checked", q.Name).
				Note("add EnforceUsageThreshold to its flags, or remove it")
		}
	}
}

func freeUsage(p *rule.Pass) {
	if !p.Multifactor() || p.Number("PriorityWeightFairshare") == 0 {
		return
	}
	for _, q := range p.Records["QOS"] {
		if a := q.Attr("UsageFactor"); a != nil && a.Number() == 0 {
			p.Report(a.Span, "what runs in QOS %s costs its users no fairshare", q.Name).
				Note("write a UsageFactor above 0, or limit the QOS")
		}
	}
}

// tree is the account tree of the dumps; nil where there is none.
func tree(p *rule.Pass) []ir.Association {
	for _, f := range p.Fairshare {
		if len(f.Associations) > 0 && p.Facts.Dumped {
			return f.Associations
		}
	}
	return nil
}

func parentShares(p *rule.Pass) {
	tree := tree(p)
	for _, a := range tree {
		if a.User == "" && a.UsesParent() &&
			slices.ContainsFunc(tree, func(b ir.Association) bool { return b.Parent == a.Account && b.User == "" }) {
			p.Report(a.Span, "the accounts below %s compete with its neighbours", a.Account).
				Note("Fairshare=parent takes %s out of the tree of shares; give it a number of its own", a.Account)
		}
	}
}

func noShares(p *rule.Pass) {
	tree := tree(p)
	for _, a := range tree {
		if a.User == "" && !a.UsesParent() && a.Shares == 0 &&
			slices.ContainsFunc(tree, func(b ir.Association) bool { return b.User != "" && b.Account == a.Account }) {
			p.Report(a.Span, "the users of %s come last: the account has no shares", a.Account).
				Note("write Fairshare=1 or more")
		}
	}
}

func equalShares(p *rule.Pass) {
	tree := tree(p)
	accounts := 0
	for _, a := range tree {
		if a.UsesParent() || a.Shares != 1 {
			return
		}
		if a.User == "" && a.Account != "root" {
			accounts++
		}
	}
	if accounts > 1 && p.Multifactor() && p.Number("PriorityWeightFairshare") > 0 {
		p.Report(p.At("PriorityWeightFairshare"), "all %d accounts have one share each", accounts).
			Note("they get the same, whatever their size; give accounts Fairshare=N with sacctmgr, if that is not " +
				"meant")
	}
}

func severalAccounts(p *rule.Pass) {
	seen := map[string][]*ir.Record{}
	var order []string
	for _, r := range p.Records["association"] {
		if _, user, ok := strings.Cut(r.Name, "/"); ok {
			if seen[user] == nil {
				order = append(order, user)
			}
			seen[user] = append(seen[user], r)
		}
	}
	for _, user := range order {
		list := seen[user]
		if len(list) > 1 &&
			!slices.ContainsFunc(list, func(r *ir.Record) bool { return r.Attr("DefaultAccount") != nil }) {
			p.Report(list[0].Span, "%s is in %s and has no DefaultAccount", user, rule.Several(len(list), "account")).
				Note("write DefaultAccount on one of the lines")
		}
	}
}
