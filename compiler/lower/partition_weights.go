package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower/front"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Maui's weights and caps may have a partition of nodes for an index. Its manual says that they
// then rank that partition's jobs (chapter 5.1.2); MJobGetStartPriority's callers always ask
// for the whole machine, so that only reports see them.

// partitionScope is the policy's parameters as one partition of nodes has them.
type partitionScope struct {
	name string
	set  map[string]front.Setting
	env  *celexpr.Env
}

// partitionScopes makes one scope for each partition with settings of its own.
func (l *lowering) partitionScopes(o celexpr.Options) []partitionScope {
	if !l.opt.Documented("partition_weights") {
		return nil
	}
	var scopes []partitionScope
	for _, f := range l.fronts {
		for _, s := range f.Partitions {
			p := l.params.by[s.Name]
			if p == nil || p.Type != s.Value.Type {
				continue
			}
			i := slices.IndexFunc(scopes, func(k partitionScope) bool { return k.name == s.Partition })
			if i < 0 {
				i = len(scopes)
				scopes = append(scopes, partitionScope{name: s.Partition, set: map[string]front.Setting{}})
			}
			scopes[i].set[s.Name] = s.Setting
		}
	}
	for i := range scopes {
		own := o
		own.Params = maps.Clone(o.Params)
		for name, s := range scopes[i].set {
			own.Params[name] = s.Value
		}
		scopes[i].env = celexpr.NewEnv(own)
	}
	return scopes
}

// weight compiles a weight or a cap: the same text over the parameters of the
// job's partition, if that has any of its own.
func (b *builder) weight(s policy.Scalar) ir.Scalar {
	out := b.scalar(s, celexpr.WantNumber, celexpr.CredentialScope)
	for i := range b.partitions {
		p := &b.partitions[i]
		mentions := func(src ir.Source) bool { _, ok := p.set[src.Name]; return ok }
		if !out.IsSet() || !slices.ContainsFunc(out.Sources, mentions) {
			continue
		}
		within := *b
		within.env, within.diags = p.env, new(diag.List) // reported already for the whole machine
		own := within.scalar(s, celexpr.WantNumber, celexpr.CredentialScope)
		if !own.IsSet() {
			continue
		}
		out.Expr = &expr.Expr{
			Op:   expr.Cond,
			Type: schema.Double,
			Args: []*expr.Expr{p.asked(), own.Expr, out.Expr},
			Span: out.Expr.Span,
		}
		for _, src := range slices.Clone(out.Sources) {
			if v, ok := p.set[src.Name]; ok {
				out.Sources = append(
					out.Sources,
					ir.Source{Name: fmt.Sprintf("%s[%s]", src.Name, p.name), Value: v.Value, Span: v.Span},
				)
			}
		}
	}
	return out
}

// asked is the condition that the job asks for this partition of nodes and no other.
func (p *partitionScope) asked() *expr.Expr {
	const text = "size(job.node_partitions) == 1 && each.key in job.node_partitions"
	compiled, diags := p.env.Compile(
		celexpr.Source{Span: source.NewFile("partition "+p.name, []byte(text)).Span(0, len(text)),
			Each: map[string]schema.Value{"key": schema.StringValue(p.name)}},
		celexpr.WantBool,
	)
	if compiled == nil {
		panic("INVARIANT: " + text + " compiles: " + diags[0].Message)
	}
	return compiled.Expr
}
