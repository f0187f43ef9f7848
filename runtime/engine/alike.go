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
	return a == b || reflect.DeepEqual(modelsOf(a), modelsOf(b))
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
	return a == b || alike(reflect.ValueOf(of(a)), reflect.ValueOf(of(b)))
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

// alike compares values wherever they come from: their places, and what set them, are left out.
func alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.Type != spanType && f.Name != "Source" && !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return a.Pointer() == b.Pointer() || !a.IsNil() && !b.IsNil() && alike(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if !alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for entries := a.MapRange(); entries.Next(); {
			if v := b.MapIndex(entries.Key()); !v.IsValid() || !alike(entries.Value(), v) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

var spanType = reflect.TypeFor[source.Span]()
