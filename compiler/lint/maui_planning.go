package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// mauiPlanning are the rules about Maui's reservations, backfill and node selection.
var mauiPlanning = []Rule{
	{ID: "M301", CodeDoc: diag.CodeDoc{Code: "maui-greedy-backfill", Severity: diag.Error,
		What: "BACKFILLPOLICY is GREEDY", Why: "this algorithm is not finished in Maui: it starts no job",
		Example: "BACKFILLPOLICY GREEDY\n", Instead: "BACKFILLPOLICY FIRSTFIT"},
		Source: "manual 8.2, against the program", check: greedyBackfill},
	{ID: "M302", CodeDoc: diag.CodeDoc{Code: "maui-backfill-fallback", Severity: diag.Warning,
		What: "BACKFILLPOLICY names an algorithm that Maui does not have", Why: "it uses FIRSTFIT instead",
		Example: "BACKFILLPOLICY LAZY\n", Instead: "BACKFILLPOLICY FIRSTFIT"},
		Source: "manual 8.2, against the program", check: backfillFallback},
	{ID: "M303", CodeDoc: diag.CodeDoc{Code: "maui-no-reservation", Severity: diag.Warning,
		What: "backfill is on, but blocked jobs get no reservation", Why: "smaller jobs start before a large one for as long as they come",
		Example: "BACKFILLPOLICY FIRSTFIT\nRESERVATIONDEPTH[0] 0\n", Instead: "RESERVATIONDEPTH[0] 1"},
		Source: "manual 7.1.3, 8.2", check: noReservation},
	{ID: "M304", CodeDoc: diag.CodeDoc{Code: "maui-backfill-off", Severity: diag.Warning,
		What: "backfill is off, but its settings or those of reservations are set", Why: "without backfill no reservation is made: jobs start in strict order",
		Example: "BACKFILLPOLICY NONE\nRESERVATIONDEPTH[0] 2\n", Instead: "BACKFILLPOLICY FIRSTFIT"},
		Source: "MQueue.c, MQueueScheduleIJobs", check: backfillOff},
	{ID: "M305", CodeDoc: diag.CodeDoc{Code: "maui-bucket-without-qos", Severity: diag.Warning,
		What: "a reservation bucket has no QOS, or a QOS is in no bucket", Why: "the depth of the bucket is never used; jobs of the QOS get no reservation",
		Example: "RESERVATIONDEPTH[1] 3\n", Instead: "RESERVATIONQOSLIST[1] high beside it"},
		Source: "manual 7.1.3", check: bucketWithoutQOS},
	{ID: "M307", CodeDoc: diag.CodeDoc{Code: "maui-chunk-half", Severity: diag.Warning,
		What: "only one of BFCHUNKSIZE and BFCHUNKDURATION is set, or both without FIRSTFIT", Why: "chunking needs both, and the algorithm that has it",
		Example: "BFCHUNKSIZE 8\n", Instead: "BFCHUNKSIZE 8 and BFCHUNKDURATION 1:00:00"},
		Source: "manual 8.2", check: halfChunk},
	{ID: "M308", CodeDoc: diag.CodeDoc{Code: "maui-node-allocation", Severity: diag.Warning,
		What: "NODEALLOCATIONPOLICY chooses by what nobody set, or is not finished", Why: "all nodes are then equal and the first ones are taken",
		Example: "NODEALLOCATIONPOLICY PRIORITY\n", Instead: "NODEALLOCATIONPOLICY PRIORITY and NODECFG[DEFAULT] PRIORITYF='-LOAD'"},
		Source: "manual 5.2", check: nodeAllocation},
	{ID: "P012", CodeDoc: diag.CodeDoc{Code: "maui-node-zero", Severity: diag.Warning,
		What: "a node's line says 0 where NODECFG[DEFAULT] says a number", Why: "0 means that nothing is set, so what DEFAULT says holds for the node too",
		Example: "NODECFG[DEFAULT] MAXJOB=4\nNODECFG[n1] MAXJOB=0\n", Instead: "NODECFG[n1] MAXJOB=-1"},
		Source: "manual 6.2.1, of limits", check: zeroOfNodes},
	{ID: "M309", CodeDoc: diag.CodeDoc{Code: "maui-node-set-delay", Severity: diag.Warning,
		What: "NODESETDELAY is above 0", Why: "any delay makes the set mandatory: a job that fits no set never starts",
		Example: "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETDELAY 1:00\n", Instead: "NODESETDELAY 0"},
		Source: "manual 8.3, against the program", check: nodeSetDelay},
	{ID: "M311", CodeDoc: diag.CodeDoc{Code: "maui-reservation-depth", Severity: diag.Warning,
		What: "a daily reservation looks fewer days ahead than lie between its days", Why: "for part of the week there is no reservation, and jobs are started into its time",
		Example: "SRCFG[monday] PERIOD=DAY DAYS=Mon DEPTH=3 STARTTIME=8:00:00 ENDTIME=17:00:00 HOSTLIST=n1\n", Instead: "SRCFG[monday] … DEPTH=7"},
		Source: "manual 7.1.5", check: reservationDepth},
	{ID: "M311", CodeDoc: diag.CodeDoc{Code: "maui-reservation-anywhere", Severity: diag.Warning,
		What: "a standing reservation asks for tasks, but names no hosts", Why: "the tasks may lie on other nodes in each period",
		Example: "SRCFG[a] TASKCOUNT=4 PERIOD=DAY\n", Instead: "SRCFG[a] TASKCOUNT=4 HOSTLIST=n1,n2"},
		Source: "manual 7.1.5", OnDemand: true, check: reservationAnywhere},
	{ID: "M312", CodeDoc: diag.CodeDoc{Code: "maui-overrun-default", Severity: diag.Warning,
		What: "JOBMAXOVERRUN is not set", Why: "jobs may run ten minutes over their limit, where the manual says none",
		Example: "SERVERHOST h\n", Instead: "JOBMAXOVERRUN 00:00:00"},
		Source: "manual appendix F, against the program", OnDemand: true, check: overrunDefault},
	{ID: "M313", CodeDoc: diag.CodeDoc{Code: "maui-default-differs", Severity: diag.Warning,
		What: "parameters that matter are not set, and the manual has other defaults than the program", Why: "who reads the manual expects something else",
		Example: "FSPOLICY DEDICATEDPS\n", Instead: "FSINTERVAL and FSDEPTH beside it"},
		Source: "manual appendix F", OnDemand: true, check: differingDefaults},
	{ID: "M315", CodeDoc: diag.CodeDoc{Code: "maui-accrual-full", Severity: diag.Warning,
		What: "JOBPRIOACCRUALPOLICY is FULLPOLICY where limits have soft and hard numbers", Why: "whenever a job is over its hard limit its queue time begins anew",
		Example: "JOBPRIOACCRUALPOLICY FULLPOLICY\nUSERCFG[x] MAXJOB=2,4\n", Instead: "JOBPRIOACCRUALPOLICY QUEUEPOLICY"},
		Source: "MQueue.c, MQueueSelectJobs; manual 5.1.3", check: fullAccrual},
	{ID: "P010", CodeDoc: diag.CodeDoc{Code: "maui-host-pattern", Severity: diag.Warning,
		What: "a HOSTLIST has brackets with numbers of several digits", Why: "brackets hold single characters of a regular expression: [0-13] is 0, 1 or 3",
		Example: "SRCFG[a] HOSTLIST=^compute-1-[0-13]\n", Instead: "SRCFG[a] HOSTLIST=^compute-1-([0-9]|1[0-3])$"},
		Source: "manual 7.1.5; regex(7)", check: hostPatterns},
}

