package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// mauiManual are the rules about settings that do what the manual says in no release of the program. Who follows the manual
// by a deviation gets what it says, and no finding.
var mauiManual = []Rule{
	{"maui-partition-weight", partitionWeights},
	{"maui-default-class", defaultClass},
	{"maui-flag-never-set", neverSetFlags},
	{"maui-weekly-times", weeklyTimes},
}

// follows reports that the policy takes the manual's side in a deviation.
func (p *pass) follows(deviation string) bool {
	return p.Semantics == "documented" || slices.ContainsFunc(p.Deviations, func(d ir.Deviation) bool { return d.Name == deviation && d.Documented })
}

func partitionWeights(p *pass) {
	if !p.maui() || p.follows("partition_weights") {
		return
	}
	for _, a := range p.globals() {
		if strings.HasSuffix(a.Name, "WEIGHT") && a.Index != "" && a.Index != "0" {
			p.report(a.Span, "%s[%s] ranks no job", a.Name, a.Index).Note("it changes reports alone; write the weight without index, which holds for all partitions")
		}
	}
}

func defaultClass(p *pass) {
	if p.follows("class_default") {
		return
	}
	for _, r := range p.records["CLASSCFG"] {
		if r.Name == "DEFAULT" && len(r.Attrs) > 0 {
			p.report(r.Attrs[0].Span, "CLASSCFG[DEFAULT] sets the class named DEFAULT, and no other").Note("write the setting for each class")
		}
	}
}

func neverSetFlags(p *pass) {
	if p.follows("qos_flags") {
		return
	}
	report := func(a *ir.Attr) {
		for _, flag := range []string{"NORESERVATION", "RESTARTPREEMPT"} {
			if slices.Contains(a.Value.List, flag) {
				p.report(a.Span, "the flag %s is never set", flag).Note("remove it; RESERVATIONDEPTH and RESERVATIONQOSLIST say which QOS get reservations")
			}
		}
	}
	for _, r := range p.records["QOSCFG"] {
		for i := range r.Attrs {
			if r.Attrs[i].Name == "QFLAGS" {
				report(&r.Attrs[i])
			}
		}
	}
	for i := range p.globals() {
		if a := &p.globals()[i]; a.Name == "QOSFLAGS" {
			report(a)
		}
	}
}

func weeklyTimes(p *pass) {
	if p.follows("weekly_reservation") {
		return
	}
	for _, r := range p.records["SRCFG"] {
		if !r.Attr("PERIOD").Is("WEEK") {
			continue
		}
		for _, name := range []string{"STARTTIME", "ENDTIME"} {
			if a := r.Attr(name); a != nil {
				p.report(a.Span, "%s of a weekly reservation is ignored", name).Note("write W%s=DD:HH:MM:SS, counted from the beginning of the week", name)
				break
			}
		}
	}
}
