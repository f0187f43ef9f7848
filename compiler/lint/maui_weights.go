package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// mauiWeights are the rules about Maui's weights and caps.
var mauiWeights = []Rule{
	{"maui-weight-in-dead-component", deadComponents},
	{"maui-empty-component", emptyComponents},
	{"maui-xfactor-uncapped", uncappedXFactor},
	{"maui-xfactor-minimum", xfactorMinimum},
	{"maui-cap-after-weight", capsAfterWeight},
	{"maui-cap-in-points", capsInPoints},
	{"maui-size-cap-in-points", sizeCapsInPoints},
	{"maui-target-weight-unused", targetWeights},
	{"maui-queue-time-target", queueTimeTargets},
	{"maui-usage-weight", usageWeights},
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

func deadComponents(p *pass) {
	for _, c := range mauiComponents {
		if !p.maui() || p.number(c.weight) != 0 {
			continue
		}
		for _, term := range written(p.weighs(strings.Fields(c.terms))) {
			d := p.report(term.Set, "%s has no effect, because %s is 0", term.Name, c.weight)
			if p.isSet(c.weight) {
				d.NoteAt(p.at(c.weight), "it is set here")
			}
			d.Note("write %s 1, or remove the line", c.weight)
		}
	}
}

func emptyComponents(p *pass) {
	for _, c := range mauiComponents {
		terms := strings.Fields(c.terms)
		if !p.maui() || !p.isSet(c.weight) || p.number(c.weight) == 0 || len(p.weighs(terms)) > 0 || p.qosWeighs(c.weight) {
			continue
		}
		p.report(p.at(c.weight), "%s has no effect, because all weights in it are 0", c.weight).
			Note("set one of %s, or remove the line", strings.Join(terms, ", "))
	}
}

// qosWeighs reports a QOS that adds a weight of its own to a term of the service component.
func (p *pass) qosWeighs(component string) bool {
	if component != "SERVICEWEIGHT" {
		return false
	}
	return p.qosHas("QTWEIGHT", "QOSQTWEIGHT") || p.qosHas("XFWEIGHT", "QOSXFWEIGHT")
}

// qosHas reports a QOS with a number for an attribute, under either of its names.
func (p *pass) qosHas(attribute, old string) bool {
	for _, r := range p.records["QOSCFG"] {
		if r.Attr(attribute).Number() > 0 {
			return true
		}
	}
	if p.global != nil {
		for i := range p.global.Attrs {
			if a := &p.global.Attrs[i]; a.Name == old && a.Number() > 0 {
				return true
			}
		}
	}
	return false
}

func uncappedXFactor(p *pass) {
	if p.maui() && p.isSet("XFACTORWEIGHT") && p.number("XFACTORWEIGHT") > 0 && p.number("SERVICEWEIGHT") != 0 &&
		p.number("XFACTORCAP") <= 0 && p.number("SERVICEWCAP") <= 0 && !p.isSet("XFMINWCLIMIT") {
		p.report(p.at("XFACTORWEIGHT"), "the expansion factor has no bound").
			Note("it is the queue time over the job's limit, so that the shortest jobs soon outrank all others").
			Note("write XFACTORCAP 100, or another number of times that a job may have waited for its length")
	}
}

func xfactorMinimum(p *pass) {
	if p.maui() && p.isSet("XFMINWCLIMIT") && p.number("XFMINWCLIMIT") > 0 && p.number("XFACTORWEIGHT") != 0 {
		p.report(p.at("XFMINWCLIMIT"), "XFMINWCLIMIT counts for jobs with a QOS only, and below the fraction only").
			Note("a shorter job gets (queue time + its own limit) / XFMINWCLIMIT, which may be below 1")
	}
}

// capsAfterWeight looks at factors of which it is known how large they become: fairshare deltas are
// percentages, and credential priorities stand in the file. How many processors a job asks for, or how
// large its expansion factor becomes, is not known.
func capsAfterWeight(p *pass) {
	if !p.maui() {
		return
	}
	ratio := strings.HasSuffix(p.text("FSPOLICY"), "%")
	for _, cred := range []string{"USER", "GROUP", "ACCOUNT", "QOS", "CLASS"} {
		if reach := 100.0; !ratio {
			p.capWithin("FS"+cred, reach, "a fairshare delta is a percentage")
		}
		if reach := p.largestPriority(cred); reach > 0 {
			p.capWithin(cred, reach, "no priority in this file is larger than the cap divided by the weight")
		}
	}
	p.capWithin("SPVIOLATION", 1, "a job violates a soft policy or does not")
}

// capsInPoints: what such a cap amounts to is always true; that it is not meant is likely where weights are hundreds, and
// caps are multiples of them that hardly a job reaches.
// rawCap is a term whose factor hardly ever is as large as this.
type rawCap struct {
	term, unit string
	large      int64
}

func capsInPoints(p *pass) {
	p.largeCaps("for %d points at most write %sCAP %d", rawCap{"QUEUETIME", "minutes in the queue", 366 * 1440}, rawCap{"XFACTOR", "times the limit", 100000})
}

// sizeCapsInPoints is a question: how large the machine is stands in no maui.cfg.
func sizeCapsInPoints(p *pass) {
	p.largeCaps("if jobs are smaller here and %d points at most are meant, write %sCAP %d",
		rawCap{"NODE", "nodes", 1000}, rawCap{"PROC", "processors", 1000}, rawCap{"PE", "processor equivalents", 1000})
}

func (p *pass) largeCaps(advice string, list ...rawCap) {
	for _, c := range list {
		weight, most := int64(p.number(c.term+"WEIGHT")), int64(p.number(c.term+"CAP"))
		if p.maui() && weight >= 100 && most >= c.large && most%weight == 0 && p.isSet(c.term+"CAP") {
			p.report(p.at(c.term+"CAP"), "%sCAP is reached by jobs of %d %s", c.term, most, c.unit).
				Note("it applies before %sWEIGHT; "+advice, c.term, most, c.term, most/weight)
		}
	}
}

func (p *pass) capWithin(term string, reach float64, why string) {
	weight, limit := p.number(term+"WEIGHT"), p.number(term+"CAP")
	if weight > 1 && limit > reach && limit <= reach*weight {
		p.capReported(term, why)
	}
}

func (p *pass) capReported(term, why string) {
	weight, limit := p.param(term+"WEIGHT"), p.param(term+"CAP")
	if limit.Set.IsZero() {
		return
	}
	p.report(limit.Set, "%s is never reached: it applies before %s", limit.Name, weight.Name).
		Note("%s", why).
		Note("write %s %d to bound the weighted value at %s", limit.Name, int64(p.number(limit.Name)/p.number(weight.Name)), limit.Value.String())
}

// largestPriority is the largest PRIORITY of a kind of credential.
func (p *pass) largestPriority(cred string) float64 {
	largest := 0.0
	for _, r := range p.records[cred+"CFG"] {
		largest = max(largest, r.Attr("PRIORITY").Number())
	}
	return largest
}

func targetWeights(p *pass) {
	for _, t := range []struct{ weight, attribute, old string }{
		{"TARGETQUEUETIMEWEIGHT", "QTTARGET", "QOSTARGETQT"}, {"TARGETXFACTORWEIGHT", "XFTARGET", "QOSTARGETXF"},
	} {
		if p.maui() && p.isSet(t.weight) && p.number(t.weight) != 0 && !p.qosHas(t.attribute, t.old) {
			p.report(p.at(t.weight), "%s has no effect, because no QOS has a target", t.weight).
				Note("write QOSCFG[name] %s=…, or remove the line", t.attribute)
		}
	}
}

func queueTimeTargets(p *pass) {
	for _, r := range p.records["QOSCFG"] {
		a := r.Attr("QTTARGET")
		if a.Number() <= 0 {
			continue
		}
		if p.number("TARGETQUEUETIMEWEIGHT") == 0 || p.number("TARGETWEIGHT") == 0 {
			p.report(a.Span, "QTTARGET of QOS %s has no effect, because nothing weighs it", r.Name).
				Note("XFTARGET with TARGETXFACTORWEIGHT raises jobs as their target nears")
			continue
		}
		p.report(a.Span, "QTTARGET gives the jobs of QOS %s the same 100000000 from the start", r.Name).
			Note("whatever the target is; write XFTARGET with TARGETXFACTORWEIGHT to raise jobs as their target nears")
	}
}

func usageWeights(p *pass) {
	if !p.maui() || p.preempts("PREEMPTEE") != nil {
		return
	}
	for _, w := range written(p.weighs(strings.Fields(mauiComponents[5].terms))) {
		p.report(w.Set, "%s changes the place of no waiting job", w.Name).
			Note("it ranks running jobs against each other, which matters only where some may be preempted; remove the line")
	}
}

// preempts finds the first QOS or class whose jobs have a flag; nil if there is none.
func (p *pass) preempts(flag string) *ir.Attr {
	for _, kind := range []string{"QOSCFG", "CLASSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG"} {
		for _, r := range p.records[kind] {
			for i := range r.Attrs {
				a := &r.Attrs[i]
				if (a.Name == "QFLAGS" || a.Name == "JOBFLAGS") && strings.Contains(a.Text, flag) {
					return a
				}
			}
		}
	}
	for i := range p.globals() {
		if a := &p.globals()[i]; a.Name == "QOSFLAGS" && strings.Contains(a.Text, flag) {
			return a
		}
	}
	return nil
}

// globals are the settings of no object.
func (p *pass) globals() []ir.Attr {
	if p.global == nil {
		return nil
	}
	return p.global.Attrs
}
