package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
)

// slurmUsage are the rules about ages, decay and the periods of Slurm's accounting of usage.
var slurmUsage = []Rule{
	{ID: "SL026", CodeDoc: diag.CodeDoc{Code: "slurm-usage-never-forgotten", Severity: diag.Warning,
		What: "PriorityDecayHalfLife is 0 and PriorityUsageResetPeriod is NONE", Why: "usage grows for ever, so that shares follow what was used years ago; the manual asks for one of the two, and slurmctld starts without",
		Example: "PriorityType=priority/multifactor\nPriorityDecayHalfLife=0\n", Instead: "PriorityUsageResetPeriod=MONTHLY beside it"},
		Source: "slurm.conf(5), PriorityDecayHalfLife", check: usageNeverForgotten},
	{ID: "SL027", CodeDoc: diag.CodeDoc{Code: "slurm-half-life-short", Severity: diag.Warning,
		What: "PriorityDecayHalfLife is shorter than PriorityCalcPeriod", Why: "usage is halved several times between two computations, in one step",
		Example: "PriorityType=priority/multifactor\nPriorityDecayHalfLife=2\n", Instead: "PriorityDecayHalfLife=7-0"},
		Source: "slurm.conf(5), PriorityCalcPeriod", check: shortHalfLife},
	{ID: "SL027", CodeDoc: diag.CodeDoc{Code: "slurm-half-life-unit", Severity: diag.Warning,
		What: "PriorityDecayHalfLife or PriorityMaxAge is a plain number below that of a day's minutes, and no whole hours", Why: "a plain number is minutes: 45 is three quarters of an hour, though people mean days",
		Example: "PriorityType=priority/multifactor\nPriorityDecayHalfLife=45\n", Instead: "PriorityDecayHalfLife=45-0"},
		Source: "slurm.conf(5), PriorityDecayHalfLife", check: unitOfDays},
	{ID: "SL028", CodeDoc: diag.CodeDoc{Code: "slurm-reset-and-decay", Severity: diag.Info,
		What: "usage both decays and is reset", Why: "shares jump at every reset; a decay forgets without steps",
		Example: "PriorityType=priority/multifactor\nPriorityUsageResetPeriod=MONTHLY\n", Instead: "PriorityDecayHalfLife=0 beside it, for a budget"},
		Source: "slurm.conf(5), PriorityUsageResetPeriod", check: resetAndDecay},
	{ID: "SL029", CodeDoc: diag.CodeDoc{Code: "slurm-reset-now", Severity: diag.Warning,
		What: "PriorityUsageResetPeriod is NOW", Why: "all usage is wiped at every start and reconfiguration of slurmctld",
		Example: "PriorityType=priority/multifactor\nPriorityUsageResetPeriod=NOW\n", Instead: "PriorityUsageResetPeriod=NONE"},
		Source: "slurm.conf(5), PriorityUsageResetPeriod", check: resetNow},
	{ID: "SL030", CodeDoc: diag.CodeDoc{Code: "slurm-age-at-once", Severity: diag.Warning,
		What: "PriorityMaxAge is 0 and age has a weight", Why: "the factor is 1 for every job from the start, so age orders nothing",
		Example: "PriorityType=priority/multifactor\nAccountingStorageType=accounting_storage/slurmdbd\nPriorityWeightAge=1000\nPriorityMaxAge=0\n", Instead: "PriorityMaxAge=7-0"},
		Source: "slurm.conf(5), PriorityMaxAge", check: ageAtOnce},
	{ID: "SL032", CodeDoc: diag.CodeDoc{Code: "slurm-calc-period-long", Severity: diag.Info,
		What: "PriorityCalcPeriod is longer than ten minutes", Why: "shares and priorities follow usage late",
		Example: "PriorityType=priority/multifactor\nPriorityCalcPeriod=60\n", Instead: "PriorityCalcPeriod=5"},
		Source: "slurm.conf(5), PriorityCalcPeriod", check: longCalcPeriod},
}

func usageNeverForgotten(p *pass) {
	if p.multifactor() && p.isSet("PriorityDecayHalfLife") && p.number("PriorityDecayHalfLife") == 0 && strings.EqualFold(p.text("PriorityUsageResetPeriod"), "NONE") {
		p.report(p.at("PriorityDecayHalfLife"), "usage is never forgotten").
			Note("what was used years ago counts as much as what was used today; write PriorityUsageResetPeriod=MONTHLY or another period, or a half-life such as 7-0")
	}
}

func shortHalfLife(p *pass) {
	if half, period := p.number("PriorityDecayHalfLife"), p.number("PriorityCalcPeriod"); p.multifactor() && half > 0 && half < period {
		p.report(p.at("PriorityDecayHalfLife"), "usage is halved every %s, but looked at every %s", duration(int64(half)), duration(int64(period))).
			Note("a plain number is minutes; write days as 7-0")
	}
}

// unitOfDays: a half-life is weeks or at least a day at all sites; a number such as 7, 14 or 45
// without its dash was meant as days, whereas 60 or 720 are hours. Shorter ones than the period of
// computation have their own rule.
func unitOfDays(p *pass) {
	if !p.multifactor() {
		return
	}
	for _, name := range []string{"PriorityDecayHalfLife", "PriorityMaxAge"} {
		v, raw := p.number(name), p.param(name).Raw
		plain := raw != "" && strings.Trim(raw, "0123456789") == ""
		if !plain || v == 0 || v >= 86400 || int64(v)%3600 == 0 || name == "PriorityDecayHalfLife" && v < p.number("PriorityCalcPeriod") {
			continue
		}
		p.report(p.at(name), "%s=%s is %s", name, raw, duration(int64(v))).Note("a plain number is minutes; for days write %s=%s-0", name, raw)
	}
}

func resetAndDecay(p *pass) {
	if p.multifactor() && p.isSet("PriorityUsageResetPeriod") && !strings.EqualFold(p.text("PriorityUsageResetPeriod"), "NONE") &&
		!strings.EqualFold(p.text("PriorityUsageResetPeriod"), "NOW") && p.number("PriorityDecayHalfLife") > 0 {
		d := p.report(p.at("PriorityUsageResetPeriod"), "usage decays and is reset besides")
		if p.isSet("PriorityDecayHalfLife") {
			d.NoteAt(p.at("PriorityDecayHalfLife"), "the half-life is set here")
		} else {
			d.Note("the half-life is 7 days by default")
		}
		d.Note("write PriorityDecayHalfLife=0 for a budget by the period, or PriorityUsageResetPeriod=NONE")
	}
}

func resetNow(p *pass) {
	if p.slurm() && strings.EqualFold(p.text("PriorityUsageResetPeriod"), "NOW") {
		p.report(p.at("PriorityUsageResetPeriod"), "all usage is wiped whenever slurmctld starts or reads its configuration").Note("write NONE once the usage has been reset")
	}
}

func ageAtOnce(p *pass) {
	if p.multifactor() && p.isSet("PriorityMaxAge") && p.number("PriorityMaxAge") == 0 && p.number("PriorityWeightAge") > 0 {
		p.report(p.at("PriorityMaxAge"), "the age factor is 1 for every job from the start").Note("write the age from which a job should not rise further, such as 7-0")
	}
}

func longCalcPeriod(p *pass) {
	if n := p.number("PriorityCalcPeriod"); p.multifactor() && p.isSet("PriorityCalcPeriod") && n > 600 {
		p.report(p.at("PriorityCalcPeriod"), "priorities are computed anew only every %s", duration(int64(n))).Note("the default is 5 minutes")
	}
}
