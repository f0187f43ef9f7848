package lint

import (
	"strings"
)

// slurmUsage are the rules about ages, decay and the periods of Slurm's accounting of usage.
var slurmUsage = []Rule{
	{"slurm-usage-never-forgotten", usageNeverForgotten},
	{"slurm-half-life-short", shortHalfLife},
	{"slurm-half-life-unit", unitOfDays},
	{"slurm-reset-and-decay", resetAndDecay},
	{"slurm-reset-now", resetNow},
	{"slurm-age-at-once", ageAtOnce},
	{"slurm-calc-period-long", longCalcPeriod},
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
