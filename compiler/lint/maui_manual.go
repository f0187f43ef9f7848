package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
)

// mauiManual are the rules about settings that do what the manual says in no release of the program. Who follows the manual
// by a deviation gets what it says, and no finding.
var mauiManual = []Rule{
	{ID: "M116", CodeDoc: diag.CodeDoc{Code: "maui-partition-weight", Severity: diag.Warning,
		What: "a weight has the index of a partition", Why: "it changes what diagnose -p shows for that partition; jobs are ranked by the weight without index",
		Example: "FSPOLICY DEDICATEDPS\nFSUSERWEIGHT 10\nFSWEIGHT[1] 5\n", Instead: "FSWEIGHT 5"},
		Source: "MPriority.c, MJobGetStartPriority; manual 5.1.2 says otherwise", check: partitionWeights},
	{ID: "M207", CodeDoc: diag.CodeDoc{Code: "maui-default-class", Severity: diag.Warning,
		What: "CLASSCFG[DEFAULT] has settings", Why: "it is a class of the name DEFAULT, and hands nothing on to other classes",
		Example: "CLASSCFG[DEFAULT] MAXNODE=16\n", Instead: "CLASSCFG[batch] MAXNODE=16, and so for each class"},
		Source: "recorded runs; manual 6.2.1 says otherwise", check: defaultClass},
	{ID: "M212", CodeDoc: diag.CodeDoc{Code: "maui-flag-never-set", Severity: diag.Error,
		What: "a QOS has the flag NORESERVATION or RESTARTPREEMPT", Why: "the manual lists them, but no code of Maui sets them",
		Example: "QOSCFG[q] QFLAGS=NORESERVATION\n", Instead: "RESERVATIONQOSLIST[0] with the QOS that get reservations"},
		Source: "manual 7.3.1, against the program", check: neverSetFlags},
	{ID: "M310", CodeDoc: diag.CodeDoc{Code: "maui-weekly-times", Severity: diag.Warning,
		What: "a reservation with PERIOD=WEEK has STARTTIME or ENDTIME", Why: "weekly reservations go by WSTARTTIME and WENDTIME, and ignore the others",
		Example: "SRCFG[a] PERIOD=WEEK STARTTIME=8:00:00 ENDTIME=9:00:00 HOSTLIST=n1\n", Instead: "SRCFG[a] PERIOD=WEEK WSTARTTIME=1:08:00:00 WENDTIME=1:09:00:00 HOSTLIST=n1"},
		Source: "manual 7.1.5, against the program", check: weeklyTimes},
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
