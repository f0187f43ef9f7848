package maui

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// weightsRules are the rules about Maui's weights and caps.
var weightsRules = []rule.Rule{
	{Code: "maui-weight-in-dead-component", Check: deadComponents},
	{Code: "maui-empty-component", Check: emptyComponents},
	{Code: "maui-xfactor-uncapped", Check: uncappedXFactor},
	{Code: "maui-xfactor-minimum", Check: xfactorMinimum},
	{Code: "maui-cap-after-weight", Check: capsAfterWeight},
	{Code: "maui-cap-in-points", Check: capsInPoints},
	{Code: "maui-size-cap-in-points", Check: sizeCapsInPoints},
	{Code: "maui-target-weight-unused", Check: targetWeights},
	{Code: "maui-queue-time-target", Check: queueTimeTargets},
	{Code: "maui-usage-weight", Check: usageWeights},
}

// mauiComponents are Maui's components with the weights of their terms, in the order of the sum.
var mauiComponents = []struct{ weight, terms string }{
	{"SERVICEWEIGHT", "QUEUETIMEWEIGHT XFACTORWEIGHT SPVIOLATIONWEIGHT BYPASSWEIGHT"},
	{"TARGETWEIGHT", "TARGETQUEUETIMEWEIGHT TARGETXFACTORWEIGHT"},
	{"CREDWEIGHT", "USERWEIGHT GROUPWEIGHT ACCOUNTWEIGHT QOSWEIGHT CLASSWEIGHT"},
	{"FSWEIGHT", "FSUSERWEIGHT FSGROUPWEIGHT FSACCOUNTWEIGHT FSQOSWEIGHT FSCLASSWEIGHT"},
	{"RESWEIGHT", "NODEWEIGHT PROCWEIGHT MEMWEIGHT SWAPWEIGHT DISKWEIGHT PSWEIGHT PEWEIGHT WALLTIMEWEIGHT"},
	{"USAGEWEIGHT", "CONSUMEDWEIGHT REMAININGWEIGHT PERCENTWEIGHT USAGEEXECUTIONTIMEWEIGHT"},
}

func deadComponents(p *rule.Pass) {
	for _, c := range mauiComponents {
		if p.Number(c.weight) != 0 {
			continue
		}
		for _, term := range rule.Written(p.Weighs(strings.Fields(c.terms))) {
			d := p.Report(term.Set, "%s has no effect, because %s is 0", term.Name, c.weight)
			if p.IsSet(c.weight) {
				d.NoteAt(p.At(c.weight), "it is set here")
			}
			d.Note("write %s 1, or remove the line", c.weight)
		}
	}
}

func emptyComponents(p *rule.Pass) {
	for _, c := range mauiComponents {
		terms := strings.Fields(c.terms)
		if !p.IsSet(c.weight) || p.Number(c.weight) == 0 || len(p.Weighs(terms)) > 0 ||
			qosWeighs(p, c.weight) {
			continue
		}
		p.Report(p.At(c.weight), "%s has no effect, because all weights in it are 0", c.weight).
			Note("set one of %s, or remove the line", strings.Join(terms, ", "))
	}
}

// qosWeighs reports a QOS that adds a weight of its own to a term of the service component.
func qosWeighs(p *rule.Pass, component string) bool {
	if component != "SERVICEWEIGHT" {
		return false
	}
	return qosHas(p, "QTWEIGHT", "QOSQTWEIGHT") || qosHas(p, "XFWEIGHT", "QOSXFWEIGHT")
}

// qosHas reports a QOS with a number for an attribute, under either of its names.
func qosHas(p *rule.Pass, attribute, old string) bool {
	for _, r := range p.Records["QOSCFG"] {
		if r.Attr(attribute).Number() > 0 {
			return true
		}
	}
	if p.Global != nil {
		for i := range p.Global.Attrs {
			if a := &p.Global.Attrs[i]; a.Name == old && a.Number() > 0 {
				return true
			}
		}
	}
	return false
}

func uncappedXFactor(p *rule.Pass) {
	if p.IsSet("XFACTORWEIGHT") && p.Number("XFACTORWEIGHT") > 0 && p.Number("SERVICEWEIGHT") != 0 &&
		p.Number("XFACTORCAP") <= 0 && p.Number("SERVICEWCAP") <= 0 && !p.IsSet("XFMINWCLIMIT") {
		p.Report(p.At("XFACTORWEIGHT"), "the expansion factor has no bound").
			Note("it is the queue time over the job's limit, so that the shortest jobs soon outrank all others").
			Note("write XFACTORCAP 100, or another number of times that a job may have waited for its length")
	}
}

func xfactorMinimum(p *rule.Pass) {
	if p.IsSet("XFMINWCLIMIT") && p.Number("XFMINWCLIMIT") > 0 && p.Number("XFACTORWEIGHT") != 0 {
		p.Report(p.At("XFMINWCLIMIT"), "XFMINWCLIMIT counts for jobs with a QOS only, and below the fraction only").
			Note("a shorter job gets (queue time + its own limit) / XFMINWCLIMIT, which may be below 1")
	}
}

// capsAfterWeight looks at factors that have a known upper bound: fairshare deltas are
// percentages, and credential priorities are in the file. How many processors a job asks for, or how
// large its expansion factor becomes, is not known.
func capsAfterWeight(p *rule.Pass) {
	ratio := strings.HasSuffix(p.Text("FSPOLICY"), "%")
	for _, cred := range []string{"USER", "GROUP", "ACCOUNT", "QOS", "CLASS"} {
		if reach := 100.0; !ratio {
			capWithin(p, "FS"+cred, reach, "a fairshare delta is a percentage")
		}
		if reach := largestPriority(p, cred); reach > 0 {
			capWithin(p, cred, reach, "no priority in this file is larger than the cap divided by the weight")
		}
	}
	capWithin(p, "SPVIOLATION", 1, "a job violates a soft policy or does not")
}

