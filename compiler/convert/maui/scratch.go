package maui

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/convert/draft"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// scratchToMaui writes a policy that uses no library. Its blocks have Maui's words for credentials, limits,
// targets, windows and backfill; what they come to is read again, and what does not mean the same is not expressed.
func (w *writer) scratchToMaui(opt lower.Options) {
	w.Say("SERVERHOST", "head")
	w.Say("QUEUETIMEWEIGHT", 0) // which Maui has as 1 where no input says so
	w.terms()
	w.writeWindows()
	if !w.Policy.Finish.Floor.IsSet() {
		w.belowOne()
	}
	w.columns(
		&ir.Policy{},
		func(column schema.ColumnID) bool { // Maui adds the weights of a QOS whatever the formula says
			return column != "qos.queue_time_weight" && column != "qos.xfactor_weight" && !w.Effects.Idle(column)
		},
	)
	for _, l := range draft.Stricter(w.Policy.Limits) {
		w.limit(l)
	}
	w.targets(&ir.Policy{})
	w.backfill()
	w.askedQOS()
	w.readAgain(opt)
}

// writeWindows writes the settings of usage in windows.
func (w *writer) writeWindows() {
	f := w.Windows()
	if f == nil {
		return
	}
	for _, s := range f.Settings {
		if name, text := lower.MauiWindows(f, s); name != "" {
			w.Say(name, text, s.Span)
		}
	}
	w.Exact(f.Setting("ratio").Span)
}

// readAgain takes back what the written files do not mean: a row, a limit or a target that Maui has otherwise.
func (w *writer) readAgain(opt lower.Options) {
	after := w.Reread(opt)
	type place struct {
		kind, name, attribute, source string
		span                          source.Span
	}
	each := func(base *ir.Policy, visit func(p place)) {
		draft.NewRows(w.Policy, base, func(column schema.ColumnID, r ir.TableRow) {
			attribute := lower.MauiAttribute(column)
			if attribute != "" && !(attribute == "PRIORITY" && r.Value.Number() == 0 && !w.othersHave(column)) {
				visit(place{lower.MauiFamily(column.Object()), r.Name, attribute, r.Source, r.Span})
			}
		})
		draft.NewLimits(w.Policy, base, func(l *ir.Limit) {
			attribute, _, _ := lower.MauiLimit(l)
			visit(place{lower.MauiFamily(l.Object), l.Row, attribute, l.Source, l.Span})
		})
		for _, t := range draft.NewTargets(w.Policy, base) {
			visit(place{lower.MauiFamily(t.Object), t.Name, "FSTARGET", t.Source, t.Span})
		}
	}
	said := map[source.Span]int{} // of for_each there may be several
	each(&ir.Policy{}, func(p place) { said[p.span]++ })
	each(after, func(p place) {
		w.Miss(p.source, p.span)
		w.Drop(p.kind, p.name, draft.Setting{Name: p.attribute, Span: p.span})
		if said[p.span]--; said[p.span] == 0 {
			delete(w.Taken, p.span)
		}
	})
}

// othersHave reports a value for all names without one of their own.
func (w *writer) othersHave(column schema.ColumnID) bool {
	return slices.ContainsFunc(w.Policy.Tables, func(t ir.Table) bool { return t.Column == column && t.Others != nil })
}
