package check

import (
	"math"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// trees are the models that share by an account tree.
var trees = []string{"fair_tree", "classic", "depth_oblivious"}

// maxDepth bounds the windows of a policy from scratch; Maui has room for 24.
const maxDepth = 1000

// fairshare looks at the models and at who reads them.
func (c *checker) fairshare() {
	var windows *ir.Fairshare
	for i := range c.p.Fairshare {
		switch f := &c.p.Fairshare[i]; {
		case f.Model == "windows":
			windows = f
			c.windows(f)
		case slices.Contains(trees, f.Model):
		case f.Model != "":
			c.diags.Errorf("unsupported-fairshare", f.Span, "the fairshare model %s is not computed", f.Model).
				Note("there are windows, as Maui has them, and Slurm's trees: %s", strings.Join(trees, ", ")).
				Note("to rank without fairshare, and say so in the result: --without fairshare")
		default:
			c.diags.Warnf("fairshare-target-unused", f.Span, "fairshare targets have no effect without a model").
				Note("add a block to the policy: fairshare \"windows\" { interval = \"12h\" }")
		}
	}
	if windows == nil {
		c.withoutModel()
	}
}

// windows checks the settings, unless the model is switched off.
func (c *checker) windows(f *ir.Fairshare) {
	if f.Setting("usage").Value.Str == "" {
		return
	}
	place := func(s ir.Setting) source.Span {
		if s.Span.IsZero() {
			return f.Span
		}
		return s.Span
	}
	if s := f.Setting("interval"); s.Value.Int <= 0 {
		c.diags.Errorf("fairshare-interval", place(s), "fairshare windows of %d seconds cannot be distinguished",
			s.Value.Int).
			Note("write how long a window is, such as \"12h\"; in maui.cfg FSINTERVAL 12:00:00")
	}
	if s := f.Setting("depth"); s.Value.Int < 1 || s.Value.Int > maxDepth {
		c.diags.Errorf("fairshare-depth", place(s), "%d fairshare windows cannot be kept", s.Value.Int).
			Note("write a number from 1 to %d; Maui has room for 23", maxDepth)
	}
	c.decay(place(f.Setting("decay")), f.Setting("decay").Value.Double, f.AnyDecay)
}

// decay refuses what cannot weigh windows, unless their scheduler takes any number.
func (c *checker) decay(span source.Span, decay float64, takesAny bool) {
	switch {
	case math.IsNaN(decay) || math.IsInf(decay, 0) || decay < 0 && !takesAny:
		c.diags.Errorf("fairshare-decay", span, "%v cannot weigh older windows", decay).
			Note("write a number above 0, at most 1: the weight of a window over the next newer one")
	case decay == 0:
		c.diags.Warnf("fairshare-decay", span, "with a decay of 0 only the current window counts").
			Note("write a number above 0, at most 1; or depth 1, if that is what you want")
	case decay > 1 && !takesAny:
		c.diags.Warnf("fairshare-decay", span, "with a decay of %v old usage counts more than new", decay).
			Note("write a number above 0, at most 1")
	}
}

// withoutModel refuses what reads a model's columns in a policy without one.
func (c *checker) withoutModel() {
	for _, comp := range c.p.Components {
		if comp.Weight.IsZero() {
			continue
		}
		c.needsModel("component "+comp.Name, comp.Name, comp.Span, comp.Weight, comp.Cap)
		for _, t := range comp.Terms {
			if !t.Weight.IsZero() {
				c.needsModel(comp.Name+"."+t.Name, comp.Name, t.Span, t.Factor, t.Weight, t.Cap)
			}
		}
	}
	c.needsModel("the priority's finish", "", c.p.Finish.Span, c.p.Finish.Floor, c.p.Finish.Ceiling)
	for _, o := range c.p.Finish.Overrides {
		c.needsModel("override "+o.Name, "", o.Span, o.When, o.Value)
	}
	for _, h := range slices.Concat(c.p.Holds, c.p.Admission) {
		c.needsModel("hold "+h.Name, "", h.Span, h.When)
	}
	for _, l := range c.p.Limits {
		c.needsModel("limit "+l.Name, "", l.Span, l.When)
	}
}

func (c *checker) needsModel(what, component string, span source.Span, parts ...ir.Scalar) {
	for _, part := range parts {
		i := slices.IndexFunc(columns(part.Expr), func(id schema.ColumnID) bool {
			doc := schema.Lookup(id)
			// whose factors may be recorded
			return doc != nil && doc.Origin == schema.Model && id.Object() != "association"
		})
		if i < 0 {
			continue
		}
		place, set := setBy(parts...)
		if place.IsZero() {
			place = span
		}
		d := c.diags.Errorf("fairshare-without-model", place, "%s needs %s, but the policy has no fairshare windows",
			what, columns(part.Expr)[i])
		if set != "" {
			d.Note("it counts because of %s", set)
		}
		d.Note("add a block to the policy: fairshare \"windows\" { interval = \"12h\" }, and usage files to the " +
			"snapshot")
		if component != "" {
			d.Note("or rank without it, and say so in the result: --without %s", component)
		}
		return
	}
}

func columns(e *expr.Expr) []schema.ColumnID {
	if e == nil {
		return nil
	}
	return e.Columns()
}
