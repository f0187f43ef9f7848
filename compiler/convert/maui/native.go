package maui

import (
	"strings"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/convert/match"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
)

// nativeMaui adds what blocks of policy files say to Maui's own words.
func Native(of *draft.Writer, base *ir.Policy) {
	w := newWriter(of)
	w.columns(base, func(schema.ColumnID) bool { return true })
	draft.NewLimits(w.Policy, base, func(l *ir.Limit) { w.limit(l) })
	w.targets(base)
	w.backfill()
}

// columns writes what credentials have beyond a base.
func (w *writer) columns(base *ir.Policy, counts func(column schema.ColumnID) bool) {
	draft.NewRows(w.Policy, base, func(column schema.ColumnID, r ir.TableRow) {
		family, attribute := lower.MauiFamily(column.Object()), lower.MauiAttribute(column)
		if text := draft.ValueText(r.Value); counts(column) && family != "" && attribute != "" && text != "" {
			w.setIn(family, r.Name, draft.Set(attribute, text, r.Span))
		}
	})
}

// targets writes those of fairshare beyond a base.
func (w *writer) targets(base *ir.Policy) {
	for _, t := range draft.NewTargets(w.Policy, base) {
		if family := lower.MauiFamily(t.Object); family != "" {
			w.setIn(family, t.Name, draft.Set("FSTARGET", lower.MauiTarget(t), t.Span))
		}
	}
}

// backfill writes a backfill block as the parameters that the planner takes for the same.
func (w *writer) backfill() {
	for _, s := range w.Policy.Backfill {
		param, ok := match.Backfill(s.Name)
		text := strings.ToUpper(strings.ReplaceAll(draft.ValueText(s.Value), "_", ""))
		depth := s.Value.Type == schema.Int && s.Value.Int >= 0 && s.Value.Int <= 1000
		if !ok || s.Name == "reservation_depth" && !depth {
			continue
		}
		w.SetParam(param, text, s.Span)
		if w.Same == nil {
			w.Same = map[string]bool{}
		}
		w.Same[s.Name], w.Same[param], w.Same[param+"[0]"] = true, true, true
		w.Exact(s.Span)
		w.Diags.Infof("convert-approximated", s.Span, "%s of the backfill block becomes %s %s", s.Name, param, text).
			Note("plans of the policy are the same; Maui's own scheduler also goes by further parameters")
	}
}

// limit writes a limit if Maui has it.
func (w *writer) limit(l *ir.Limit) {
	name, value, ok := lower.MauiLimit(l)
	switch {
	case !ok:
	case l.Object == "":
		w.Say(name, value, l.Span)
	default:
		w.setIn(lower.MauiFamily(l.Object), l.Row, draft.Set(name, value, l.Span))
	}
}

// setIn gives a record of maui.cfg a setting. A record that is not there yet comes last.
func (w *writer) setIn(kind, name string, s draft.Setting) {
	if w.Foreign() && !(canName(name) && isWord(s.Text) && (kind != "QOSCFG" || canList(name))) {
		w.Collided[s.Span] = true
		w.Because(s.Span, noName)
		return
	}
	for i := range w.Records {
		if r := &w.Records[i]; r.Kind == kind && draft.SameName(kind, r.Name, name) && r.Value == nil {
			if w.Collides(r, s, s.Text) {
				return
			}
			w.Exact(s.Span)
			r.Change(s)
			return
		}
	}
	w.Exact(s.Span)
	w.Records = append(w.Records, draft.Record{Kind: kind, Name: name, Settings: []draft.Setting{s}, Span: s.Span})
}

// noName is what canName and canList ask.
const noName = "names in maui.cfg are up to 63 characters of ASCII without blanks, brackets, quotes, =, # and " +
	"\\, those of QOS without comma, colon, ^ and & too; give it another name first"

// isWord reports text that Maui reads as it is written: all outside printable ASCII is a blank to it.
func isWord(text string) bool {
	return !strings.ContainsFunc(text,
		func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("[]#\"'\\=", r) })
}

// canName reports a name that is allowed in brackets.
func canName(name string) bool { return len(name) <= maxList && isWord(name) }

// canList reports a QOS that a list of Maui's can have.
func canList(name string) bool {
	return name != "" && canName(name) && !strings.ContainsAny(name, ",:") && strings.TrimRight(name, "^&") == name
}
