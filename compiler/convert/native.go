package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// native adds what blocks of policy files say beyond params and records. Each thing that the gathered words do
// not mean yet is put into the words that the scheduler has for it; whether that was enough is found
// out by reading them again.
func (w *writer) native(opt lower.Options) {
	quiet := len(*w.diags)
	base, _ := w.read(w.files(w.policy.Family, opt), w.policy.Family, opt)
	*w.diags = (*w.diags)[:quiet]
	if base == nil {
		base = &ir.Policy{Family: w.policy.Family}
	}
	there := map[string]*ir.Param{}
	for i := range base.Params {
		there[base.Params[i].Name] = &base.Params[i]
	}
	for i := range w.policy.Params {
		p := &w.policy.Params[i]
		old := there[p.Name]
		if p.Set.IsZero() || old != nil && old.Value.String() == p.Value.String() && !old.Set.IsZero() || old == nil && len(there) > 0 {
			continue
		}
		if text, ok := lower.ParamText(w.policy.Family, p, p.Value); ok {
			w.setParam(p.Name, text, p.Set)
		}
	}
	if w.policy.Family == "maui" {
		w.nativeMaui(base)
	} else {
		w.nativeSlurm(base)
	}
}

// setParam gives a parameter a value, whether it has one or not.
func (g *gathered) setParam(name, text string, span source.Span) {
	stands := func(r record) bool { return r.kind == name && r.name == "" && r.value != nil }
	if slices.ContainsFunc(g.records, stands) {
		g.records, g.index = slices.DeleteFunc(g.records, stands), dumpIndex{}
	}
	for i := range g.set {
		if g.set[i].name == name {
			g.set[i].text, g.set[i].span = text, span
			return
		}
	}
	g.set = append(g.set, setting{name, text, span})
}

