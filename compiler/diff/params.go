package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
)

// params compares parameters of one scheduler by name, with defaults resolved. Between two
// schedulers no name means the same; there the terms are compared.
func (c *comparison) params() {
	if !c.family {
		return
	}
	used, idle := map[string]bool{}, map[string]bool{}
	for _, p := range []*ir.Policy{c.before, c.after} {
		uses(p, used, idle)
	}
	plans := map[string]bool{} // parameters that the planner goes by, with an index or without
	for _, s := range slices.Concat(c.before.Backfill, c.after.Backfill) {
		name, _, _ := strings.Cut(s.Name, "[")
		plans[name] = true
	}
	list := func(p, other *ir.Policy) (out []item) {
		there := map[string]bool{}
		for i := range other.Params {
			there[other.Params[i].Name] = true
		}
		old, known := oldNames(p)
		out = append(controllers(p), old...)
		for i := range p.Params {
			v := &p.Params[i]
			if carriers[v.Name] || known[v.Name] || slices.Contains(controllerParams, v.Name) || v.Set.IsZero() && !there[v.Name] {
				continue // a default that the other version does not know; what it did shows elsewhere
			}
			if isList(p.Family, v.Name) {
				out = append(out, listWords(p, v)...)
				continue
			}
			x := item{group: groupOf(p.Family, v.Name), key: v.Name, name: v.Name, side: Side{Value: withUnit(v), Span: v.Set}}
			x.means = meaningOf(v)
			if strings.Contains(v.Name, "rolog") || strings.Contains(v.Name, "pilog") { // which may stand several times
				for i, a := range repeated(p, v.Name) {
					if i > 0 {
						x.side.Value += fmt.Sprintf(" %q", a.Text)
						x.means = x.side.Value
					}
				}
			}
			switch {
			case used[v.Name] && x.group == Other:
				x.group = Priority
			case plans[v.Name] && x.group == Other:
				x.group = Planning
			case idle[v.Name] && !used[v.Name] && x.group == Priority:
				x.group = Other // nothing weighs what it is for
			}
			out = append(out, x)
		}
		return out
	}
	sides := [2][]item{list(c.before, c.after), list(c.after, c.before)}
	for _, side := range sides {
		for i := range side {
			name, _, _ := strings.Cut(side[i].name, " ")
			side[i].asleep(c.unweighed(name))
		}
	}
	c.items(sides[0], sides[1])
	for i := range c.found {
		if d := &c.found[i]; d.Group != Other || d.Reason != "" {
			param, _, _ := strings.Cut(d.Name, " ") // of a word of it
			c.changed[param] = true
			for _, s := range []*Side{d.Old, d.New} {
				if s != nil && !s.Span.IsZero() {
					c.places[s.Span] = true
				}
			}
		}
	}
}

// meaningOf is a value without its notation. Whether a number may have a fraction is none: the manual's parameters are
// other types than the program's.
func meaningOf(v *ir.Param) string {
	switch {
	case v.Name == "PriorityWeightTRES":
		return cmp.Or(tresMeaning(v.Value.Str), v.Value.String())
	case v.Name == "CredType":
		return withoutKind(v)
	}
	return plainValue(v.Value)
}

// plainValue is a value as it is compared.
func plainValue(v schema.Value) string {
	switch {
	case v.Known() && (v.Type == schema.Int || v.Type == schema.Double):
		return fmt.Sprint(v.Number())
	case v.Type == schema.StringList:
		list := slices.Clone(v.List)
		slices.Sort(list)
		return fmt.Sprintf("%q", list)
	}
	return v.String()
}

func withUnit(p *ir.Param) string {
	value := p.Value.String()
	if p.Unit != "" && p.Value.Known() {
		value += " " + p.Unit
	}
	if p.Set.IsZero() {
		value += " (default)"
	}
	return value
}