func (p *pass) backfillOn() bool {
	word := p.text("BACKFILLPOLICY")
	return p.maui() && word != "NONE" && word != "OFF"
}

func greedyBackfill(p *pass) {
	if p.maui() && p.text("BACKFILLPOLICY") == "GREEDY" {
		p.report(p.at("BACKFILLPOLICY"), "BACKFILLPOLICY GREEDY starts no job").Note("write FIRSTFIT or BESTFIT")
	}
}

func backfillFallback(p *pass) {
	if word := p.text("BACKFILLPOLICY"); p.maui() && (word == "BESTTIMEFIT" || word == "LAZY") {
		p.report(p.at("BACKFILLPOLICY"), "BACKFILLPOLICY %s works as FIRSTFIT", word).Note("Maui has no such algorithm; write FIRSTFIT or BESTFIT")
	}
}

func noReservation(p *pass) {
	if !p.backfillOn() {
		return
	}
	for _, a := range p.globals() {
		if a.Name == "RESERVATIONDEPTH" && a.Index == "0" && a.Value.Int == 0 || a.Name == "RESERVATIONPOLICY" && a.Text == "NEVER" {
			p.report(a.Span, "no blocked job gets a reservation, while backfill is on").
				Note("smaller jobs start before a large one for as long as they come; write RESERVATIONDEPTH[0] 1 or more")
		}
	}
}