// setIn gives a record of the scheduler's file a setting. A record that is not there yet comes last.
func (w *writer) setIn(kind, name string, s setting) {
	if w.use == "maui" && w.policy.Family != "maui" && !(mauiCanName(name) && mauiWord(s.text) && (kind != "QOSCFG" || mauiCanList(name))) {
		w.collided[s.span] = true
		w.because(s.span, mauiNames())
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

// sameName reports one credential: those of slurmdbd are alike in any case, slurmctld's partitions are not, and Maui's
// classes stand for these.
func sameName(kind, a, b string) bool {
	return a == b || kind != "CLASSCFG" && strings.EqualFold(a, b)
}

// collides reports that a translation has put something else there already, from another place, and keeps it: of
// two settings that become one the first is said, and the other is named as left.
func (w *writer) collides(r *record, s setting, part string) bool {
	if w.use == w.policy.Family && w.became == nil {
		return false
	}
	for _, old := range r.settings {
		if !strings.EqualFold(old.name, s.name) || old.span.IsZero() || old.span == s.span {
			continue
		}
		for _, text := range strings.Split(old.text, ",") {
			is, _, list := strings.Cut(text, "=")
			of, _, _ := strings.Cut(part, "=")
			if text != part && (!list || is == of) {
				w.collided[s.span] = true
				w.because(s.span, fmt.Sprintf("%s of %s is %s already, by line %d", s.name, strings.TrimSpace(r.kind+" "+r.name), text, old.span.Position().Line))
				return true
			}
		}
	}
	return false
}

// stricter are limits with the lowest first: it is kept where two become one.
func stricter(list []ir.Limit) []*ir.Limit {
	sorted := make([]*ir.Limit, len(list))
	for i := range list {
		sorted[i] = &list[i]
	}
	slices.SortStableFunc(sorted, func(a, b *ir.Limit) int {
		if a.Hard == nil || b.Hard == nil {
			return 0
		}
		return cmp.Compare(*a.Hard, *b.Hard)
	})
	return sorted
}

func (r *record) change(s setting) {
	for i := range r.settings {
		if strings.EqualFold(r.settings[i].name, s.name) {
			r.settings[i] = s
			return
		}
	}
	r.settings = append(r.settings, s)
}

// newRows visits the rows of tables that the base has not. DEFAULT stands for all other names.
func newRows(p, base *ir.Policy, visit func(column schema.ColumnID, row ir.TableRow)) {
	had := map[string]string{}
	each := func(p *ir.Policy, visit func(t *ir.Table, key string, row ir.TableRow)) {
		for i := range p.Tables {
			t := &p.Tables[i]
			if t.Others != nil {
				others := *t.Others
				others.Name = "DEFAULT"
				visit(t, string(t.Column), others)
			}
			for _, r := range t.Rows {
				visit(t, string(t.Column)+"\x00"+r.Name, r) // one called DEFAULT too, such as a class of Maui
			}
		}
	}
	each(base, func(_ *ir.Table, key string, r ir.TableRow) { had[key] = r.Value.String() })
	each(p, func(t *ir.Table, key string, r ir.TableRow) {
		if value, ok := had[key]; !ok || value != r.Value.String() {
			visit(t.Column, r)
		}
	})
}

// limitKey tells limits apart by all that they mean.
func limitKey(l *ir.Limit) string {
	bound := func(f *float64) string {
		if f == nil {
			return "-"
		}
		return strconv.FormatFloat(*f, 'g', -1, 64)
	}
	return fmt.Sprint(l.Kind, l.Object, l.Row, l.Others, l.Counts, l.Per, l.Cross, l.Phase, bound(l.Soft), bound(l.Hard), l.AtLeast, l.Override, l.When.String())
}

func newLimits(p, base *ir.Policy, visit func(l *ir.Limit)) {
	had := map[string]bool{}
	for i := range base.Limits {
		had[limitKey(&base.Limits[i])] = true
	}
	for i := range p.Limits {
		if !had[limitKey(&p.Limits[i])] {
			visit(&p.Limits[i])
		}
	}
}

func (w *writer) nativeMaui(base *ir.Policy) {
	newRows(w.policy, base, func(column schema.ColumnID, r ir.TableRow) {
		family, attribute := lower.MauiFamily(column.Object()), lower.MauiAttribute(column)
		if text := valueText(r.Value); family != "" && attribute != "" && text != "" {
			w.setIn(family, r.Name, setting{attribute, text, r.Span})
		}
	})
	newLimits(w.policy, base, func(l *ir.Limit) { w.mauiLimit(l) })
	for _, t := range newTargets(w.policy, base) {
		if family := lower.MauiFamily(t.Object); family != "" {
			w.setIn(family, t.Name, setting{"FSTARGET", lower.MauiTarget(&t), t.Span})
		}
	}
	w.backfill()
}

// backfill writes a backfill block as the parameters that the planner takes for the same.
func (w *writer) backfill() {
	for _, s := range w.policy.Backfill {
		param, ok := map[string]string{"algorithm": "BACKFILLPOLICY", "metric": "BACKFILLMETRIC", "max_combinations": "BACKFILLMAXSCHEDULES", "reservation_depth": "RESERVATIONDEPTH", "node_access": "NODEACCESSPOLICY"}[s.Name]
		text := strings.ToUpper(strings.ReplaceAll(valueText(s.Value), "_", ""))
		if !ok || s.Name == "reservation_depth" && (s.Value.Type != schema.Int || s.Value.Int < 0 || s.Value.Int > 1000) {
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
func (w *writer) mauiLimit(l *ir.Limit) bool {
	name, value, ok := lower.MauiLimit(l)
	switch {
	case !ok:
		return false
	case l.Object == "":
		w.say(name, value, l.Span)
	default:
		w.setIn(lower.MauiFamily(l.Object), l.Row, setting{name, value, l.Span})
	}
	return true
}

func newTargets(p, base *ir.Policy) (list []ir.Target) {
	had := map[string]bool{}
	key := func(t *ir.Target) string { return fmt.Sprint(t.Object, t.Name, t.Others, t.Kind, t.Value) }
	for i := range base.Fairshare {
		for k := range base.Fairshare[i].Targets {
			had[key(&base.Fairshare[i].Targets[k])] = true
		}
	}
	for i := range p.Fairshare {
		for k := range p.Fairshare[i].Targets {
			if t := &p.Fairshare[i].Targets[k]; !had[key(t)] {
				list = append(list, *t)
			}
		}
	}
	return list
}

// valueText is a column's value as both schedulers' files have it, "" for one that is not known.
func valueText(v schema.Value) string {
	switch v.Type {
	case schema.Int:
		return strconv.FormatInt(v.Int, 10)
	case schema.Double:
		return strconv.FormatFloat(v.Double, 'f', -1, 64)
	case schema.String:
		return v.Str
	case schema.StringList:
		return strings.Join(v.List, ",")
	}
	return ""
}
