package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Study is a study block. What is not set is a Scalar or Text that says so. What choices it comes to is the business
// of lang/study.
type Study struct {
	Name, Doc Text
	Seeds     Scalar
	KeepJobs  bool
	Policies  []StudyPolicy
	Sources   []StudySource // workloads and snapshots
	Metrics   []StudyMetric
	Span      source.Span
}

// StudyPolicy is a policy to try.
type StudyPolicy struct {
	Name                    Text
	Files                   []Text
	Hold                    []StudySetting
	Params                  []StudyParam
	Where                   *CEL // nil: all choices
	Draws, DrawSeed         Scalar
	SlurmVersion, Semantics Text
	Span                    source.Span
}

// StudySetting is a parameter with a value, as the policy's file has it.
type StudySetting struct {
	Name  Text
	Value Text
}

// StudyParam is a parameter that varies: Values, or numbers from From to To.
type StudyParam struct {
	Name     Text
	Values   []Text // nil: a range
	From, To Scalar
	Step     Scalar
	Steps    Scalar
	Log      bool
	Span     source.Span
}

// StudySource is a workload, or a snapshot.
type StudySource struct {
	Name             Text
	Snapshot         bool
	Files, Nodes     []Text
	Procs            Scalar
	From, To, WarmUp Scalar // epoch seconds, and seconds
	Now              Scalar
	Plan             bool
	Runtime          Text
	Arrivals         Text
	TimeZone         Text
	Span             source.Span
}

// StudyMetric is a figure that decides, and perhaps a goal.
type StudyMetric struct {
	Name, Of, Prefer Text
	Kind             string // of MetricGroups; "" for all jobs
	Group            Text
	AtMost, AtLeast  Scalar
	Span             source.Span
}

// study decodes a study block.
func (e *evaluator) study(n *node) *Study {
	s := &Study{Name: n.name, Doc: n.text("doc"), Seeds: n.scalar("seeds"),
		KeepJobs: n.scalar("keep_jobs").Value.Int != 0, Span: n.span}
	for _, b := range n.blocks {
		switch b.doc.ID {
		case "study/policy":
			s.Policies = append(s.Policies, e.studyPolicy(b))
		case "study/metric":
			s.Metrics = append(s.Metrics, e.studyMetric(b))
		default:
			s.Sources = append(s.Sources, e.studySource(b))
		}
	}
	draws := slices.ContainsFunc(s.Sources, func(o StudySource) bool { return o.Arrivals.Value == "bootstrap" })
	if s.Seeds.IsSet() && !draws {
		e.contradiction(s.Seeds.Span, "nothing is drawn by seeds").
			Note(`add arrivals = "bootstrap" to a workload, or leave seeds out`)
	}
	if len(s.Policies) == 0 {
		e.diags.Errorf("policy-missing-attribute", n.span, "%s has no policy to try", describe(n)).
			Note(`add a block, such as policy "now" { files = "maui.cfg" }`)
	}
	if len(s.Sources) == 0 {
		e.diags.Errorf("policy-missing-attribute", n.span, "%s has neither a workload nor a snapshot", describe(n)).
			Note(`add a block, such as workload "june" { files = "june.swf" }`)
	}
	return s
}

func (e *evaluator) studyPolicy(n *node) StudyPolicy {
	p := StudyPolicy{Name: n.name, Files: n.texts("files"), Where: n.scalar("where").CEL, Draws: n.scalar("draws"),
		DrawSeed: n.scalar("draw_seed"), SlurmVersion: n.text("slurm_version"), Semantics: n.text("semantics"),
		Span: n.span}
	if e.needsFiles(n, p.Files) {
		e.named(p.Files)
	}
	if a := n.attr("hold"); a != nil {
		for _, entry := range a.entries {
			p.Hold = append(p.Hold, StudySetting{entry.name, Text{written(entry.Value), entry.Span}})
		}
	}
	for _, b := range n.blocks {
		param := e.studyParam(b, !p.Draws.IsSet())
		for _, h := range p.Hold {
			if h.Name.Value == param.Name.Value {
				e.contradiction(b.span, "%s varies and is held", h.Name.Value).NoteAt(h.Name.Span, "it is held here").
					Note("leave one of the two out")
			}
		}
		p.Params = append(p.Params, param)
	}
	switch {
	case len(p.Params) > 0:
	case p.Draws.IsSet():
		e.contradiction(p.Draws.Span, "there is no parameter to draw").
			Note(`add a block, such as param "FSWEIGHT" { from = 0, to = 100 }`)
	case p.Where != nil:
		e.contradiction(p.Where.Span, "there is no choice that a condition could leave out").
			Note(`add a block, such as param "FSWEIGHT" { values = [0, 100] }`)
	}
	return p
}

func (e *evaluator) contradiction(at source.Span, format string, args ...any) *diag.Diagnostic {
	return e.diags.Errorf("policy-study-contradiction", at, format, args...)
}

// studyParam decodes a parameter. In a grid a range has to say which of its numbers are meant.
func (e *evaluator) studyParam(n *node, grid bool) StudyParam {
	p := StudyParam{Name: n.name, From: n.scalar("from"), To: n.scalar("to"), Step: n.scalar("step"),
		Steps: n.scalar("steps"), Log: n.text("scale").Value == "log", Span: n.span}
	if a := n.attr("values"); a != nil {
		p.Values = make([]Text, 0, len(a.entries))
		for _, entry := range a.entries {
			p.Values = append(p.Values, Text{entry.Value.Str, entry.Span})
		}
	}
	ranged := p.From.IsSet() || p.To.IsSet() || p.Step.IsSet() || p.Steps.IsSet() || p.Log
	switch {
	case len(n.faulty) > 0:
	case p.Values == nil:
		e.studyRange(n, &p, grid)
	case ranged:
		e.contradiction(n.span, "%s has a list of values and a range", describe(n)).Note("leave one of the two out")
	case len(p.Values) == 0:
		e.contradiction(n.attr("values").Span, "%s has no value", describe(n)).Note("write values = [1, 10, 100]")
	}
	return p
}

