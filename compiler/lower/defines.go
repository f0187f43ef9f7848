package lower

import (
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/source"
)

// defineName is what may follow `define.` in CEL.
var defineName = source.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)

// celWords look like names and are none.
var celWords = []string{"in", "true", "false", "null"}

// defines makes the policy's own columns known to all expressions, also to those over the parameters of one
// partition of nodes.
func (b *builder) defines(list []policy.Define) {
	b.readDefines = map[string]bool{}
	var known []celexpr.Define
	for _, d := range list {
		if d.Value.CEL == nil {
			continue // the document's own check has reported it
		}
		if !defineName().MatchString(d.Name) || slices.Contains(celWords, d.Name) {
			b.diags.Errorf("define-name", d.Span, "define.%s is no name in CEL", d.Name).
				Note("a name has letters, digits and _, and begins with no digit; " +
					"in a block with for_each write name = \"x_${each.key}\"")
			continue
		}
		known = append(known, celexpr.Define{Name: d.Name, Span: d.Span, Source: textOf(d.Value.CEL),
			Params: d.Value.CEL.EachParams})
	}
	if len(known) == 0 {
		return
	}
	env, diags := b.env.WithDefines(known)
	b.env, *b.diags = env, append(*b.diags, diags...)
	for i := range b.partitions {
		b.partitions[i].env, _ = b.partitions[i].env.WithDefines(known) // reported already for the whole machine
	}
	for _, d := range list {
		compiled := env.Defined(d.Name)
		if compiled == nil {
			continue
		}
		for _, name := range compiled.Defines {
			b.readDefines[name] = true
		}
		out := ir.Define{Name: d.Name, Doc: d.Doc.Value}
		out.Value = ir.Scalar{Expr: compiled.Expr, Text: writtenAt(d.Value.CEL), Sources: b.sources(compiled.Params, d.Value),
			Defines: compiled.Defines}
		if !FromLibrary(d.Span) {
			out.Span = d.Span
		}
		b.out.Defines = append(b.out.Defines, out)
	}
}

// unreadDefines warns of a site's defines that nothing reads. What has an error may be what reads it.
func (b *builder) unreadDefines() {
	if b.diags.HasErrors() {
		return
	}
	for _, d := range b.out.Defines {
		if !b.readDefines[d.Name] && !d.Span.IsZero() {
			b.diags.Warnf("define-unread", d.Span,
				"define %q has no effect: no expression reads define.%s", d.Name, d.Name).
				Note("read it in a factor, weight or condition, or remove the block")
		}
	}
}