// uses finds the parameters that expressions are made of: of those that are evaluated, and of those
// that are not because their weight is 0.
func uses(p *ir.Policy, used, idle map[string]bool) {
	mark := func(set map[string]bool, list ...ir.Scalar) {
		for _, name := range names(list...) {
			set[name] = true
		}
	}
	each(p, func(c *ir.Component, t *ir.Term) { mark(used, c.Weight, c.Cap, t.Weight, t.Cap, t.Factor) })
	for i := range p.Components {
		c := &p.Components[i]
		mark(idle, c.Weight, c.Cap)
		for _, t := range c.Terms {
			mark(idle, t.Weight, t.Cap, t.Factor)
		}
	}
	mark(used, p.Finish.Floor, p.Finish.Ceiling)
	for _, o := range p.Finish.Overrides {
		mark(used, o.When, o.Value)
	}
	for _, h := range p.Holds {
		mark(used, h.When)
	}
}

// carriers are parameters that hold many settings; these are compared one by one.
var carriers = map[string]bool{
	"SelectTypeParameters": true, "PreemptMode": true,
}

// prefixes say what a parameter affects that no expression reads, by the longest beginning of its name.
var prefixes = map[string][]struct {
	begin string
	group Group
}{
	"slurm": {
		{"PriorityDecay", Fairshare}, {"PriorityUsage", Fairshare}, {"PriorityCalc", Fairshare}, {"PriorityFlags", Fairshare},
		{"FairShareDampeningFactor", Fairshare}, {"PrioritySiteFactor", Other}, {"Priority", Priority},
		{"AccountingStorageTRES", Fairshare}, {"EnforcePartLimits", Limits}, {"MaxJobCount", Limits}, {"MaxArraySize", Limits},
		{"Preempt", Queue}, {"SchedulerType", Planning}, {"SelectType", Planning}, {"KillWait", Planning}, {"OverTimeLimit", Planning},
		{"Licenses", Planning},
	},
	"maui": {
		{"FS", Fairshare}, {"MAX", Limits}, {"USERCFG", Credentials},
		{"RESERVATION", Planning}, {"BACKFILL", Planning}, {"BF", Planning}, {"RES", Planning}, {"NODE", Planning}, {"JOBNODEMATCH", Planning},
		{"DEFERTIME", Queue}, {"JOBPRIO", Queue}, {"ENABLE", Queue}, {"REJECT", Queue}, {"SYSTEM", Limits}, {"QUEUETIME", Priority}, {"XF", Priority},
	},
}

func groupOf(family, name string) Group {
	best, group := 0, Other
	for _, p := range prefixes[family] {
		if strings.HasPrefix(name, p.begin) && len(p.begin) > best {
			best, group = len(p.begin), p.group
		}
	}
	if strings.HasSuffix(name, "WEIGHT") || strings.HasSuffix(name, "CAP") {
		return Priority
	}
	return group
}

// scheduler compares what the policy is read for. Other semantics are one difference, which decides all deviations.
func (c *comparison) scheduler(p *ir.Policy) []item {
	family := p.Family
	if family == "" {
		family = "none: a policy from scratch"
	}
	out := []item{
		{group: Scheduler, key: "family", name: "scheduler", side: Side{Value: family}},
		{group: Scheduler, key: "semantics", name: "semantics", side: Side{Value: p.Semantics}},
	}
	if p.Version != "" {
		out = append(out, item{group: Scheduler, key: "version", name: "version", side: Side{Value: p.Version}})
	}
	documented := 0
	for _, d := range p.Deviations {
		if !d.Documented {
			continue
		}
		if documented++; c.before.Semantics == c.after.Semantics {
			out = append(out, item{group: Scheduler, key: "deviation " + d.Name, name: "deviation " + d.Name, side: Side{Value: "as the manual has it"}})
		}
	}
	if documented > 0 && c.before.Semantics != c.after.Semantics {
		out[1].side.Value += fmt.Sprintf(", in %d deviations: see fairway doc deviations", documented)
	}
	without := slices.Clone(p.Without)
	slices.Sort(without)
	for _, name := range slices.Compact(without) {
		out = append(out, item{group: Scheduler, key: "without " + name, name: "left out: " + name, side: Side{Value: "not evaluated"}})
	}
	return out
}
