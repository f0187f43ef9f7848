package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// Stricter are limits with the lowest first: it is kept where two become one.
func Stricter(list []ir.Limit) []*ir.Limit {
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

// NewRows visits the rows of tables that the base has not. DEFAULT stands for all other names.
func NewRows(p, base *ir.Policy, visit func(column schema.ColumnID, row ir.TableRow)) {
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
	return fmt.Sprint(l.Kind, l.Object, l.Row, l.Others, l.Counts, l.Per, l.Cross, l.Phase, bound(l.Soft),
		bound(l.Hard), l.AtLeast, l.Override, l.When.String())
}

func NewLimits(p, base *ir.Policy, visit func(l *ir.Limit)) {
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

func NewTargets(p, base *ir.Policy) (list []*ir.Target) {
	had := map[string]bool{}
	key := func(t *ir.Target) string { return fmt.Sprint(t.Object, t.Name, t.Others, t.Kind, t.Value) }
	for t := range Targets(base) {
		had[key(t)] = true
	}
	for t := range Targets(p) {
		if !had[key(t)] {
			list = append(list, t)
		}
	}
	return list
}

// ValueText is a column's value as both schedulers' files have it, "" for one that is not known.
func ValueText(v schema.Value) string {
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

// IsWhole reports a bound that is a whole number.
func IsWhole(f *float64) bool { return f != nil && *f == float64(int64(*f)) }
