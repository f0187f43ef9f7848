package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// manualRules are the rules about settings that do what the manual says in no release of the program. Who follows
// the manual
// by a deviation gets what it says, and no finding.
var manualRules = []rule.Rule{
	{Code: "maui-partition-weight", Check: partitionWeights},
	{Code: "maui-default-class", Check: defaultClass},
	{Code: "maui-flag-never-set", Check: neverSetFlags},
	{Code: "maui-weekly-times", Check: weeklyTimes},
}

// follows reports that the policy takes the manual's side in a deviation.
func follows(p *rule.Pass, deviation string) bool {
	return p.Semantics == "documented" ||
		slices.ContainsFunc(p.Deviations, func(d ir.Deviation) bool { return d.Name == deviation && d.Documented })
}

func partitionWeights(p *rule.Pass) {
	if follows(p, "partition_weights") {
		return
	}
	for _, a := range p.Globals() {
		if strings.HasSuffix(a.Name, "WEIGHT") && a.Index != "" && a.Index != "0" {
			p.Report(a.Span, "%s[%s] ranks no job", a.Name, a.Index).
				Note("it changes reports alone; write the weight without index, which holds for all partitions")
		}
	}
}

func defaultClass(p *rule.Pass) {
	if follows(p, "class_default") {
		return
	}
	for _, r := range p.Records["CLASSCFG"] {
		if r.Name == "DEFAULT" && len(r.Attrs) > 0 {
			p.Report(r.Attrs[0].Span, "CLASSCFG[DEFAULT] sets the class named DEFAULT, and no other").
				Note("write the setting for each class")
		}
	}
}

func neverSetFlags(p *rule.Pass) {
	if follows(p, "qos_flags") {
		return
	}
	report := func(a *ir.Attr) {
		for _, flag := range []string{"NORESERVATION", "RESTARTPREEMPT"} {
			if slices.Contains(a.Value.List, flag) {
				p.Report(a.Span, "the flag %s is never set", flag).
					Note("remove it; RESERVATIONDEPTH and RESERVATIONQOSLIST say which QOS get reservations")
			}
		}
	}
	for _, r := range p.Records["QOSCFG"] {
		for i := range r.Attrs {
			if r.Attrs[i].Name == "QFLAGS" {
				report(&r.Attrs[i])
			}
		}
	}
	for i := range p.Globals() {
		if a := &p.Globals()[i]; a.Name == "QOSFLAGS" {
			report(a)
		}
	}
}

func weeklyTimes(p *rule.Pass) {
	if follows(p, "weekly_reservation") {
		return
	}
	for _, r := range p.Records["SRCFG"] {
		if !r.Attr("PERIOD").Is("WEEK") {
			continue
		}
		for _, name := range []string{"STARTTIME", "ENDTIME"} {
			if a := r.Attr(name); a != nil {
				p.Report(a.Span, "%s of a weekly reservation is ignored", name).
					Note("write W%s=DD:HH:MM:SS, counted from the beginning of the week", name)
				break
			}
		}
	}
}
