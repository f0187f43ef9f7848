package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/diag"
)

// mauiCredentials are the rules about the priorities, QOS and flags of Maui's credentials.
var mauiCredentials = []Rule{
	{"maui-negative-priority", negativePriorities},
	{"maui-priority-unused", unusedPriorities},
	{"maui-undefined-qos", undefinedQOS},
	{"maui-preemption-half", halfPreemption},
}

// mauiPriorityTerms are the families with the weights of their priorities.
var mauiPriorityTerms = []struct{ family, object, term string }{
	{"USERCFG", "user", "USERWEIGHT"}, {"GROUPCFG", "group", "GROUPWEIGHT"}, {"ACCOUNTCFG", "account", "ACCOUNTWEIGHT"},
	{"QOSCFG", "QOS", "QOSWEIGHT"}, {"CLASSCFG", "class", "CLASSWEIGHT"},
}

func negativePriorities(p *pass) {
	if p.number("REJECTNEGPRIOJOBS") == 0 || p.number("CREDWEIGHT") == 0 {
		return
	}
	for _, f := range mauiPriorityTerms {
		for _, r := range p.records[f.family] {
			if a := r.Attr("PRIORITY"); a.Number() < 0 && p.number(f.term) != 0 {
				p.report(a.Span, "jobs of %s %s may never start", f.object, r.Name).
					NoteAt(p.at("REJECTNEGPRIOJOBS"), "a job whose priority falls below 1 is rejected").
					Note("write REJECTNEGPRIOJOBS FALSE, or a priority from 0")
			}
		}
	}
}

func unusedPriorities(p *pass) {
	for _, f := range mauiPriorityTerms {
		if p.number(f.term) != 0 {
			continue // a dead component is another rule's
		}
		var unused []*ir.Attr
		for _, r := range p.records[f.family] {
			if a := r.Attr("PRIORITY"); a.Number() != 0 {
				unused = append(unused, a)
			}
		}
		if f.family == "QOSCFG" {
			unused = append(unused, p.indexed("QOSPRIORITY")...)
		}
		if len(unused) == 0 || f.family == "CLASSCFG" && p.groupWeighsClasses() {
			continue
		}
		d := p.report(unused[0].Span, "the priorities of %s have no effect, because %s is 0", several(len(unused), f.object), f.term)
		if p.isSet(f.term) {
			d.NoteAt(p.at(f.term), "it is set here")
		}
		d.Note("write %s 1, or remove the priorities", f.term)
	}
}

// groupWeighsClasses reports a policy file's group with a weight for classes of its own.
func (p *pass) groupWeighsClasses() bool {
	t := p.table("group.class_weight")
	return t != nil && slices.ContainsFunc(t.Rows, func(r ir.TableRow) bool { return r.Value.Int > 0 })
}

// indexed are the settings of an old-style parameter that has a QOS for an index.
func (p *pass) indexed(name string) (list []*ir.Attr) {
	for i := range p.globals() {
		if a := &p.globals()[i]; a.Name == name && a.Index != "" && a.Number() != 0 {
			list = append(list, a)
		}
	}
	return list
}

func undefinedQOS(p *pass) {
	if !p.maui() || p.Facts.Partial {
		return
	}
	defined := []string{"DEFAULT", "ALL", "[ALL]", "NONE", "[NONE]", "#"}
	known := p.namesOf("QOSCFG")
	for _, a := range p.globals() {
		if strings.HasPrefix(a.Name, "QOS") && a.Index != "" {
			known = append(known, a.Index)
		}
	}
	defined = append(defined, known...)
	for _, u := range p.qosMentions() {
		for _, name := range u.names {
			if name = strings.TrimRight(name, "&^"); name == "" || slices.Contains(defined, name) {
				continue
			}
			d := p.report(u.attr.Span, "QOS %s has no QOSCFG line", name).Note("Maui makes an empty one; write QOSCFG[%s], or correct the name", name)
			if near := diag.Nearest(name, known); near != "" {
				d.Note("did you mean %q?", near)
			}
			defined = append(defined, name) // once is enough
		}
	}
}

type mention struct {
	attr  *ir.Attr
	names []string
}

// qosMentions lists where QOS are named: default and allowed ones of credentials, and those of
// reservation buckets.
func (p *pass) qosMentions() (list []mention) {
	for i := range p.Facts.Records {
		r := &p.Facts.Records[i]
		for k := range r.Attrs {
			switch a := &r.Attrs[k]; a.Name {
			case "QDEF", "QLIST", "RESERVATIONQOSLIST", "QOSLIST":
				list = append(list, mention{a, strings.FieldsFunc(strings.Join(append([]string{a.Value.Str}, a.Value.List...), ","), func(c rune) bool { return strings.ContainsRune(",:; ", c) })})
			}
		}
	}
	return list
}

func halfPreemption(p *pass) {
	if !p.maui() {
		return
	}
	victim, taker := p.preempts("PREEMPTEE"), p.preempts("PREEMPTOR")
	switch {
	case victim != nil && taker == nil:
		p.report(victim.Span, "nothing preempts these jobs: no QOS or class has PREEMPTOR").Note("add QFLAGS=PREEMPTOR to a QOS, or remove the flag")
	case taker != nil && victim == nil:
		p.report(taker.Span, "there is nothing to preempt: no QOS or class has PREEMPTEE").Note("add QFLAGS=PREEMPTEE to a QOS, or remove the flag")
	}
}
