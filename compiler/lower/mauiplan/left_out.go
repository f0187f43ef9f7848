package mauiplan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// leftOutParams are parameters that a plan does without, and what it does instead. A value that Maui itself makes
// nothing of is no difference.
var leftOutParams = []struct {
	name    string
	harmful func(schema.Value) bool
	instead string
}{
	{"ALLOCLOCALITYPOLICY", set, "where nodes are is not known"},
	{"BFPRIORITYPOLICY", is("RANDOM"), "jobs are tried by priority, so that two plans of one queue are the same"},
	{"FEATURENODETYPEHEADER", set, "nodes have no types"},
	{"FEATUREPARTITIONHEADER", set, "nodes are in the partitions that the snapshot and NODECFG say"},
	{"FEATUREPROCSPEEDHEADER", set, "nodes have the speeds that NODECFG says"},
	{"NODEALLOCATIONPOLICY", is("MINLOCAL", "MINGLOBAL"),
		"Maui has these words without an algorithm, and the last nodes are taken"},
	{"NODECPUOVERCOMMITFACTOR", set, "nodes have the processors that the snapshot says"},
	{"NODEMEMOVERCOMMITFACTOR", set, "nodes have the memory that the snapshot says"},
	{"PREEMPTPOLICY", set, "jobs that run stay where they are"},
	{"RESDEPTH", func(v schema.Value) bool { return v.Int < 24 }, "a node may have any number of reservations"},
	{"TASKDISTRIBUTIONPOLICY", is("LOCAL", "ARBGEO", "PACK", "ROUNDROBIN"), "nodes are filled one after the other"},
}

// leftOutAttributes are those of a family's lines.
var leftOutAttributes = map[string]map[string]string{
	"NODECFG": {
		"AVLMEMWEIGHT": noWeights, "AVLPROCWEIGHT": noWeights, "CFGMEMWEIGHT": noWeights, "CFGPROCWEIGHT": noWeights,
		"LOADWEIGHT": noWeights,
		"PRIOWEIGHT": noWeights, "SPEEDWEIGHT": noWeights, "USAGEWEIGHT": noWeights,
		"CFGDISK": asSnapshot, "CFGMEM": asSnapshot, "CFGSWAP": asSnapshot, "RADISK": asSnapshot,
		"RESOURCES": asSnapshot, "GRES": asSnapshot,
		"FRAME": noPlaces, "SLOT": noPlaces, "SIZE": noPlaces, "NETWORK": "nodes have no networks",
		"MAXPEPERJOB": "a node takes jobs of any size",
	},
	"SRCFG": {
		"FLAGS": "a reservation is like any other", "IDLETIME": "it stays when it is idle",
		"JOBATTRLIST": "attributes of jobs admit no one", "OWNER": "it has no owner",
		"PRIORITY":  "reservations are made in the order of their lines",
		"PROCLIMIT": "jobs of any size use it", "TASKLIMIT": "jobs of any size use it",
	},
}

const (
	noWeights  = "PRIORITYF says what a node's priority is"
	asSnapshot = "nodes have what the snapshot says"
	noPlaces   = "where nodes are is not known"
)

func set(schema.Value) bool { return true }

func is(words ...string) func(schema.Value) bool {
	return func(v schema.Value) bool { return slices.Contains(words, strings.ToUpper(v.Str)) }
}

// leftOut are the settings of the policy that its plans do without, in the order of the file.
func (m *settings) leftOut() []program.LeftOut {
	var list []program.LeftOut
	add := func(setting, instead string, span source.Span) {
		list = append(list, program.LeftOut{Setting: setting, Instead: instead, Span: span})
	}
	for _, s := range m.said {
		ofObject := s.attr != ""
		if instead := leftOutAttributes[s.family][s.attr]; ofObject && instead != "" {
			add(s.attr+" of "+s.family+"["+s.index+"]", instead, s.Span)
		}
		if old, ok := strings.CutPrefix(s.family, "SR"); ok && !ofObject && leftOutAttributes["SRCFG"][old] != "" {
			add(s.Name, leftOutAttributes["SRCFG"][old], s.Span)
		}
		if s.attr == "PRIORITYF" {
			for _, word := range []string{"PREF", "USAGE"} {
				if slices.ContainsFunc(priorityTerms(s.Value.Str),
					func(t program.PriorityTerm) bool { return t.Quantity == word }) {
					add(word+" in "+s.Name, "it counts as 0, for no input says it", s.Span)
				}
			}
		}
		if !ofObject && s.family == "BACKFILLPOLICY" && is("PREEMPT")(s.Value) {
			add("the preempting of "+s.Name+" PREEMPT",
				"jobs start without regard to those before them, and stay where they are", s.Span)
		}
		for _, p := range leftOutParams {
			if p.name == "BFPRIORITYPOLICY" && m.word("BACKFILLPOLICY") != "PREEMPT" {
				continue
			}
			if !ofObject && s.family == p.name && p.harmful(s.Value) {
				add(s.Name, p.instead, s.Span)
			}
		}
	}
	slices.SortFunc(list, func(a, b program.LeftOut) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Setting, b.Setting))
	})
	return list
}
