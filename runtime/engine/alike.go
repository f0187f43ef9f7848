package engine

import (
	"reflect"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
)

// sameOptions compares what an evaluation depends on, beside the state that was left.
func sameOptions(a, b evaluation.Options) bool {
	a.Workers, b.Workers, a.Context, b.Context, a.Previous, b.Previous = 0, 0, nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

// sameModels compares two programs but for what they compute.
func sameModels(a, b *program.Program) bool {
	return a == b || comparison{places: true}.same(reflect.ValueOf(modelsOf(a)), reflect.ValueOf(modelsOf(b)))
}

// sameInputs compares what two programs read.
func sameInputs(a, b *program.Program) bool {
	now, then := a.Inputs(), b.Inputs()
	slices.Sort(now)
	slices.Sort(then)
	return slices.Equal(now, then)
}

// derivesAlike compares what columns of jobs are derived from. Where it is set does not matter for that.
func derivesAlike(a, b *program.Program) bool {
	of := func(p *program.Program) program.Program {
		models := modelsOf(p)
		models.Limits, models.Windows, models.Dormant, models.Plan = nil, nil, nil, nil
		return models
	}
	return a == b || comparison{}.same(reflect.ValueOf(of(a)), reflect.ValueOf(of(b)))
}

// modelsOf is a program without what it computes: its settings, models and names.
func modelsOf(p *program.Program) program.Program {
	m := *p
	m.Regs, m.Instrs, m.Calls, m.Components, m.Overrides, m.Holds = nil, nil, nil, nil, nil, nil
	m.Admission = nil // what it refuses is computed
	m.Score, m.Priority, m.Params, m.Without, m.Fused = 0, 0, nil, nil, false
	m.Limits = slices.Clone(p.Limits)
	for i := range m.Limits {
		m.Limits[i].When = program.NoReg
	}
	if p.Slurm != nil {
		slurm := *p.Slurm
		slurm.FairshareWeight = 0 // a weight like others; who depends on it compares it
		m.Slurm = &slurm
	}
	return m
}

// comparison compares values of models.
type comparison struct {
	places bool // where a value is from counts too: its place, and what set it
}

func (c comparison) same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		if a.Type() == spanType {
			return c.samePlace("", "", a.Interface().(source.Span), b.Interface().(source.Span))
		}
		for i := range a.NumField() {
			if left := !c.places && a.Type().Field(i).Name == "Source"; !left && !c.same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return a.Pointer() == b.Pointer() || !a.IsNil() && !b.IsNil() && c.same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		if list, ok := a.Interface().([]program.Association); ok {
			return c.sameAssociations(list, b.Interface().([]program.Association))
		}
		for i := range a.Len() {
			if !c.same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		if rows, ok := a.Interface().(map[string]program.SettingRow); ok {
			return c.sameRows(rows, b.Interface().(map[string]program.SettingRow))
		}
		for entries := a.MapRange(); entries.Next(); {
			if v := b.MapIndex(entries.Key()); !v.IsValid() || !c.same(entries.Value(), v) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// sameAssociations is same without reflection: a site has thousands.
func (c comparison) sameAssociations(a, b []program.Association) bool {
	for i, x := range a {
		y := b[i]
		if !c.samePlace(x.Source, y.Source, x.Span, y.Span) {
			return false
		}
		x.Source, x.Span, y.Source, y.Span = "", source.Span{}, "", source.Span{}
		if x != y {
			return false
		}
	}
	return true
}

// sameRows is same without reflection: a table has a row for each association.
func (c comparison) sameRows(a, b map[string]program.SettingRow) bool {
	for name, x := range a {
		y, ok := b[name]
		v, w := x.Value, y.Value
		if !ok || v.Type != w.Type || v.Int != w.Int || v.Double != w.Double || v.Str != w.Str ||
			!slices.Equal(v.List, w.List) || !c.samePlace(x.Source, y.Source, x.Span, y.Span) {
			return false
		}
	}
	return true
}

func (c comparison) samePlace(sourceA, sourceB string, a, b source.Span) bool {
	return !c.places || sourceA == sourceB && (a == b || reflect.DeepEqual(a, b))
}

var spanType = reflect.TypeFor[source.Span]()