func backfillOff(p *pass) {
	if !p.maui() || !p.isSet("BACKFILLPOLICY") || p.backfillOn() {
		return
	}
	var unused []ir.Attr
	for _, a := range p.globals() {
		if a.Name == "RESERVATIONDEPTH" || strings.HasPrefix(a.Name, "BF") || strings.HasPrefix(a.Name, "BACKFILL") && a.Name != "BACKFILLPOLICY" {
			unused = append(unused, a)
		}
	}
	if len(unused) == 0 {
		return
	}
	d := p.report(p.at("BACKFILLPOLICY"), "without backfill jobs start in strict order and get no reservations")
	for _, a := range unused[:min(3, len(unused))] {
		d.NoteAt(a.Span, "%s has no effect", a.Name)
	}
	d.Note("write BACKFILLPOLICY FIRSTFIT, or remove the other settings")
}

func bucketWithoutQOS(p *pass) {
	lists := map[string]*ir.Attr{}
	for i := range p.globals() {
		if a := &p.globals()[i]; a.Name == "RESERVATIONQOSLIST" {
			lists[a.Index] = a
		}
	}
	for _, a := range p.globals() {
		if a.Name == "RESERVATIONDEPTH" && a.Index != "0" && a.Index != "" && lists[a.Index] == nil {
			p.report(a.Span, "bucket %s has no QOS, so its depth is never used", a.Index).
				Note("write RESERVATIONQOSLIST[%s] with the names of QOS", a.Index)
		}
	}
	p.qosInNoBucket(lists)
}

// qosInNoBucket: bucket 0 has all QOS, unless its list says which.
func (p *pass) qosInNoBucket(lists map[string]*ir.Attr) {
	if lists["0"] == nil {
		return
	}
	var all []string
	for _, a := range lists {
		all = append(all, a.Value.List...)
	}
	if slices.Contains(all, "ALL") || slices.Contains(all, "[ALL]") {
		return
	}
	for _, r := range p.records["QOSCFG"] {
		if !slices.Contains(all, r.Name) && r.Name != "DEFAULT" {
			d := p.report(lists["0"].Span, "jobs of QOS %s get no reservation: it is in no bucket", r.Name)
			if slices.ContainsFunc(all, func(s string) bool {
				return slices.Contains(strings.FieldsFunc(s, func(c rune) bool { return c == ',' || c == ':' }), r.Name)
			}) {
				d.Note("the names of a RESERVATIONQOSLIST stand with blanks between them, not with commas or colons")
				continue
			}
			d.Note("add it to a RESERVATIONQOSLIST, or write ALL in that of bucket 0")
		}
	}
}

