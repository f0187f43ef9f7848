package maui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/stdlib"
)

// planningRules are the rules about Maui's reservations, backfill and node selection.
var planningRules = []rule.Rule{
	{Code: "maui-greedy-backfill", Check: greedyBackfill},
	{Code: "maui-backfill-fallback", Check: backfillFallback},
	{Code: "maui-no-reservation", Check: noReservation},
	{Code: "maui-backfill-off", Check: backfillOff},
	{Code: "maui-bucket-without-qos", Check: bucketWithoutQOS},
	{Code: "maui-chunk-half", Check: halfChunk},
	{Code: "maui-node-allocation", Check: nodeAllocation},
	{Code: "maui-node-zero", Check: zeroOfNodes},
	{Code: "maui-node-set-delay", Check: nodeSetDelay},
	{Code: "maui-reservation-depth", Check: reservationDepth},
	{Code: "maui-reservation-anywhere", Check: reservationAnywhere},
	{Code: "maui-overrun-default", Check: overrunDefault},
	{Code: "maui-default-differs", Check: differingDefaults},
	{Code: "maui-accrual-full", Check: fullAccrual},
	{Code: "maui-host-pattern", Check: hostPatterns},
}

func backfillOn(p *rule.Pass) bool {
	word := p.Text("BACKFILLPOLICY")
	return word != "NONE" && word != "OFF"
}

func greedyBackfill(p *rule.Pass) {
	if p.Text("BACKFILLPOLICY") == "GREEDY" {
		p.Report(p.At("BACKFILLPOLICY"), "BACKFILLPOLICY GREEDY starts no job").Note("write FIRSTFIT or BESTFIT")
	}
}

func backfillFallback(p *rule.Pass) {
	if word := p.Text("BACKFILLPOLICY"); word == "BESTTIMEFIT" || word == "LAZY" {
		p.Report(p.At("BACKFILLPOLICY"), "BACKFILLPOLICY %s works as FIRSTFIT", word).
			Note("Maui has no such algorithm; write FIRSTFIT or BESTFIT")
	}
}

func noReservation(p *rule.Pass) {
	if !backfillOn(p) {
		return
	}
	for _, a := range p.Globals() {
		if a.Name == "RESERVATIONDEPTH" && a.Index == "0" && a.Value.Int == 0 ||
			a.Name == "RESERVATIONPOLICY" && a.Text == "NEVER" {
			p.Report(a.Span, "no blocked job gets a reservation, while backfill is on").
				Note("smaller jobs start before a large one for as long as they come; write RESERVATIONDEPTH[0] 1 " +
					"or more")
		}
	}
}

func backfillOff(p *rule.Pass) {
	if !p.IsSet("BACKFILLPOLICY") || backfillOn(p) {
		return
	}
	var unused []ir.Attr
	for _, a := range p.Globals() {
		if a.Name == "RESERVATIONDEPTH" || strings.HasPrefix(a.Name, "BF") ||
			strings.HasPrefix(a.Name, "BACKFILL") && a.Name != "BACKFILLPOLICY" {
			unused = append(unused, a)
		}
	}
	if len(unused) == 0 {
		return
	}
	d := p.Report(p.At("BACKFILLPOLICY"), "without backfill jobs start in strict order and get no reservations")
	for _, a := range unused[:min(3, len(unused))] {
		d.NoteAt(a.Span, "%s has no effect", a.Name)
	}
	d.Note("write BACKFILLPOLICY FIRSTFIT, or remove the other settings")
}

func bucketWithoutQOS(p *rule.Pass) {
	lists := map[string]*ir.Attr{}
	for i := range p.Globals() {
		if a := &p.Globals()[i]; a.Name == "RESERVATIONQOSLIST" {
			lists[a.Index] = a
		}
	}
	for _, a := range p.Globals() {
		if a.Name == "RESERVATIONDEPTH" && a.Index != "0" && a.Index != "" && lists[a.Index] == nil {
			p.Report(a.Span, "bucket %s has no QOS, so its depth is never used", a.Index).
				Note("write RESERVATIONQOSLIST[%s] with the names of QOS", a.Index)
		}
	}
	qosInNoBucket(p, lists)
}

