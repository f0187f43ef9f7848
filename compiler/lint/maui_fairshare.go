package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
)

// mauiFairshare are the rules about Maui's fairshare.
var mauiFairshare = []Rule{
	{"maui-fairshare-without-policy", fairshareWithoutPolicy},
	{"maui-target-unused", unusedTargets},
	{"maui-absolute-cap", absoluteCaps},
	{"maui-short-window", shortWindows},
	{"maui-ratio-weights", ratioWeights},
}

var fairshareTerms = strings.Fields(mauiComponents[3].terms)

func fairshareWithoutPolicy(p *pass) {
	if !p.maui() || p.text("FSPOLICY") != "" {
		return
	}
	set := written(p.weighs(fairshareTerms))
	if len(set) == 0 {
		return
	}
	d := p.report(set[0].Set, "%s has no effect without FSPOLICY", set[0].Name).Note("no usage is counted; write FSPOLICY DEDICATEDPS")
	for _, other := range set[1:] {
		d.NoteAt(other.Set, "nor has %s", other.Name)
	}
}

// mauiFamilyTerms are the families of credentials with the terms that weigh their targets.
var mauiFamilyTerms = []struct{ family, object, term string }{
	{"USERCFG", "user", "FSUSERWEIGHT"}, {"GROUPCFG", "group", "FSGROUPWEIGHT"}, {"ACCOUNTCFG", "account", "FSACCOUNTWEIGHT"},
	{"QOSCFG", "QOS", "FSQOSWEIGHT"}, {"CLASSCFG", "class", "FSCLASSWEIGHT"},
}

func unusedTargets(p *pass) {
	for _, f := range mauiFamilyTerms {
		if p.number(f.term) != 0 && p.number("FSWEIGHT") != 0 {
			continue
		}
		var unused []*ir.Attr
		for _, r := range p.records[f.family] {
			if a := r.Attr("FSTARGET"); a != nil && a.Kind != "cap" && a.Kind != "relative_cap" && a.Number() != 0 {
				unused = append(unused, a)
			}
		}
		if len(unused) == 0 {
			continue
		}
		weight := f.term
		if p.number(f.term) != 0 {
			weight = "FSWEIGHT"
		}
		d := p.report(unused[0].Span, "the fairshare targets of %s have no effect, because %s is 0", several(len(unused), f.object), weight)
		if p.isSet(weight) {
			d.NoteAt(p.at(weight), "it is set here")
		}
		d.Note("write %s 1, or remove the targets", weight)
	}
}

// absoluteCaps: no cluster has used up as little as this in all its windows.
func absoluteCaps(p *pass) {
	for _, f := range mauiFamilyTerms {
		for _, r := range p.records[f.family] {
			if a := r.Attr("FSTARGET"); a != nil && a.Kind == "cap" && a.Number() > 0 && a.Number() <= 100 {
				p.report(a.Span, "FSTARGET=%s blocks %s %s after %g processor-seconds", a.Text, f.object, r.Name, a.Number()).
					Note("^ is an amount of usage; for a share of all usage write FSTARGET=%s%%", strings.TrimSuffix(a.Text, "^"))
			}
		}
	}
}

func shortWindows(p *pass) {
	if seconds := p.number("FSINTERVAL"); p.maui() && p.text("FSPOLICY") != "" && seconds > 0 && seconds < 3600 {
		p.report(p.at("FSINTERVAL"), "a fairshare window of %s is very short", duration(int64(seconds))).
			Note("%s: %s in all; a plain number is seconds, so write hours as 12:00:00", several(int(p.number("FSDEPTH")), "window"), duration(int64(seconds*p.number("FSDEPTH"))))
	}
}

func ratioWeights(p *pass) {
	if !p.maui() || !strings.HasSuffix(p.text("FSPOLICY"), "%") {
		return
	}
	for _, w := range written(p.weighs(fairshareTerms)) {
		if points := p.number(w.Name) * p.number("FSWEIGHT"); points > 0 && points < 100 {
			p.report(w.Set, "%s moves a job by %g points at most", w.Name, points).
				NoteAt(p.at("FSPOLICY"), "the %% makes fairshare values ratios of about 1, not percentages").
				Note("write a weight about a hundred times larger, or FSPOLICY %s", strings.TrimSuffix(p.text("FSPOLICY"), "%"))
		}
	}
}