func halfChunk(p *pass) {
	size, length := p.number("BFCHUNKSIZE") > 0, p.number("BFCHUNKDURATION") > 0
	if !p.maui() || !size && !length {
		return
	}
	name, other := "BFCHUNKSIZE", "BFCHUNKDURATION"
	if !size {
		name, other = other, name
	}
	switch policy := p.text("BACKFILLPOLICY"); {
	case size != length:
		p.report(p.at(name), "%s has no effect without %s", name, other).Note("set both, or remove the line")
	case policy != "FIRSTFIT" && p.isSet("BACKFILLPOLICY"):
		p.report(p.at(name), "%s has no effect with BACKFILLPOLICY %s", name, policy).Note("FIRSTFIT alone chunks")
	}
}

func nodeAllocation(p *pass) {
	if !p.maui() {
		return
	}
	switch word := p.text("NODEALLOCATIONPOLICY"); word {
	case "MINLOCAL", "MINGLOBAL":
		p.report(p.at("NODEALLOCATIONPOLICY"), "NODEALLOCATIONPOLICY %s is not finished in Maui", word).Note("nodes are taken in their order; write MINRESOURCE, CPULOAD, LASTAVAILABLE or FIRSTAVAILABLE")
	case "PRIORITY":
		for _, r := range p.records["NODECFG"] {
			if r.Attr("PRIORITYF") != nil || r.Attr("PRIORITY") != nil {
				return
			}
		}
		p.report(p.at("NODEALLOCATIONPOLICY"), "no NODECFG line has a PRIORITY or PRIORITYF, so that all nodes are equal").
			Note("write NODECFG[DEFAULT] PRIORITYF='…', or another policy")
	}
}

// nodeNumbers are the attributes of nodes of which 0 is as good as none, and what to write for a node that is to have none of
// what others have.
var nodeNumbers = []struct{ name, instead string }{
	{"MAXJOB", "-1"}, {"MAXJOBPERUSER", "-1"}, {"MAXPROC", "-1"}, {"MAXPROCPERUSER", "-1"}, {"MAXLOAD", "-1"},
	{"PRIORITY", ""}, {"PROCSPEED", ""}, {"SPEED", ""},
}

func zeroOfNodes(p *pass) {
	zero := func(a *ir.Attr) bool { return a != nil && a.Value.Known() && a.Value.Int == 0 && a.Value.Double == 0 }
	holds := make([]*ir.Attr, len(nodeNumbers))
	for _, r := range p.records["NODECFG"] {
		if r.Name != "DEFAULT" {
			continue
		}
		for k, n := range nodeNumbers {
			if d := r.Attr(n.name); d != nil && !zero(d) {
				holds[k] = d
			}
		}
	}
	for k, n := range nodeNumbers {
		d := holds[k]
		if d == nil {
			continue
		}
		note := "write " + n.name + "=" + n.instead + " for none"
		if n.instead == "" {
			note = "write " + n.name + " on the lines of the nodes that are to have it in place of NODECFG[DEFAULT]"
		}
		for _, r := range p.records["NODECFG"] {
			if a := r.Attr(n.name); r.Name != "DEFAULT" && zero(a) {
				p.report(a.Span, "%s=%s sets nothing: %s of NODECFG[DEFAULT] holds for %s", a.Name, a.Text, d.Text, r.Name).
					NoteAt(d.Span, "what holds").Note("%s", note)
			}
		}
	}
}

