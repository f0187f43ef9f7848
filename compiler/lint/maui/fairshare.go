package maui

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
)

// fairshareRules are the rules about Maui's fairshare.
var fairshareRules = []rule.Rule{
	{Code: "maui-fairshare-without-policy", Check: fairshareWithoutPolicy},
	{Code: "maui-target-unused", Check: unusedTargets},
	{Code: "maui-absolute-cap", Check: absoluteCaps},
	{Code: "maui-short-window", Check: shortWindows},
	{Code: "maui-ratio-weights", Check: ratioWeights},
}

var fairshareTerms = strings.Fields(mauiComponents[3].terms)

func fairshareWithoutPolicy(p *rule.Pass) {
	if p.Text("FSPOLICY") != "" {
		return
	}
	set := rule.Written(p.Weighs(fairshareTerms))
	if len(set) == 0 {
		return
	}
	d := p.Report(set[0].Set, "%s has no effect without FSPOLICY", set[0].Name).
		Note("no usage is counted; write FSPOLICY DEDICATEDPS")
	for _, other := range set[1:] {
		d.NoteAt(other.Set, "nor has %s", other.Name)
	}
}

// mauiFamilyTerms are the families of credentials with the terms that weigh their targets.
var mauiFamilyTerms = []struct{ family, object, term string }{
	{
		"USERCFG",
		"user",
		"FSUSERWEIGHT",
	},
	{"GROUPCFG", "group", "FSGROUPWEIGHT"},
	{"ACCOUNTCFG", "account", "FSACCOUNTWEIGHT"},
	{"QOSCFG", "QOS", "FSQOSWEIGHT"},
	{"CLASSCFG", "class", "FSCLASSWEIGHT"},
}

func unusedTargets(p *rule.Pass) {
	for _, f := range mauiFamilyTerms {
		if p.Number(f.term) != 0 && p.Number("FSWEIGHT") != 0 {
			continue
		}
		var unused []*ir.Attr
		for _, r := range p.Records[f.family] {
			if a := r.Attr("FSTARGET"); a != nil && a.Kind != "cap" && a.Kind != "relative_cap" && a.Number() != 0 {
				unused = append(unused, a)
			}
		}
		if len(unused) == 0 {
			continue
		}
		weight := f.term
		if p.Number(f.term) != 0 {
			weight = "FSWEIGHT"
		}
		d := p.Report(unused[0].Span, "the fairshare targets of %s have no effect, because %s is 0",
			rule.Several(len(unused), f.object), weight)
		if p.IsSet(weight) {
			d.NoteAt(p.At(weight), "it is set here")
		}
		d.Note("write %s 1, or remove the targets", weight)
	}
}

// absoluteCaps: no cluster has used up as little as this in all its windows.
func absoluteCaps(p *rule.Pass) {
	for _, f := range mauiFamilyTerms {
		for _, r := range p.Records[f.family] {
			if a := r.Attr("FSTARGET"); a != nil && a.Kind == "cap" && a.Number() > 0 && a.Number() <= 100 {
				p.Report(a.Span, "FSTARGET=%s blocks %s %s after %g processor-seconds", a.Text, f.object, r.Name,
					a.Number()).
					Note("^ is an amount of usage; for a share of all usage write FSTARGET=%s%%",
						strings.TrimSuffix(a.Text, "^"))
			}
		}
	}
}

func shortWindows(p *rule.Pass) {
	if seconds := p.Number("FSINTERVAL"); p.Text("FSPOLICY") != "" && seconds > 0 && seconds < 3600 {
		p.Report(p.At("FSINTERVAL"), "a fairshare window of %s is very short", rule.Duration(int64(seconds))).
			Note("%s: %s in all; a plain number is seconds, so write hours as 12:00:00",
				rule.Several(int(p.Number("FSDEPTH")), "window"), rule.Duration(int64(seconds*p.Number("FSDEPTH"))))
	}
}

func ratioWeights(p *rule.Pass) {
	if !strings.HasSuffix(p.Text("FSPOLICY"), "%") {
		return
	}
	for _, w := range rule.Written(p.Weighs(fairshareTerms)) {
		if points := p.Number(w.Name) * p.Number("FSWEIGHT"); points > 0 && points < 100 {
			p.Report(w.Set, "%s moves a job by %g points at most", w.Name, points).
				NoteAt(p.At("FSPOLICY"), "the %% makes fairshare values ratios of about 1, not percentages").
				Note("write a weight about a hundred times larger, or FSPOLICY %s",
					strings.TrimSuffix(p.Text("FSPOLICY"), "%"))
		}
	}
}
