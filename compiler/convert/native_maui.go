package convert

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
)

// nativeMaui adds what blocks of policy files say to Maui's own words.
func nativeMaui(of *writer, base *ir.Policy) {
	w := newMauiWriter(of)
	w.columns(base, func(schema.ColumnID) bool { return true })
	newLimits(w.policy, base, func(l *ir.Limit) { w.mauiLimit(l) })
	w.targets(base)
	w.backfill()
}

// columns writes what credentials have beyond a base.
func (w *mauiWriter) columns(base *ir.Policy, counts func(column schema.ColumnID) bool) {
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		family, attribute := lower.MauiFamily(column.Object()), lower.MauiAttribute(column)
		if text := valueText(r.Value); counts(column) && family != "" && attribute != "" && text != "" {
			w.setIn(family, r.Name, setting{attribute, text, r.Span})
		}
	})
}

// targets writes those of fairshare beyond a base.
func (w *mauiWriter) targets(base *ir.Policy) {
	for _, t := range newTargets(w.policy, base) {
		if family := lower.MauiFamily(t.Object); family != "" {
			w.setIn(family, t.Name, setting{"FSTARGET", lower.MauiTarget(t), t.Span})
		}
	}
}

// backfill writes a backfill block as the parameters that the planner takes for the same.
func (w *mauiWriter) backfill() {
	for _, s := range w.policy.Backfill {
		param, ok := match.Backfill(s.Name)
		text := strings.ToUpper(strings.ReplaceAll(valueText(s.Value), "_", ""))
		depth := s.Value.Type == schema.Int && s.Value.Int >= 0 && s.Value.Int <= 1000
		if !ok || s.Name == "reservation_depth" && !depth {
			continue
		}
		w.setParam(param, text, s.Span)
		if w.same == nil {
			w.same = map[string]bool{}
		}
		w.same[s.Name], w.same[param], w.same[param+"[0]"] = true, true, true
		w.exact(s.Span)
		w.diags.Infof("convert-approximated", s.Span, "%s of the backfill block becomes %s %s", s.Name, param, text).
			Note("plans of the policy are the same; Maui's own scheduler also goes by further parameters")
	}
}

// mauiLimit writes a limit if Maui has it.
func (w *mauiWriter) mauiLimit(l *ir.Limit) {
	name, value, ok := lower.MauiLimit(l)
	switch {
	case !ok:
	case l.Object == "":
		w.say(name, value, l.Span)
	default:
		w.setIn(lower.MauiFamily(l.Object), l.Row, setting{name, value, l.Span})
	}
}

// setIn gives a record of maui.cfg a setting. A record that is not there yet comes last.
func (w *mauiWriter) setIn(kind, name string, s setting) {
	if w.foreign() && !(mauiCanName(name) && mauiWord(s.text) && (kind != "QOSCFG" || mauiCanList(name))) {
		w.collided[s.span] = true
		w.because(s.span, mauiNames)
		return
	}
	for i := range w.records {
		if r := &w.records[i]; r.kind == kind && sameName(kind, r.name, name) && r.value == nil {
			if w.collides(r, s, s.text) {
				return
			}
			w.exact(s.span)
			r.change(s)
			return
		}
	}
	w.exact(s.span)
	w.records = append(w.records, record{kind: kind, name: name, settings: []setting{s}, span: s.span})
}

// mauiNames is what mauiCanName and mauiCanList ask.
const mauiNames = "names in maui.cfg are up to 63 characters of ASCII without blanks, brackets, quotes, =, # and " +
	"\\, those of QOS without comma, colon, ^ and & too; give it another name first"

// mauiWord reports text that Maui reads as it is written: all outside printable ASCII is a blank to it.
func mauiWord(text string) bool {
	return !strings.ContainsFunc(text,
		func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("[]#\"'\\=", r) })
}

// mauiCanName reports a name that may stand in brackets.
func mauiCanName(name string) bool { return len(name) <= maxList && mauiWord(name) }

// mauiCanList reports a QOS that a list of Maui's can have.
func mauiCanList(name string) bool {
	return name != "" && mauiCanName(name) && !strings.ContainsAny(name, ",:") && strings.TrimRight(name, "^&") == name
}
