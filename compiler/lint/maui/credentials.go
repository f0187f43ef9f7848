package maui

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lint/rule"
	"github.com/fairway-sched/fairway/lang/diag"
)

// credentialsRules are the rules about the priorities, QOS and flags of Maui's credentials.
var credentialsRules = []rule.Rule{
	{Code: "maui-negative-priority", Check: negativePriorities},
	{Code: "maui-priority-unused", Check: unusedPriorities},
	{Code: "maui-undefined-qos", Check: undefinedQOS},
	{Code: "maui-preemption-half", Check: halfPreemption},
}

// mauiPriorityTerms are the families with the weights of their priorities.
var mauiPriorityTerms = []struct{ family, object, term string }{
	{"USERCFG", "user", "USERWEIGHT"}, {"GROUPCFG", "group", "GROUPWEIGHT"}, {"ACCOUNTCFG", "account", "ACCOUNTWEIGHT"},
	{"QOSCFG", "QOS", "QOSWEIGHT"}, {"CLASSCFG", "class", "CLASSWEIGHT"},
}

func negativePriorities(p *rule.Pass) {
	if p.Number("REJECTNEGPRIOJOBS") == 0 || p.Number("CREDWEIGHT") == 0 {
		return
	}
	for _, f := range mauiPriorityTerms {
		for _, r := range p.Records[f.family] {
			if a := r.Attr("PRIORITY"); a.Number() < 0 && p.Number(f.term) != 0 {
				p.Report(a.Span, "jobs of %s %s may never start", f.object, r.Name).
					NoteAt(p.At("REJECTNEGPRIOJOBS"), "a job whose priority falls below 1 is rejected").
					Note("write REJECTNEGPRIOJOBS FALSE, or a priority from 0")
			}
		}
	}
}

func unusedPriorities(p *rule.Pass) {
	for _, f := range mauiPriorityTerms {
		if p.Number(f.term) != 0 {
			continue // a dead component is another rule's
		}
		var unused []*ir.Attr
		for _, r := range p.Records[f.family] {
			if a := r.Attr("PRIORITY"); a.Number() != 0 {
				unused = append(unused, a)
			}
		}
		if f.family == "QOSCFG" {
			unused = append(unused, indexed(p, "QOSPRIORITY")...)
		}
		if len(unused) == 0 || f.family == "CLASSCFG" && groupWeighsClasses(p) {
			continue
		}
		d := p.Report(unused[0].Span, "the priorities of %s have no effect, because %s is 0",
			rule.Several(len(unused), f.object), f.term)
		if p.IsSet(f.term) {
			d.NoteAt(p.At(f.term), "it is set here")
		}
		d.Note("write %s 1, or remove the priorities", f.term)
	}
}

// groupWeighsClasses reports a policy file's group with a weight for classes of its own.
func groupWeighsClasses(p *rule.Pass) bool {
	t := p.Table("group.class_weight")
	return t != nil && slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return r.Value.Int > 0 })
}

// indexed are the settings of an old-style parameter that has a QOS for an index.
func indexed(p *rule.Pass, name string) (list []*ir.Attr) {
	for i := range p.Globals() {
		if a := &p.Globals()[i]; a.Name == name && a.Index != "" && a.Number() != 0 {
			list = append(list, a)
		}
	}
	return list
}

func undefinedQOS(p *rule.Pass) {
	if p.Facts.Partial {
		return
	}
	defined := []string{"DEFAULT", "ALL", "[ALL]", "NONE", "[NONE]", "#"}
	known := p.NamesOf("QOSCFG")
	for _, a := range p.Globals() {
		if strings.HasPrefix(a.Name, "QOS") && a.Index != "" {
			known = append(known, a.Index)
		}
	}
	defined = append(defined, known...)
	for _, u := range QOSMentions(p) {
		for _, name := range u.Names {
			if name = strings.TrimRight(name, "&^"); name == "" || slices.Contains(defined, name) {
				continue
			}
			d := p.Report(u.Attr.Span, "QOS %s has no QOSCFG line", name).
				Note("Maui makes an empty one; write QOSCFG[%s], or correct the name", name)
			if near := diag.Nearest(name, known); near != "" {
				d.Note("did you mean %q?", near)
			}
			defined = append(defined, name) // once is enough
		}
	}
}

// Mention is an attribute that names QOS.
type Mention struct {
	Attr  *ir.Attr
	Names []string
}

// QOSMentions lists where QOS are named: default and allowed ones of credentials, and those of
// reservation buckets.
func QOSMentions(p *rule.Pass) (list []Mention) {
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		for k := range r.Attrs {
			switch a := &r.Attrs[k]; a.Name {
			case "QDEF", "QLIST", "RESERVATIONQOSLIST", "QOSLIST":
				words := strings.FieldsFunc(strings.Join(append([]string{a.Value.Str}, a.Value.List...), ","),
					func(c rune) bool { return strings.ContainsRune(",:; ", c) })
				list = append(list, Mention{a, words})
			}
		}
	}
	return list
}

func halfPreemption(p *rule.Pass) {
	victim, taker := preempts(p, "PREEMPTEE"), preempts(p, "PREEMPTOR")
	switch {
	case victim != nil && taker == nil:
		p.Report(victim.Span, "nothing preempts these jobs: no QOS or class has PREEMPTOR").
			Note("add QFLAGS=PREEMPTOR to a QOS, or remove the flag")
	case taker != nil && victim == nil:
		p.Report(taker.Span, "there is nothing to preempt: no QOS or class has PREEMPTEE").
			Note("add QFLAGS=PREEMPTEE to a QOS, or remove the flag")
	}
}