// studyRange checks the range of a parameter.
func (e *evaluator) studyRange(n *node, p *StudyParam, grid bool) {
	low, high := p.From.Value.Double, p.To.Value.Double
	switch {
	case !p.From.IsSet() || !p.To.IsSet():
		e.diags.Errorf("policy-missing-attribute", n.span, "%s has neither values nor a range", describe(n)).
			Note("write values = [1, 10, 100], or from = 0, to = 100 and step = 10")
	case low >= high:
		e.contradiction(p.To.Span, "the range of %s ends before it begins", n.name.Value).Note("to is above from")
	case p.Log && low <= 0:
		e.contradiction(p.From.Span, "a logarithmic scale begins at %s", plain(p.From.Value)).
			Note("from is above 0 there; add 0 by a list of values")
	case p.Step.IsSet() && p.Steps.IsSet():
		e.contradiction(p.Steps.Span, "%s has a step and a number of steps", describe(n)).Note("leave one of the two out")
	case p.Step.IsSet() && (p.Step.Value.Double <= 0 || p.Log && p.Step.Value.Double <= 1):
		e.contradiction(p.Step.Span, "the step of %s leads nowhere", n.name.Value).
			Note("it is above 0, or a factor above 1 on a logarithmic scale")
	case grid && !p.Step.IsSet() && !p.Steps.IsSet():
		e.diags.Errorf("policy-missing-attribute", n.span, "%s has no step", describe(n)).
			Note("add step = 10 or steps = 5, or draws = 20 to the policy, which draws numbers at random")
	}
}

func (e *evaluator) studySource(n *node) StudySource {
	s := StudySource{Name: n.name, Snapshot: n.doc.ID == "study/snapshot", Files: n.texts("files"),
		Nodes: n.texts("nodes"), Procs: n.scalar("procs"), From: n.scalar("from"), To: n.scalar("to"),
		WarmUp: n.scalar("warm_up"), Now: n.scalar("now"), Plan: n.scalar("plan").Value.Int != 0,
		Runtime: n.text("runtime"), Arrivals: n.text("arrivals"), TimeZone: n.text("timezone"), Span: n.span}
	if e.needsFiles(n, s.Files) {
		e.named(append(append([]Text{s.TimeZone}, s.Files...), s.Nodes...))
	}
	switch {
	case s.Snapshot || len(n.faulty) > 0:
	case len(s.Nodes) > 0 && s.Procs.IsSet():
		e.contradiction(s.Procs.Span, "%s has nodes and a number of processors", describe(n)).
			Note("a machine of so many processors has no nodes: leave one of the two out")
	case s.From.IsSet() && s.To.IsSet() && s.To.Value.Int <= s.From.Value.Int:
		e.contradiction(s.To.Span, "the time of %s ends before it begins", describe(n)).Note("to is after from")
	}
	return s
}

func (e *evaluator) studyMetric(n *node) StudyMetric {
	m := StudyMetric{Name: n.name, Of: n.text("of"), Prefer: n.text("prefer"), AtMost: n.scalar("at_most"),
		AtLeast: n.scalar("at_least"), Span: n.span}
	if !m.Of.IsSet() {
		m.Of = n.name
	}
	for _, kind := range MetricGroups {
		switch t := n.text(kind); {
		case !t.IsSet():
		case m.Kind != "":
			e.contradiction(t.Span, "%s is of two groups, by %s and by %s", describe(n), m.Kind, kind).
				NoteAt(m.Group.Span, "the %s", m.Kind).Note("make two metrics of it")
		default:
			m.Kind, m.Group = kind, t
		}
	}
	return m
}

// valueList evaluates a list whose elements are numbers, texts, or true and false. Each becomes text, as the policy's
// file would have it.
func (e *evaluator) valueList(a *hclsyntax.Attribute, in *each) (attr, bool) {
	out := attr{name: a.Name, nameSpan: e.span(a.NameRange)}
	out.Span = e.span(a.Expr.Range())
	v, _, ok := e.eval(a.Expr, in)
	if !ok {
		return out, false
	}
	if v.IsNull() {
		return attr{}, true
	}
	if !isSequence(v.Type()) {
		e.diags.Errorf("policy-wrong-type", out.Span, "%s is not a list", a.Name).Note("write [1, 10, 100]")
		return out, false
	}
	literal, _ := a.Expr.(*hclsyntax.TupleConsExpr)
	for it := v.ElementIterator(); it.Next(); {
		_, element := it.Element()
		span := out.Span
		if i := len(out.entries); literal != nil && i < len(literal.Exprs) {
			span = e.span(literal.Exprs[i].Range())
		}
		value, fault := fromCty(element)
		if fault == "" && (!value.Known() || value.Type == schema.StringList) {
			fault = "no value"
		}
		if fault != "" {
			e.diags.Errorf("policy-wrong-type", span, "an element of %s is %s", a.Name, fault).
				Note("elements are numbers, texts in double quotes, or true and false")
			return out, false
		}
		out.entries = append(out.entries, entry{Text{}, Scalar{Value: schema.StringValue(written(value)), Span: span}})
	}
	return out, true
}

// written is a value as the policy's file has it.
func written(v schema.Value) string {
	if v.Type == schema.String {
		return v.Str
	}
	return plain(v)
}
