package lower

import (
	"fmt"
	"github.com/fairway-sched/fairway/compiler/lower/mauiplan"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/celexpr"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/expr"
	"github.com/fairway-sched/fairway/lang/mauicfg"
	"github.com/fairway-sched/fairway/lang/policy"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

// Maui's weights and caps may have a partition of nodes for an index. Its manual says that they
// then rank that partition's jobs (chapter 5.1.2); MJobGetStartPriority's callers always ask
// for the whole machine, so that only reports see them.

// partitionSetting is a parameter's value for one partition of nodes.
type partitionSetting struct {
	partition string
	setting
}

// mauiPartitions collects what is set for one partition and gives numbers their names.
func (f *front) mauiPartitions(cfg *mauicfg.Config, opt Options) {
	names := partitionNames(cfg)
	for _, p := range cfg.Params {
		row := mauiplan.Row(p.Name)
		weighs := strings.HasSuffix(p.Name, "WEIGHT") || strings.HasSuffix(p.Name, "CAP")
		if row == nil || row.Index != "partition" || row.Category != "priority" || !weighs || p.Index == "" {
			continue
		}
		name := p.Index
		if n, err := strconv.Atoi(name); err == nil && opt.documented("partition_weights") {
			if n >= len(names) {
				f.diags.Warnf("maui-partition-number", p.NameSpan, "%s[%d] is for a partition that the file does not name", p.Name, n).
					Note("write the partition's name; numbers count ALL, DEFAULT and then the names in their order in the file")
				continue
			}
			name = names[n]
		}
		f.partitions = append(f.partitions, partitionSetting{name, setting{p.Name, mauiValue(p.Value), p.Raw, p.Span}})
	}
}

// partitionNames lists the partitions by number: two that always exist, then those that
// the file names, from its top to its bottom.
func partitionNames(cfg *mauicfg.Config) []string {
	type mention struct {
		name string
		at   source.Span
	}
	var seen []mention
	for _, p := range cfg.Params {
		row, named := mauiplan.Row(p.Name), p.Index != "" && (p.Index[0] < '0' || p.Index[0] > '9')
		if row != nil && row.Index == "partition" && named {
			seen = append(seen, mention{p.Index, p.NameSpan})
		}
	}
	for i := range cfg.Objects {
		if a := cfg.Objects[i].Attr("PARTITION", ""); cfg.Objects[i].Family == "NODECFG" && a != nil {
			seen = append(seen, mention{a.Value.Text, a.Span})
		}
	}
	slices.SortStableFunc(seen, func(a, b mention) int { return int(a.at.Start) - int(b.at.Start) })
	names := []string{"ALL", "DEFAULT"}
	for _, m := range seen {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// partitionScope is the policy's parameters as one partition of nodes has them.
type partitionScope struct {
	name string
	set  map[string]setting
	env  *celexpr.Env
}

// partitionScopes makes one scope for each partition with settings of its own.
func (l *lowering) partitionScopes(o celexpr.Options) []partitionScope {
	if !l.opt.documented("partition_weights") {
		return nil
	}
	var scopes []partitionScope
	for _, f := range l.fronts {
		for _, s := range f.partitions {
			p := l.params.by[s.name]
			if p == nil || p.Type != s.value.Type {
				continue
			}
			i := slices.IndexFunc(scopes, func(k partitionScope) bool { return k.name == s.partition })
			if i < 0 {
				i = len(scopes)
				scopes = append(scopes, partitionScope{name: s.partition, set: map[string]setting{}})
			}
			scopes[i].set[s.name] = s.setting
		}
	}
	for i := range scopes {
		own := o
		own.Params = maps.Clone(o.Params)
		for name, s := range scopes[i].set {
			own.Params[name] = s.value
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
		within.env, within.diags = p.env, new(diag.List) // said already of the whole machine
		own := within.scalar(s, celexpr.WantNumber, celexpr.CredentialScope)
		if !own.IsSet() {
			continue
		}
		out.Expr = &expr.Expr{Op: expr.Cond, Type: schema.Double, Args: []*expr.Expr{p.asked(), own.Expr, out.Expr}, Span: out.Expr.Span}
		for _, src := range slices.Clone(out.Sources) {
			if v, ok := p.set[src.Name]; ok {
				out.Sources = append(out.Sources, ir.Source{Name: fmt.Sprintf("%s[%s]", src.Name, p.name), Value: v.value, Span: v.span})
			}
		}
	}
	return out
}

// asked is the condition that the job asks for this partition of nodes and no other.
func (p *partitionScope) asked() *expr.Expr {
	const text = "size(job.node_partitions) == 1 && each.key in job.node_partitions"
	compiled, diags := p.env.Compile(celexpr.Source{Span: source.NewFile("partition "+p.name, []byte(text)).Span(0, len(text)),
		Each: map[string]schema.Value{"key": schema.StringValue(p.name)}}, celexpr.WantBool)
	if compiled == nil {
		panic("INVARIANT: " + text + " compiles: " + diags[0].Message)
	}
	return compiled.Expr
}
