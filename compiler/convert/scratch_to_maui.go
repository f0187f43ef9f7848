package convert

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// scratchToMaui writes a policy that uses no library. Its blocks have Maui's words for credentials, limits,
// targets, windows and backfill; what they come to is read again, and what does not mean the same is not said.
func (w *mauiWriter) scratchToMaui(opt lower.Options) {
	w.say("SERVERHOST", "head")
	w.say("QUEUETIMEWEIGHT", 0) // which Maui has as 1 where nobody says so
	w.mauiTerms()
	w.mauiWindows()
	if !w.policy.Finish.Floor.IsSet() {
		w.belowOne()
	}
	w.columns(
		&ir.Policy{},
		func(column schema.ColumnID) bool { // Maui adds the weights of a QOS whatever the formula says
			return column != "qos.queue_time_weight" && column != "qos.xfactor_weight" && !w.effects.idle(column)
		},
	)
	for _, l := range stricter(w.policy.Limits) {
		w.mauiLimit(l)
	}
	w.targets(&ir.Policy{})
	w.backfill()
	w.askedQOS()
	w.readAgain(opt)
}

// mauiWindows writes the settings of usage in windows.
func (w *mauiWriter) mauiWindows() {
	f := w.windows()
	if f == nil {
		return
	}
	for _, s := range f.Settings {
		if name, text := lower.MauiWindows(f, s); name != "" {
			w.say(name, text, s.Span)
		}
	}
	w.exact(f.Setting("ratio").Span)
}

// readAgain takes back what the written files do not mean: a row, a limit or a target that Maui has otherwise.
func (w *mauiWriter) readAgain(opt lower.Options) {
	after := w.reread(opt)
	type place struct {
		kind, name, attribute, source string
		span                          source.Span
	}
	each := func(base *ir.Policy, visit func(p place)) {
		newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
			attribute := lower.MauiAttribute(column)
			if attribute != "" && !(attribute == "PRIORITY" && r.Value.Number() == 0 && !w.othersHave(column)) {
				visit(place{lower.MauiFamily(column.Object()), r.Name, attribute, r.Source, r.Span})
			}
		})
		newLimits(w.policy, base, func(l *ir.Limit) {
			attribute, _, _ := lower.MauiLimit(l)
			visit(place{lower.MauiFamily(l.Object), l.Row, attribute, l.Source, l.Span})
		})
		for _, t := range newTargets(w.policy, base) {
			visit(place{lower.MauiFamily(t.Object), t.Name, "FSTARGET", t.Source, t.Span})
		}
	}
	said := map[source.Span]int{} // of for_each there may be several
	each(&ir.Policy{}, func(p place) { said[p.span]++ })
	each(after, func(p place) {
		w.miss(p.source, p.span)
		w.drop(p.kind, p.name, setting{name: p.attribute, span: p.span})
		if said[p.span]--; said[p.span] == 0 {
			delete(w.taken, p.span)
		}
	})
}

// othersHave reports a value for all names without one of their own.
func (w *mauiWriter) othersHave(column schema.ColumnID) bool {
	return slices.ContainsFunc(w.policy.Tables, func(t ir.Table) bool { return t.Column == column && t.Others != nil })
}
