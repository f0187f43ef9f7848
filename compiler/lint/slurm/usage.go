package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// usageRules are the rules about ages, decay and the periods of Slurm's accounting of usage.
var usageRules = []rule.Rule{
	{Code: "slurm-usage-never-forgotten", Check: usageNeverForgotten},
	{Code: "slurm-half-life-short", Check: shortHalfLife},
	{Code: "slurm-half-life-unit", Check: unitOfDays},
	{Code: "slurm-reset-and-decay", Check: resetAndDecay},
	{Code: "slurm-reset-now", Check: resetNow},
	{Code: "slurm-age-at-once", Check: ageAtOnce},
	{Code: "slurm-calc-period-long", Check: longCalcPeriod},
}

func usageNeverForgotten(p *rule.Pass) {
	if p.Multifactor() && p.IsSet("PriorityDecayHalfLife") && p.Number("PriorityDecayHalfLife") == 0 &&
		strings.EqualFold(p.Text("PriorityUsageResetPeriod"), "NONE") {
		p.Report(p.At("PriorityDecayHalfLife"), "usage is never forgotten").
			Note("what was used years ago counts as much as what was used today; write " +
				"PriorityUsageResetPeriod=MONTHLY or another period, or a half-life such as 7-0")
	}
}

func shortHalfLife(p *rule.Pass) {
	half, period := p.Number("PriorityDecayHalfLife"), p.Number("PriorityCalcPeriod")
	if p.Multifactor() && half > 0 && half < period {
		p.Report(p.At("PriorityDecayHalfLife"), "usage is halved every %s, but looked at every %s",
			rule.Duration(int64(half)), rule.Duration(int64(period))).
			Note("a plain number is minutes; write days as 7-0")
	}
}

// unitOfDays: a half-life is weeks or at least a day at all sites; a number such as 7, 14 or 45
// without its dash was meant as days, whereas 60 or 720 are hours. Shorter ones than the period of
// computation have their own rule.
func unitOfDays(p *rule.Pass) {
	if !p.Multifactor() {
		return
	}
	for _, name := range []string{"PriorityDecayHalfLife", "PriorityMaxAge"} {
		v, raw := p.Number(name), p.Param(name).Raw
		plain := raw != "" && strings.Trim(raw, "0123456789") == ""
		if !plain || v == 0 || v >= 86400 || int64(v)%3600 == 0 ||
			name == "PriorityDecayHalfLife" && v < p.Number("PriorityCalcPeriod") {
			continue
		}
		p.Report(p.At(name), "%s=%s is %s", name, raw, rule.Duration(int64(v))).
			Note("a plain number is minutes; for days write %s=%s-0", name, raw)
	}
}

func resetAndDecay(p *rule.Pass) {
	if p.Multifactor() && p.IsSet("PriorityUsageResetPeriod") &&
		!strings.EqualFold(p.Text("PriorityUsageResetPeriod"), "NONE") &&
		!strings.EqualFold(p.Text("PriorityUsageResetPeriod"), "NOW") &&
		p.Number("PriorityDecayHalfLife") > 0 {
		d := p.Report(p.At("PriorityUsageResetPeriod"), "usage decays and is reset besides")
		if p.IsSet("PriorityDecayHalfLife") {
			d.NoteAt(p.At("PriorityDecayHalfLife"), "the half-life is set here")
		} else {
			d.Note("the half-life is 7 days by default")
		}
		d.Note("write PriorityDecayHalfLife=0 for a budget by the period, or PriorityUsageResetPeriod=NONE")
	}
}

func resetNow(p *rule.Pass) {
	if strings.EqualFold(p.Text("PriorityUsageResetPeriod"), "NOW") {
		p.Report(p.At("PriorityUsageResetPeriod"),
			"all usage is wiped whenever slurmctld starts or reads its configuration").
			Note("write NONE once the usage has been reset")
	}
}

func ageAtOnce(p *rule.Pass) {
	most, raw := p.Number("PriorityMaxAge"), p.Param("PriorityMaxAge").Raw
	if !p.Multifactor() || !p.IsSet("PriorityMaxAge") || p.Number("PriorityWeightAge") == 0 || most >= 3600 {
		return
	}
	switch minutes := raw != "" && strings.Trim(raw, "0123456789") == ""; {
	case most == 0:
		p.Report(p.At("PriorityMaxAge"), "the age factor is 1 for every job from the start").
			Note("write the age from which a job should not rise further, such as 7-0")
	case !minutes: // unitOfDays says it of plain numbers
		p.Report(p.At("PriorityMaxAge"), "the age factor is 1 for every job that has waited %s",
			rule.Duration(int64(most))).
			Note("write the age from which a job should not rise further, such as 7-0")
	}
}

func longCalcPeriod(p *rule.Pass) {
	if n := p.Number("PriorityCalcPeriod"); p.Multifactor() && p.IsSet("PriorityCalcPeriod") && n > 600 {
		p.Report(p.At("PriorityCalcPeriod"), "priorities are computed anew only every %s", rule.Duration(int64(n))).
			Note("the default is 5 minutes")
	}
}
