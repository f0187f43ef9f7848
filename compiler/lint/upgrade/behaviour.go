package upgrade

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// behaviours are changes of meaning: in which version, for which sites, and what to do. Where the two policies show
// by themselves what has changed the version is "".
var behaviours = []struct {
	version string
	param   string // that it hangs on, "" for none in particular
	applies func(p, after *rule.Pass) bool
	what    string
	advice  string
}{
	{
		"16.05",
		"AccountingStorageEnforce",
		func(p, _ *rule.Pass) bool {
			return p.Enforced != nil && p.Enforced.Limits && !p.Option("assoc_limit_continue").IsSet()
		},
		"a job that a limit blocks no longer keeps later jobs of its partition from starting",
		"write SchedulerParameters=assoc_limit_stop to keep it so",
	},
	{
		"18.08",
		"PriorityWeightAge",
		func(p, _ *rule.Pass) bool {
			return p.Multifactor() && p.Number("PriorityWeightAge") > 0 && !p.Flag("PriorityFlags", "ACCRUE_ALWAYS")
		},
		"age counts from when a job could first have run, and limits on accruing jobs hold it back",
		"write PriorityFlags=ACCRUE_ALWAYS to count from submission",
	},
	{
		"",
		"PriorityWeightFairshare",
		func(p, after *rule.Pass) bool { return weighsShares(p, after) && !p.FairTree() && after.FairTree() },
		"fairshare becomes Fair Tree, which ranks associations evenly from 0 to 1",
		"write PriorityFlags=NO_FAIR_TREE after the upgrade to keep the classic algorithm; 19.05 and later know it",
	},
	{
		"",
		"PriorityFlags",
		func(p, after *rule.Pass) bool { return weighsShares(p, after) && p.FairTree() && !after.FairTree() },
		"fairshare becomes the classic algorithm, since PriorityFlags keeps Fair Tree off",
		"leave NO_FAIR_TREE and DEPTH_OBLIVIOUS out to keep Fair Tree; before 19.05 the former is read as " +
			"FAIR_TREE, which is a part of it",
	},
	{
		"",
		"SelectType",
		func(p, after *rule.Pass) bool {
			return usualSelection(p, after) && !p.SlurmPlan.Memory && after.SlurmPlan.Memory
		},
		"memory is shared out like processors, since SelectTypeParameters is CR_Core_Memory where it is not set",
		"write SelectTypeParameters=CR_Core to keep jobs from waiting for memory",
	},
	{
		"",
		"SelectType",
		func(p, after *rule.Pass) bool {
			return usualSelection(p, after) && !p.SlurmPlan.Cores && after.SlurmPlan.Cores
		},
		"jobs are given whole cores, since SelectTypeParameters is CR_Core_Memory where it is not set",
		"where cores have several threads, write SelectTypeParameters=CR_CPU to share out each of them",
	},
	{"24.05", "", func(p, _ *rule.Pass) bool {
		for _, q := range p.Records["QOS"] {
			if q.Attr("MaxTRESRunMinsPerUser") != nil || q.Attr("MaxTRESRunMinsPerAccount") != nil {
				return true
			}
		}
		return false
	}, "MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount of QOS are enforced",
		"look through these limits before: up to then they are stored and never checked"},
	{
		"25.11",
		"PriorityWeightFairshare",
		func(p, after *rule.Pass) bool {
			return p.Multifactor() && p.Number("PriorityWeightFairshare") > 0 && !after.FairTree()
		},
		"the classic fairshare factor of an association is computed anew in each cycle",
		"nothing; priorities follow usage sooner",
	},
}

// weighsShares reports policies in which fairshare counts, before and after.
func weighsShares(p, after *rule.Pass) bool {
	return p.Multifactor() && after.Multifactor() && p.Number("PriorityWeightFairshare") > 0
}

// usualSelection reports policies that leave it to Slurm what is shared out. Where one says it, and SelectType
// alone changes,
// the finding about SelectType tells.
func usualSelection(p, after *rule.Pass) bool {
	return p.SlurmPlan != nil && after.SlurmPlan != nil && !p.IsSet("SelectTypeParameters")
}

func (u *upgrade) behaviours() {
	if u.from.Facts.Partial || u.to.Facts.Partial {
		return // what is not read may say otherwise
	}
	for _, b := range behaviours {
		if b.version != "" && (u.from.Since(b.version) || !u.to.Since(b.version)) || !b.applies(u.from, u.to) {
			continue
		}
		at := u.to.At(b.param)
		if at.IsZero() {
			at = u.to.Whole()
		}
		when := "from " + b.version + " on"
		if b.version == "" {
			when = "in " + u.to.Version
		}
		u.report("upgrade-behaviour", at, "%s %s", when, b.what).Note("%s", b.advice)
	}
}

// asleep are the findings that a setting has no effect in the version at hand, or that of another.
var asleep = []string{"slurm-word-other-version", "slurm-word-works-as", "slurm-word-reversed", "slurm-weight-ignored"}

// awakened reports settings that the older version ignores or takes for something else, and the newer does not.
func (u *upgrade) awakened(before, after diag.List) {
	for _, d := range before {
		still := slices.ContainsFunc(after,
			func(n *diag.Diagnostic) bool { return n.Span == d.Span && slices.Contains(asleep, n.Code) })
		said := slices.ContainsFunc(u.found,
			func(n *diag.Diagnostic) bool { return strings.HasPrefix(n.Code, "upgrade-") && within(d.Span, n.Span) })
		if slices.Contains(asleep, d.Code) && !still && !said {
			u.report("upgrade-behaviour", d.Span, "%s has its effect in %s", d.Span.Text(), u.to.Version).
				Note("in %s %s", u.from.Version, d.Message)
		}
	}
}

// hooks reports lines of scripts where the older version runs the last and the newer all: an old line that a site
// left there runs again.
func (u *upgrade) hooks(before diag.List) {
	const all = "24.05"
	if u.from.Since(all) || !u.to.Since(all) {
		return
	}
	hooks := []string{"Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld"}
	for _, d := range before {
		key := d.Span.Text()
		isHook := slices.ContainsFunc(hooks, func(hook string) bool { return strings.EqualFold(hook, key) })
		if d.Code == "slurm-duplicate-key" && isHook {
			again := u.report("upgrade-behaviour", d.Span, "from %s on the scripts of both %s lines run", all, key)
			for _, n := range d.Notes {
				again.NoteAt(n.Span, "this one has no effect in %s", u.from.Version)
			}
			again.Note("delete the line that is not meant")
		}
	}
}

// within reports a place that is part of another.
func within(part, whole source.Span) bool {
	return part.File == whole.File && whole.Start <= part.Start && part.End <= whole.End
}
