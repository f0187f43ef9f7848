package convert

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// scratchToMaui writes a policy that uses no library. Its blocks have Maui's words for credentials, limits, targets,
// windows and backfill; what they come to is read again, and what does not mean the same is not said.
func (w *writer) scratchToMaui(opt lower.Options) {
	w.say("SERVERHOST", "head")
	w.say("QUEUETIMEWEIGHT", 0) // which Maui has as 1 where nobody says so
	w.mauiTerms()
	w.mauiWindows()
	if !w.policy.Finish.Floor.IsSet() {
		w.belowOne()
	}
	newRows(w.policy, &ir.Policy{}, func(column schema.ColumnID, r ir.TableRow) {
		weight := column == "qos.queue_time_weight" || column == "qos.xfactor_weight" // which Maui adds, whatever the formula says
		family, attribute := lower.MauiFamily(column.Object()), lower.MauiAttribute(column)
		if text := valueText(r.Value); !weight && family != "" && attribute != "" && text != "" && !w.effects.idle(column) {
			w.setIn(family, r.Name, setting{attribute, text, r.Span})
		}
	})
	for _, l := range stricter(w.policy.Limits) {
		w.mauiLimit(l)
	}
	for _, t := range newTargets(w.policy, &ir.Policy{}) {
		if family := lower.MauiFamily(t.Object); family != "" {
			w.setIn(family, t.Name, setting{"FSTARGET", lower.MauiTarget(&t), t.Span})
		}
	}
	w.backfill()
	w.askedQOS()
	w.readAgain(opt)
}

// windows is the model of Maui, if the policy has it.
func (w *writer) windows() *ir.Fairshare {
	for i := range w.policy.Fairshare {
		if f := &w.policy.Fairshare[i]; f.Model == "windows" {
			return f
		}
	}
	return nil
}

// mauiWindows writes the settings of usage in windows.
func (w *writer) mauiWindows() {
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
func (w *writer) readAgain(opt lower.Options) {
	quiet := len(*w.diags)
	after, _ := w.read(w.files("maui", opt), "maui", opt)
	*w.diags = (*w.diags)[:quiet]
	if after == nil {
		after = &ir.Policy{}
	}
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

// drop takes back a setting of a record.
func (g *gathered) drop(kind, name string, s setting) {
	for i := range g.records {
		if r := &g.records[i]; r.kind == kind && strings.EqualFold(r.name, name) {
			r.settings = slices.DeleteFunc(r.settings, func(old setting) bool { return old.name == s.name && old.span == s.span })
		}
	}
	g.index = dumpIndex{}
	g.records = slices.DeleteFunc(g.records, func(r record) bool { return r.kind == kind && r.value == nil && len(r.settings) == 0 })
}

// othersHave reports a value for all names without one of their own.
func (w *writer) othersHave(column schema.ColumnID) bool {
	return slices.ContainsFunc(w.policy.Tables, func(t ir.Table) bool { return t.Column == column && t.Others != nil })
}
