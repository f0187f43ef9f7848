package mauicfg

import (
	"strings"

	"github.com/fairway-sched/fairway/stdlib"
)

// knownAttribute finds the table row of an attribute, or says why Maui skips it.
func (e *evaluator) knownAttribute(family string, st *statement, name word) (stdlib.Param, bool) {
	v := vocab()
	text := name.text
	if e.opt.CaseInsensitive {
		text = strings.ToUpper(text)
	}
	row, ok := v.attrs[family][text]
	if !ok {
		e.unknownAttribute(family, st, name)
		return row, false
	}
	skip := func(code, note string, format string, args ...any) (stdlib.Param, bool) {
		e.ignore(code, st, &name, name.span, format, args...).Note("%s", note)
		return row, false
	}
	switch row.Effective {
	case "documented-only":
		if e.opt.ManualNames {
			if now, ok := v.attrs[family][row.ReplacedBy]; ok {
				return now, true
			}
			return skip("maui-not-modelled", attrWhy(row), "%s %s is documented, but Fairway does not compute it",
				family, text)
		}
		d := e.ignore("maui-documented-attribute", st, &name, name.span,
			"%s %s is in the manual alone, Maui skips it", family, text)
		if row.ReplacedBy != "" {
			d.Note("the name that works is %s", row.ReplacedBy).Suggest(name.span, row.ReplacedBy)
		} else {
			d.Note("%s", why(row))
		}
		return row, false
	case "no-storage":
		return skip("maui-no-storage", "override limits exist on QOSCFG only", "%s has no place for %s, Maui drops it",
			family, text)
	case "ignored", "name-only", "not-configurable", "never-loaded":
		return skip("maui-ignored-attribute", attrWhy(row),
			"%s of %s is a known name, but Maui has no code that sets it", text, family)
	case "broken":
		return skip("maui-no-effect", attrWhy(row), "%s %s has no effect", family, text)
	}
	return row, true
}

// attrWhy is the table's own explanation of an attribute row.
func attrWhy(row stdlib.Param) string {
	if row.Notes != "" {
		return row.Notes
	}
	return "remove it"
}

// unknownAttribute tells apart the names of Moab, names in the wrong case and
// plain mistakes: each has another remedy.
func (e *evaluator) unknownAttribute(family string, st *statement, name word) {
	v := vocab()
	if v.moab[family+"."+name.text] {
		e.moabName(e.ignore("maui-moab-name", st, &name, name.span, "%s is an attribute of Moab, Maui skips it",
			name.text).
			Note("remove it if the file is for Maui"))
		return
	}
	if upper := strings.ToUpper(name.text); upper != name.text {
		if _, ok := v.attrs[family][upper]; ok {
			e.ignore("maui-wrong-case", st, &name, name.span, "%s must be written in capitals, Maui skips it",
				name.text).
				Note("attributes are case-sensitive, whatever the manual says").
				Suggest(name.span, upper)
			return
		}
	}
	d := e.ignore("maui-unknown-attribute", st, &name, name.span, "unknown attribute %s of %s, Maui skips it",
		name.text, family)
	if d.DidYouMean(name.span, name.text, v.attrNames[family]); d != nil && d.Fix == nil {
		d.Note("no attribute of %s has this name; remove it or correct the name", family)
	}
}

// attributeEffect says so when an attribute is stored but changes nothing.
func (e *evaluator) attributeEffect(o *Object, st *statement, row stdlib.Param, name word) {
	switch {
	case e.opt.MemoryLimits && (strings.HasSuffix(row.Name, "MEM") || row.Name == "MINPROC"),
		e.opt.CrossLimits && strings.HasSuffix(row.Name, "PERUSER"),
		e.opt.IdleDefaults && row.Effective == "own-entry-only":
		return // as the manual has it
	}
	switch row.Effective {
	case "stored-not-enforced", "stored-unused", "not-implemented":
		e.diags.Warnf("maui-not-enforced", name.span, "%s of %s is stored, but Maui does not enforce it", row.Name,
			o.Family).
			Note("remove it, or use a limit that works")
	case "own-entry-only":
		if o.Index == "DEFAULT" {
			e.diags.Warnf("maui-default-idle-limit", name.span, "%s[DEFAULT] %s reaches no other object", o.Family,
				row.Name).
				Note("write it for each object, or on USERCFG[DEFAULT], where it works")
		}
	}
}