func nodeSetDelay(p *pass) {
	if p.maui() && p.number("NODESETDELAY") > 0 {
		p.report(p.at("NODESETDELAY"), "NODESETDELAY above 0 makes the node set mandatory").
			Note("a job that fits no set never starts, however long the delay; write NODESETDELAY 0 to let it start on any nodes")
	}
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

func reservationDepth(p *pass) {
	for _, r := range p.records["SRCFG"] {
		depth := r.Attr("DEPTH")
		if depth == nil || !r.Attr("PERIOD").Is("DAY") || r.Attr("DAYS") == nil {
			continue
		}
		if gap := largestGap(r.Attr("DAYS").Text); gap > 1 && depth.Number() < float64(gap) {
			p.report(depth.Span, "DEPTH=%s looks ahead less than the %d days between two reservations", depth.Text, gap).
				Note("write DEPTH=%d", gap)
		}
	}
}

// largestGap is the largest number of days from one of the days to the next; 0 if all are meant or
// none is known.
func largestGap(days string) int {
	var on []int
	for i, day := range weekdays {
		if strings.Contains(strings.ToLower(days), day) {
			on = append(on, i)
		}
	}
	gap := 0
	for i, day := range on {
		next := on[(i+1)%len(on)]
		gap = max(gap, (next-day+6)%7+1)
	}
	return gap
}

func reservationAnywhere(p *pass) {
	for _, r := range p.records["SRCFG"] {
		if a := r.Attr("TASKCOUNT"); a.Number() > 0 && r.Attr("HOSTLIST") == nil {
			p.report(a.Span, "the tasks of reservation %s may lie on any nodes", r.Name).Note("write HOSTLIST to keep them in one place")
		}
	}
}

func overrunDefault(p *pass) {
	if p.maui() && !p.isSet("JOBMAXOVERRUN") && !p.Facts.Partial {
		p.report(p.whole(), "jobs may run ten minutes over their limit, because JOBMAXOVERRUN is not set").Note("the manual's default is 0; write JOBMAXOVERRUN with what is meant")
	}
}

// differingDefaults asks for those of Maui's parameters that people rely on without saying so.
func differingDefaults(p *pass) {
	if !p.maui() {
		return
	}
	relied := map[string]bool{"REJECTNEGPRIOJOBS": true, "RMTIMEOUT": true, "FSINTERVAL": p.text("FSPOLICY") != "", "FSDEPTH": p.text("FSPOLICY") != "", "XFMINWCLIMIT": p.number("XFACTORWEIGHT") != 0}
	var list []string
	for _, row := range stdlib.MauiParams.Params() {
		if relied[row.Name] && !p.isSet(row.Name) && row.DocDefault != "" && row.DocDefault != row.Default {
			list = append(list, fmt.Sprintf("%s is %s, in the manual %s", row.Name, p.param(row.Name).Value.String(), row.DocDefault))
		}
	}
	if len(list) > 0 {
		d := p.report(p.whole(), "the manual has other defaults for %s", several(len(list), "parameter"))
		for _, text := range list {
			d.Note("%s", text)
		}
		d.Note("write them out, so that it is plain what is meant")
	}
}

func fullAccrual(p *pass) {
	if !p.maui() || p.text("JOBPRIOACCRUALPOLICY") != "FULLPOLICY" {
		return
	}
	told := false
	p.throttles(func(_ *ir.Record, a *ir.Attr, _ bool, _, _ string) {
		if a.Hard > 0 && a.Soft > 0 && a.Soft != a.Hard && !told {
			told = true
			p.report(p.at("JOBPRIOACCRUALPOLICY"), "a job over a hard limit loses the queue time it has").
				NoteAt(a.Span, "limits such as this one block jobs for a while").
				Note("write JOBPRIOACCRUALPOLICY QUEUEPOLICY")
		}
	})
}

// longRange is a range in brackets of which one end has several digits.
var longRange = source.Pattern(`\[[^\]]*(\d\d+-\d+|\d+-\d\d+)[^\]]*\]`)

func hostPatterns(p *pass) {
	for _, r := range p.records["SRCFG"] {
		a := r.Attr("HOSTLIST")
		if a == nil {
			continue
		}
		if m := longRange().FindString(a.Text); m != "" {
			p.report(a.Span, "%s is a set of single characters, not a range of numbers", m).
				Note("HOSTLIST is a regular expression; list the hosts, or write one such as ([0-9]|1[0-3])")
		}
	}
}
