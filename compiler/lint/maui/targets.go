package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// targetsRules are the rules about weights without anything to weigh, and caps that nothing reaches.
var targetsRules = []rule.Rule{
	{Code: "maui-fairshare-without-target", Check: fairshareWithoutTargets},
	{Code: "maui-credential-weight-unused", Check: unusedCredentialWeights},
	{Code: "maui-xfactor-target-unused", Check: unusedXFactorTargets},
	{Code: "maui-cap-unused", Check: unusedCaps},
	{Code: "maui-cap-never-reached", Check: capsNeverReached},
	{Code: "maui-listed-twice", Check: listedTwice},
}

// fairshareWithoutTargets: without a target a credential's usage counts for nothing; caps only keep jobs from starting.
func fairshareWithoutTargets(p *rule.Pass) {
	if p.Text("FSPOLICY") == "" || p.Number("FSWEIGHT") == 0 || p.Facts.Partial {
		return
	}
	targeted := func(r *ir.Record) bool {
		a := r.Attr("FSTARGET")
		return a != nil && a.Kind != "cap" && a.Kind != "relative_cap" && a.Number() != 0
	}
	for _, f := range mauiFamilyTerms {
		if !p.IsSet(f.term) || p.Number(f.term) == 0 || slices.ContainsFunc(p.Records[f.family], targeted) {
			continue
		}
		p.Report(p.At(f.term), "%s has no effect, because no %s has a target", f.term, f.object).
			Note("write %s[name] FSTARGET=N, a percentage of all usage, or remove the line", f.family)
	}
}

// unusedCredentialWeights leaves classes out: their queues at the resource manager have priorities too.
func unusedCredentialWeights(p *rule.Pass) {
	if p.Number("CREDWEIGHT") == 0 || p.Facts.Partial {
		return
	}
	for _, f := range mauiPriorityTerms {
		has := func(r *ir.Record) bool { return r.Attr("PRIORITY").Number() != 0 }
		if !p.IsSet(f.term) || p.Number(f.term) == 0 || f.family == "CLASSCFG" ||
			slices.ContainsFunc(p.Records[f.family], has) ||
			f.family == "QOSCFG" && len(indexed(p, "QOSPRIORITY")) > 0 {
			continue
		}
		p.Report(p.At(f.term), "%s has no effect, because no %s has a priority", f.term, f.object).
			Note("write %s[name] PRIORITY=N, or remove the line", f.family)
	}
}

func unusedXFactorTargets(p *rule.Pass) {
	if p.Number("TARGETXFACTORWEIGHT") != 0 && p.Number("TARGETWEIGHT") != 0 {
		return
	}
	for _, r := range p.Records["QOSCFG"] {
		if a := r.Attr("XFTARGET"); a.Number() > 0 {
			weight := "TARGETXFACTORWEIGHT"
			if p.Number(weight) != 0 {
				weight = "TARGETWEIGHT"
			}
			p.Report(a.Span, "XFTARGET of QOS %s has no effect, because %s is 0", r.Name, weight).
				Note("write %s 1, or remove the target", weight)
			return
		}
	}
}

// componentCap is the name of a component's cap.
func componentCap(weight string) string {
	if weight == "SERVICEWEIGHT" {
		return "SERVICEWCAP"
	}
	return strings.TrimSuffix(weight, "WEIGHT") + "CAP"
}

func unusedCaps(p *rule.Pass) {
	for _, c := range mauiComponents {
		terms := strings.Fields(c.terms)
		dead := p.Number(c.weight) == 0
		if name := componentCap(c.weight); p.IsSet(name) && p.Number(name) > 0 &&
			(dead || len(p.Weighs(terms)) == 0 && !qosWeighs(p, c.weight)) {
			idleCap(p, name, "nothing in its component has a weight")
		}
		for _, term := range terms {
			name := strings.TrimSuffix(term, "WEIGHT") + "CAP"
			own := map[string]bool{"QUEUETIMEWEIGHT": qosHas(p, "QTWEIGHT", "QOSQTWEIGHT"),
				"XFACTORWEIGHT": qosHas(p, "XFWEIGHT", "QOSXFWEIGHT"),
				"CLASSWEIGHT":   groupWeighsClasses(p)}[term]
			switch {
			case !p.IsSet(name) || p.Number(name) <= 0:
			case dead:
				idleCap(p, name, c.weight+" is 0")
			case p.Number(term) == 0 && !own:
				idleCap(p, name, term+" is 0")
			}
		}
	}
}

func idleCap(p *rule.Pass, name, why string) {
	p.Report(p.At(name), "%s bounds nothing, because %s", name, why).Note("give it a weight, or remove the line")
}

// capsNeverReached knows how large some factors become: a fairshare delta is 100 at most, or 1 as a ratio, and the
// priorities of credentials are in the file. What a component adds up to is known where all its terms are.
func capsNeverReached(p *rule.Pass) {
	delta := 100.0
	if strings.HasSuffix(p.Text("FSPOLICY"), "%") {
		delta = 1
	}
	reach := map[string]float64{"SPVIOLATION": 1}
	for _, cred := range []string{"USER", "GROUP", "ACCOUNT", "QOS"} {
		reach["FS"+cred], reach[cred] = delta, largestPriority(p, cred)
	}
	reach["FSCLASS"] = delta
	if p.Facts.Partial || len(indexed(p, "QOSPRIORITY")) > 0 {
		return
	}
	for term, most := range reach {
		weight, limit := p.Number(term+"WEIGHT"), p.Number(term+"CAP")
		after := weight > 1 && limit > most && limit <= most*weight // another rule's
		if weight > 0 && most > 0 && limit >= most && !after && p.IsSet(term+"CAP") {
			p.Report(p.At(term+"CAP"), "%sCAP bounds nothing: no factor of it is above %g", term, most).
				Note("it applies before %sWEIGHT; write a number below %g, or remove the line", term, most)
		}
	}
	for _, c := range mauiComponents[2:4] { // credentials and fairshare
		sum, known := 0.0, true
		for _, term := range strings.Fields(c.terms) {
			name := strings.TrimSuffix(term, "WEIGHT")
			most, ok := reach[name]
			if n := p.Number(term); n != 0 {
				known = known && ok && n > 0
				if limit := p.Number(name + "CAP"); limit > 0 {
					most = min(most, limit)
				}
				sum += n * most
			}
		}
		if name := componentCap(c.weight); known && sum > 0 && p.IsSet(name) && p.Number(name) >= sum {
			p.Report(p.At(name), "%s bounds nothing: the terms in it add up to %g at most", name, sum).
				Note("it applies before %s; write a number below %g, or remove the line", c.weight, sum)
		}
	}
}

func listedTwice(p *rule.Pass) {
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		for k := range r.Attrs {
			a := &r.Attrs[k]
			switch a.Name {
			case "QLIST", "PLIST", "RESERVATIONQOSLIST", "CLASSLIST", "USERLIST", "GROUPLIST", "ACCOUNTLIST", "QOSLIST":
			default:
				continue
			}
			var seen []string
			for _, word := range strings.FieldsFunc(strings.Join(append([]string{a.Value.Str}, a.Value.List...), ","),
				func(c rune) bool { return strings.ContainsRune(",:; ", c) }) {
				if slices.Contains(seen, word) {
					p.Report(a.Span, "%s is in %s twice", word, a.Name).Note("once is enough; is another name meant?")
					break
				}
				seen = append(seen, word)
			}
		}
	}
}