// qosInNoBucket: bucket 0 has all QOS, unless its list says which.
func qosInNoBucket(p *rule.Pass, lists map[string]*ir.Attr) {
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
	for _, r := range p.Records["QOSCFG"] {
		if !slices.Contains(all, r.Name) && r.Name != "DEFAULT" {
			d := p.Report(lists["0"].Span, "jobs of QOS %s get no reservation: it is in no bucket", r.Name)
			if slices.ContainsFunc(all, func(s string) bool {
				return slices.Contains(strings.FieldsFunc(s, func(c rune) bool { return c == ',' || c == ':' }), r.Name)
			}) {
				d.Note("separate the names of a RESERVATIONQOSLIST by blanks, not by commas or colons")
				continue
			}
			d.Note("add it to a RESERVATIONQOSLIST, or write ALL in that of bucket 0")
		}
	}
}

func halfChunk(p *rule.Pass) {
	size, length := p.Number("BFCHUNKSIZE") > 0, p.Number("BFCHUNKDURATION") > 0
	if !size && !length {
		return
	}
	name, other := "BFCHUNKSIZE", "BFCHUNKDURATION"
	if !size {
		name, other = other, name
	}
	switch policy := p.Text("BACKFILLPOLICY"); {
	case size != length:
		p.Report(p.At(name), "%s has no effect without %s", name, other).Note("set both, or remove the line")
	case policy != "FIRSTFIT" && p.IsSet("BACKFILLPOLICY"):
		p.Report(p.At(name), "%s has no effect with BACKFILLPOLICY %s", name, policy).Note("FIRSTFIT alone chunks")
	}
}

func nodeAllocation(p *rule.Pass) {
	switch word := p.Text("NODEALLOCATIONPOLICY"); word {
	case "MINLOCAL", "MINGLOBAL":
		p.Report(p.At("NODEALLOCATIONPOLICY"), "NODEALLOCATIONPOLICY %s is not finished in Maui", word).
			Note("nodes are taken in their order; write MINRESOURCE, CPULOAD, LASTAVAILABLE or FIRSTAVAILABLE")
	case "PRIORITY":
		for _, r := range p.Records["NODECFG"] {
			if r.Attr("PRIORITYF") != nil || r.Attr("PRIORITY") != nil {
				return
			}
		}
		p.Report(p.At("NODEALLOCATIONPOLICY"),
			"no NODECFG line has a PRIORITY or PRIORITYF, so that all nodes are equal").
			Note("write NODECFG[DEFAULT] PRIORITYF='…', or another policy")
	}
}

// nodeNumbers are the attributes of nodes where 0 counts as none, and what to write for a node that is to
// have none of
// what others have.
var nodeNumbers = []struct{ name, instead string }{
	{"MAXJOB", "-1"}, {"MAXJOBPERUSER", "-1"}, {"MAXPROC", "-1"}, {"MAXPROCPERUSER", "-1"}, {"MAXLOAD", "-1"},
	{"PRIORITY", ""}, {"PROCSPEED", ""}, {"SPEED", ""},
}

func zeroOfNodes(p *rule.Pass) {
	zero := func(a *ir.Attr) bool { return a != nil && a.Value.Known() && a.Value.Int == 0 && a.Value.Double == 0 }
	holds := make([]*ir.Attr, len(nodeNumbers))
	for _, r := range p.Records["NODECFG"] {
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
		for _, r := range p.Records["NODECFG"] {
			if a := r.Attr(n.name); r.Name != "DEFAULT" && zero(a) {
				p.Report(a.Span, "%s=%s sets nothing: %s of NODECFG[DEFAULT] holds for %s", a.Name, a.Text, d.Text,
					r.Name).
					NoteAt(d.Span, "what holds").
					Note("%s", note)
			}
		}
	}
}

