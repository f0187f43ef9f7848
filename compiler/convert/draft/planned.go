package draft

import (
	"reflect"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Shares reports that usage counts.
func (e *Effects) Shares() bool {
	for id := range e.Reads {
		if strings.HasPrefix(id.Name(), "fairshare_") {
			return true
		}
	}
	for t := range Targets(e.policy) {
		if t.Caps() {
			return true
		}
	}
	return false
}

// OfBackfill answers of for the policy's settings of backfill, by their number. Nothing but the plan is made of
// them. What is set for one node has its effect whatever is set for others, and the same effect as the same
// words of another; there may be thousands.
func (e *Effects) OfBackfill() func(i int) bool {
	p := ir.Policy{Name: e.policy.Name, Family: e.policy.Family, Version: e.policy.Version,
		Semantics: e.policy.Semantics, Deviations: e.policy.Deviations,
		Params: e.policy.Params, SlurmPlan: e.policy.SlurmPlan}
	var common []ir.Setting
	nodes := map[string][]ir.Setting{}
	for _, s := range e.policy.Backfill {
		if name := ofNode(s); name != "" {
			nodes[name] = append(nodes[name], s)
		} else {
			common = append(common, s)
		}
	}
	ofNodes := p
	ofNodes.Params = nil // what a node has no parameter decides, and there are hundreds of them
	plan := func(settings []ir.Setting, name string) program.Plan {
		whole := &p
		if name != "" {
			whole = &ofNodes
		}
		whole.Backfill = settings
		lower.Place(whole)
		return whole.Plan
	}
	known := map[string]bool{}
	return func(i int) bool {
		s := e.policy.Backfill[i]
		name := ofNode(s)
		words := strings.TrimPrefix(s.Name, "NODECFG["+name+"]") + "\x00"
		for _, other := range nodes[name] {
			words += strings.TrimPrefix(other.Name, "NODECFG["+name+"]") + "\x00" + other.Value.String() + "\x00"
		}
		changes, ok := known[words]
		if !ok || name == "" {
			settings := slices.Concat(common, nodes[name])
			whole := plan(settings, name)
			without := slices.DeleteFunc(settings,
				func(other ir.Setting) bool { return other.Name == s.Name && other.Span == s.Span })
			changes = !reflect.DeepEqual(whole, plan(without, name))
			known[words] = changes
		}
		return changes
	}
}

// ofNode is the node that a setting of backfill is of, "" for all others.
func ofNode(s ir.Setting) string {
	rest, ok := strings.CutPrefix(s.Name, "NODECFG[")
	name, _, _ := strings.Cut(rest, "]")
	if !ok || name == "DEFAULT" {
		return ""
	}
	return name
}