// capsInPoints: what such a cap amounts to is always true; that it is not meant is likely where weights are
// hundreds, and
// caps are multiples of them that hardly a job reaches.
// rawCap is a term whose factor hardly ever is as large as this.
type rawCap struct {
	term, unit string
	large      int64
}

func capsInPoints(p *rule.Pass) {
	largeCaps(p, "for %d points at most write %sCAP %d", rawCap{"QUEUETIME", "minutes in the queue", 366 * 1440},
		rawCap{"XFACTOR", "times the limit", 100000})
}

// sizeCapsInPoints is a question: no maui.cfg says how large the machine is.
func sizeCapsInPoints(p *rule.Pass) {
	largeCaps(p, "if jobs are smaller here and %d points at most are meant, write %sCAP %d",
		rawCap{"NODE", "nodes", 1000}, rawCap{"PROC", "processors", 1000}, rawCap{"PE", "processor equivalents", 1000})
}

func largeCaps(p *rule.Pass, advice string, list ...rawCap) {
	for _, c := range list {
		weight, most := int64(p.Number(c.term+"WEIGHT")), int64(p.Number(c.term+"CAP"))
		if weight >= 100 && most >= c.large && most%weight == 0 && p.IsSet(c.term+"CAP") {
			p.Report(p.At(c.term+"CAP"), "%sCAP is reached by jobs of %d %s", c.term, most, c.unit).
				Note("it applies before %sWEIGHT; "+advice, c.term, most, c.term, most/weight)
		}
	}
}

func capWithin(p *rule.Pass, term string, reach float64, why string) {
	weight, limit := p.Number(term+"WEIGHT"), p.Number(term+"CAP")
	if weight > 1 && limit > reach && limit <= reach*weight {
		capReported(p, term, why, reach)
	}
}

func capReported(p *rule.Pass, term, why string, reach float64) {
	weight, limit := p.Param(term+"WEIGHT"), p.Param(term+"CAP")
	if limit.Set.IsZero() {
		return
	}
	d := p.Report(limit.Set, "%s is never reached: it applies before %s", limit.Name, weight.Name).Note("%s", why)
	if bound := int64(p.Number(limit.Name) / p.Number(weight.Name)); float64(bound) < reach {
		d.Note("write %s %d to bound the weighted value at %s", limit.Name, bound, limit.Value.String())
	} else {
		d.Note("write a number below %g, or remove the line", reach)
	}
}

// largestPriority is the largest PRIORITY of a kind of credential.
func largestPriority(p *rule.Pass, cred string) float64 {
	largest := 0.0
	for _, r := range p.Records[cred+"CFG"] {
		largest = max(largest, r.Attr("PRIORITY").Number())
	}
	return largest
}

func targetWeights(p *rule.Pass) {
	for _, t := range []struct{ weight, attribute, old string }{
		{"TARGETQUEUETIMEWEIGHT", "QTTARGET", "QOSTARGETQT"}, {"TARGETXFACTORWEIGHT", "XFTARGET", "QOSTARGETXF"},
	} {
		if p.IsSet(t.weight) && p.Number(t.weight) != 0 && !qosHas(p, t.attribute, t.old) {
			p.Report(p.At(t.weight), "%s has no effect, because no QOS has a target", t.weight).
				Note("write QOSCFG[name] %s=…, or remove the line", t.attribute)
		}
	}
}

func queueTimeTargets(p *rule.Pass) {
	for _, r := range p.Records["QOSCFG"] {
		a := r.Attr("QTTARGET")
		if a.Number() <= 0 {
			continue
		}
		if p.Number("TARGETQUEUETIMEWEIGHT") == 0 || p.Number("TARGETWEIGHT") == 0 {
			p.Report(a.Span, "QTTARGET of QOS %s has no effect, because nothing weighs it", r.Name).
				Note("XFTARGET with TARGETXFACTORWEIGHT raises jobs as their target nears")
			continue
		}
		p.Report(a.Span, "QTTARGET gives the jobs of QOS %s the same 100000000 from the start", r.Name).
			Note("whatever the target is; write XFTARGET with TARGETXFACTORWEIGHT to raise jobs as their target nears")
	}
}

func usageWeights(p *rule.Pass) {
	if preempts(p, "PREEMPTEE") != nil {
		return
	}
	for _, w := range rule.Written(p.Weighs(strings.Fields(mauiComponents[5].terms))) {
		p.Report(w.Set, "%s changes the place of no waiting job", w.Name).
			Note("it ranks running jobs against each other, which matters only where some may be preempted; remove " +
				"the line")
	}
}

// preempts finds the first QOS or class whose jobs have a flag; nil if there is none.
func preempts(p *rule.Pass, flag string) *ir.Attr {
	for _, kind := range []string{"QOSCFG", "CLASSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG"} {
		for _, r := range p.Records[kind] {
			for i := range r.Attrs {
				a := &r.Attrs[i]
				if (a.Name == "QFLAGS" || a.Name == "JOBFLAGS") && strings.Contains(a.Text, flag) {
					return a
				}
			}
		}
	}
	for i := range p.Globals() {
		if a := &p.Globals()[i]; a.Name == "QOSFLAGS" && strings.Contains(a.Text, flag) {
			return a
		}
	}
	return nil
}
