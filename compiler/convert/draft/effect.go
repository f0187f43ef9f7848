package draft

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Effects tells settings that change what is computed from those that do not. A parameter counts that a number
// of the formula is made of, if that is evaluated; for all else the policy is lowered without the parameter,
// and what comes of it beside the formula is compared.
type Effects struct {
	units   []lower.Unit
	opt     lower.Options
	policy  *ir.Policy
	beside  *program.Program         // what it computes beside the formula
	Reads   map[schema.ColumnID]bool // columns that its program reads
	counts  map[string]bool          // parameters that the formula is made of
	Mention map[string]bool          // and those that it mentions, evaluated or not
}

func NewEffects(p *ir.Policy, units []lower.Unit, opt lower.Options) *Effects {
	e := &Effects{
		opt:     opt,
		policy:  p,
		Reads:   map[schema.ColumnID]bool{},
		counts:  map[string]bool{},
		Mention: map[string]bool{},
	}
	for _, u := range units {
		if u.Dump == nil ||
			len(units) == 1 { // many accounts take their time, and no parameter is read otherwise for them
			e.units = append(e.units, u)
		}
	}
	folded := fold.Map(p, e.grounded())
	if prog, _ := codegen.Generate(folded); prog != nil {
		for _, id := range prog.Inputs() {
			e.Reads[id] = true
		}
	}
	p.Expressions(func(_ string, s ir.Scalar) { mark(e.Mention, s) })
	for i := range folded.Components {
		e.component(&folded.Components[i])
	}
	mark(e.counts, folded.Finish.Floor, folded.Finish.Ceiling)
	for _, o := range folded.Finish.Overrides {
		mark(e.counts, o.When, o.Value)
	}
	for _, h := range slices.Concat(folded.Holds, folded.Admission) {
		if !h.Entry.Library {
			mark(e.counts, h.When)
		}
	}
	e.beside = e.program(true)
	return e
}

// component marks what a component's points are made of. A term whose factor is 0 for every job has none.
func (e *Effects) component(c *ir.Component) {
	points := false
	for i := range c.Terms {
		t := &c.Terms[i]
		if t.Factor.IsZero() {
			continue
		}
		points = points || !t.Weight.IsZero()
		if c.Weight.IsZero() {
			continue
		}
		if mark(e.counts, t.Weight); !t.Weight.IsZero() {
			bound(e.counts, t.Cap)
			mark(e.counts, t.Factor)
		}
	}
	if !points {
		return
	}
	if mark(e.counts, c.Weight); !c.Weight.IsZero() {
		bound(e.counts, c.Cap)
	}
}

// grounded folds a number with what Maui's credentials have.
func (e *Effects) grounded() func(ir.Scalar) ir.Scalar {
	if schedulerOf(e.policy).credentials {
		return diff.Grounded(e.policy)
	}
	return fold.Scalar
}

func mark(set map[string]bool, list ...ir.Scalar) {
	for _, s := range list {
		for _, from := range s.Sources {
			set[from.Name] = true
		}
	}
}

// bound marks a cap that is one: 0 is none.
func bound(set map[string]bool, s ir.Scalar) {
	if value, ok := Constant(s); !ok || value > 0 {
		mark(set, s)
	}
}

// Of reports that a parameter, which the site sets, changes what is computed.
func (e *Effects) Of(p *ir.Param) bool {
	return e.counts[p.Name] && p.Value.String() != p.Default.String() || !alike(e.program(true, p.Name), e.beside)
}

var places = source.Pattern(`(?m) *; [^;\n]*$`)

// Without reports that a parameter's value, instead of the one it has, changes what is computed.
func (e *Effects) Without(param, value string) bool {
	changed := *e
	changed.opt.Params = append(slices.Clone(e.opt.Params), lower.ParamOverride{Name: param, Value: value})
	return !alike(changed.program(false), e.program(false))
}

// program is what the policy computes, or what of it is beside the formula, while some parameters keep their defaults.
func (e *Effects) program(beside bool, unset ...string) *program.Program {
	opt := e.opt
	opt.Unset, opt.Lenient, opt.SettingsOnly = unset, true, beside
	p, _ := lower.Lower(e.units, opt)
	if p == nil {
		return nil
	}
	p.Backfill = slices.DeleteFunc(p.Backfill, func(s ir.Setting) bool {
		name, _, _ := strings.Cut(s.Name, "[")
		return slices.Contains(unset, name)
	})
	lower.Place(p)
	prog, _ := codegen.Generate(fold.Policy(p))
	return prog
}

// alike reports programs that compute the same. Maui's plan is not among what is printed; its places are in the
// same files.
func alike(a, b *program.Program) bool {
	if a == nil || b == nil {
		return a == b
	}
	bare := func(p *program.Program) string { return places().ReplaceAllString(p.String(), "") }
	return bare(a) == bare(b) && reflect.DeepEqual(a.Plan, b.Plan)
}

// Idle reports a column that nothing reads here.
func (e *Effects) Idle(id schema.ColumnID) bool { return lower.FormulaOnly[id] && !e.Reads[id] }