func nodeSetDelay(p *rule.Pass) {
	if p.Number("NODESETDELAY") > 0 {
		p.Report(p.At("NODESETDELAY"), "NODESETDELAY above 0 makes the node set mandatory").
			Note("a job that fits no set never starts, however long the delay; write NODESETDELAY 0 to let it " +
				"start on any nodes")
	}
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

func reservationDepth(p *rule.Pass) {
	for _, r := range p.Records["SRCFG"] {
		depth := r.Attr("DEPTH")
		if depth == nil || !r.Attr("PERIOD").Is("DAY") || r.Attr("DAYS") == nil {
			continue
		}
		if gap := largestGap(r.Attr("DAYS").Text); gap > 1 && depth.Number() < float64(gap) {
			p.Report(depth.Span, "DEPTH=%s looks ahead less than the %d days between two reservations", depth.Text,
				gap).
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

func reservationAnywhere(p *rule.Pass) {
	for _, r := range p.Records["SRCFG"] {
		if a := r.Attr("TASKCOUNT"); a.Number() > 0 && r.Attr("HOSTLIST") == nil {
			p.Report(a.Span, "the tasks of reservation %s may lie on any nodes", r.Name).
				Note("write HOSTLIST to keep them in one place")
		}
	}
}

func overrunDefault(p *rule.Pass) {
	if !p.IsSet("JOBMAXOVERRUN") && !p.Facts.Partial {
		p.Report(p.Whole(), "jobs may run ten minutes over their limit, because JOBMAXOVERRUN is not set").
			Note("the manual's default is 0; write JOBMAXOVERRUN with what is meant")
	}
}

// differingDefaults asks for those of Maui's parameters that people rely on without saying so.
func differingDefaults(p *rule.Pass) {
	relied := map[string]bool{
		"REJECTNEGPRIOJOBS": true,
		"RMTIMEOUT":         true,
		"FSINTERVAL":        p.Text("FSPOLICY") != "",
		"FSDEPTH":           p.Text("FSPOLICY") != "",
		"XFMINWCLIMIT":      p.Number("XFACTORWEIGHT") != 0,
	}
	var list []string
	for _, row := range stdlib.MauiParams.Params() {
		if relied[row.Name] && !p.IsSet(row.Name) && row.DocDefault != "" && row.DocDefault != row.Default {
			list = append(list,
				fmt.Sprintf("%s is %s, in the manual %s", row.Name, p.Param(row.Name).Value.String(), row.DocDefault))
		}
	}
	if len(list) > 0 {
		d := p.Report(p.Whole(), "the manual has other defaults for %s", rule.Several(len(list), "parameter"))
		for _, text := range list {
			d.Note("%s", text)
		}
		d.Note("write them out, so that it is plain what is meant")
	}
}

func fullAccrual(p *rule.Pass) {
	if p.Text("JOBPRIOACCRUALPOLICY") != "FULLPOLICY" {
		return
	}
	seen := false
	throttles(p, func(_ *ir.Record, a *ir.Attr, _ bool, _, _ string) {
		if a.Hard > 0 && a.Soft > 0 && a.Soft != a.Hard && !seen {
			seen = true
			p.Report(p.At("JOBPRIOACCRUALPOLICY"), "a job over a hard limit loses the queue time it has").
				NoteAt(a.Span, "limits such as this one block jobs for a while").
				Note("write JOBPRIOACCRUALPOLICY QUEUEPOLICY")
		}
	})
}

// longRange is a range in brackets with an end of several digits.
var longRange = source.Pattern(`\[[^\]]*(\d\d+-\d+|\d+-\d\d+)[^\]]*\]`)

func hostPatterns(p *rule.Pass) {
	for _, r := range p.Records["SRCFG"] {
		a := r.Attr("HOSTLIST")
		if a == nil {
			continue
		}
		if m := longRange().FindString(a.Text); m != "" {
			p.Report(a.Span, "%s is a set of single characters, not a range of numbers", m).
				Note("HOSTLIST is a regular expression; list the hosts, or write one such as ([0-9]|1[0-3])")
		}
	}
}
