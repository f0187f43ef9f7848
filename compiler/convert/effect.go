package convert

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/codegen"
	"github.com/fairway-sched/fairway/compiler/fold"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
)

// effects tells settings that change what is computed from those that do not: the policy is compiled without the
// setting, and the two programs are compared.
type effects struct {
	units  []lower.Unit
	opt    lower.Options
	policy *ir.Policy
	with   string                   // its program
	reads  map[schema.ColumnID]bool // columns that it reads
	quoted map[string]bool          // parameters that expressions mention, evaluated or not
}

func newEffects(p *ir.Policy, units []lower.Unit, opt lower.Options) *effects {
	e := &effects{opt: opt, policy: p, reads: map[schema.ColumnID]bool{}, quoted: map[string]bool{}}
	for _, u := range units {
		if u.Dump == nil || len(units) == 1 { // many accounts take their time, and no parameter is read otherwise for them
			e.units = append(e.units, u)
		}
	}
	if prog, _ := codegen.Generate(fold.Policy(p)); prog != nil {
		for _, id := range prog.Inputs() {
			e.reads[id] = true
		}
	}
	scalars(p, func(_ string, s ir.Scalar) {
		for _, from := range s.Sources {
			e.quoted[from.Name] = true
		}
	})
	e.with = e.program()
	return e
}

// of reports that a parameter changes what is computed.
func (e *effects) of(param string) bool { return e.program(param) != e.with }

var places = regexp.MustCompile(`(?m) *; [^;]*$`)

// without reports that a parameter's value, instead of the one it has, changes what is computed.
func (e *effects) without(param, value string) bool {
	opt := e.opt
	e.opt.Params = append(slices.Clone(opt.Params), lower.ParamOverride{Name: param, Value: value})
	text := e.program()
	e.opt = opt
	return text != e.with
}

// program is what the policy computes while some parameters keep their defaults.
func (e *effects) program(unset ...string) string {
	opt := e.opt
	opt.Unset, opt.Lenient = unset, true
	p, _ := lower.Lower(e.units, opt)
	if p == nil {
		return "refused"
	}
	p.Backfill = slices.DeleteFunc(p.Backfill, func(s ir.Setting) bool {
		name, _, _ := strings.Cut(s.Name, "[")
		return slices.Contains(unset, name)
	})
	return text(p)
}

// text is the program of a policy, without places.
func text(p *ir.Policy) string {
	prog, _ := codegen.Generate(fold.Policy(p))
	if prog == nil {
		return "refused"
	}
	return places.ReplaceAllString(prog.String(), "")
}

// formulaOnly are the columns that nothing but the formula of the priority reads.
var formulaOnly = map[schema.ColumnID]bool{
	"user.priority": true, "group.priority": true, "account.priority": true, "qos.priority": true, "partition.priority": true,
	"qos.queue_time_weight": true, "qos.xfactor_weight": true, "qos.queue_time_target_seconds": true, "qos.xfactor_target": true,
	"partition.priority_job_factor": true, "association.priority": true,
}

// idle reports a column that nothing reads here.
func (e *effects) idle(id schema.ColumnID) bool { return formulaOnly[id] && !e.reads[id] }

// scalars visits the numbers of the formula.
func scalars(p *ir.Policy, visit func(name string, s ir.Scalar)) {
	for i := range p.Components {
		c := &p.Components[i]
		visit("the weight of component "+c.Name, c.Weight)
		visit("the cap of component "+c.Name, c.Cap)
		for k := range c.Terms {
			t := &c.Terms[k]
			name := "term " + c.Name + " / " + t.Name
			visit("the weight of "+name, t.Weight)
			visit("the cap of "+name, t.Cap)
			visit("the factor of "+name, t.Factor)
		}
	}
	visit("the floor of priorities", p.Finish.Floor)
	visit("the ceiling of priorities", p.Finish.Ceiling)
	for _, o := range p.Finish.Overrides {
		visit("the condition of override "+o.Name, o.When)
		visit("the value of override "+o.Name, o.Value)
	}
	for _, h := range p.Holds {
		visit("hold "+h.Name, h.When)
	}
}
