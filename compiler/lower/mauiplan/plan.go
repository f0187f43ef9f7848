// Package mauiplan reads how Maui places jobs and walks its queue from a policy's parameters and the lines of
// maui.cfg, once, into typed settings. Its planner, and all who compare or print plans, read those.
package mauiplan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/stdlib"
)

// Plan reads how jobs are placed. Words that Maui does not take, which only policies in other languages than its
// own can contain, leave the program's default, as in Maui itself.
func Plan(p *ir.Policy) *program.MauiPlan {
	m := newSettings(p)
	plan := &program.MauiPlan{
		Backfill:     m.partitioned("BACKFILLPOLICY"),
		Metric:       m.metric(p),
		Depth:        m.number("BACKFILLDEPTH"),
		Combinations: m.number("BACKFILLMAXSCHEDULES"),
		PreemptOrder: m.word("BFPRIORITYPOLICY"),
		ChunkProcs:   m.number("BFCHUNKSIZE"), ChunkSeconds: m.number("BFCHUNKDURATION"),

		Reservations: m.word("RESERVATIONPOLICY"),
		Buckets:      m.buckets(),
		Threshold:    m.word("RESERVATIONTHRESHOLDTYPE"), ThresholdValue: m.number("RESERVATIONTHRESHOLDVALUE"),

		Allocation: m.partitioned("NODEALLOCATIONPOLICY"),
		Access:     m.word("NODEACCESSPOLICY"),
		Available:  availability(m.list("NODEAVAILABILITYPOLICY")),
		LoadFactor: m.get("NODEUNTRACKEDLOADFACTOR").Double, MaxLoad: m.get("NODEMAXLOAD").Double,
		LoadAsProcs: m.word("NODELOADPOLICY") == "ADJUSTPROCS",
		Sets: program.NodeSets{
			Policy: m.word("NODESETPOLICY"),
			// Maui compares features where no attribute is set.
			Attribute: cmp.Or(m.word("NODESETATTRIBUTE"), "FEATURE"),
			List:      m.list("NODESETLIST"), DelaySeconds: m.number("NODESETDELAY"),
			Priority: m.word("NODESETPRIORITYTYPE"), Tolerance: m.get("NODESETTOLERANCE").Double,
		},
		MultiNode:    m.switches("ENABLEMULTINODEJOBS"),
		DeferSeconds: m.number("DEFERTIME"),
		PollSeconds:  m.number("RMPOLLINTERVAL"),

		OverrunSeconds: m.number("JOBMAXOVERRUN"),

		DefaultPartitions: m.defaultPartitions(), Partitions: partitionsOf(p),
		Nodes: m.nodes(), Standing: m.standing(p.Documented("weekly_reservation")),
		SoftFirst: p.Documented("soft_backfill"), Combined: p.Documented("greedy_backfill"),
	}
	for partition, word := range plan.Backfill {
		if word == "BESTTIMEFIT" || word == "LAZY" {
			plan.Backfill[partition] = "FIRSTFIT" // accepted, and nothing else (recorded: b13)
		}
	}
	plan.ExactProcs = slices.Contains(m.list("JOBNODEMATCHPOLICY"), "EXACTPROC")
	if m.get("SERVERMODE").Str == "SIMULATION" {
		plan.InitialJobs = m.number("SIMINITIALQUEUEDEPTH")
	}
	plan.LeftOut = m.leftOut()
	return plan
}

// settings are the values by name, with an index as in NAME[index] and attributes as in FAMILY[name] ATTRIBUTE.
type settings struct {
	said   []said
	params map[string]*ir.Param
}

// said is what a line of maui.cfg says of a parameter with an index, or of an attribute of an object.
type said struct {
	ir.Setting
	family, index, attr string
}

func newSettings(p *ir.Policy) *settings {
	m := &settings{params: map[string]*ir.Param{}}
	for i := range p.Params {
		m.params[p.Params[i].Name] = &p.Params[i]
	}
	at := map[string]int{} // of two lines the last counts
	for _, s := range p.Backfill {
		line := said{Setting: s}
		line.family, line.index, line.attr = s.Parts()
		if i, ok := at[s.Name]; ok {
			m.said[i] = line
			continue
		}
		at[s.Name], m.said = len(m.said), append(m.said, line)
	}
	slices.SortStableFunc(m.said, func(a, b said) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return m
}

// rows are the parameters of Maui's table by name.
var rows = sync.OnceValue(func() map[string]*stdlib.Param {
	m := map[string]*stdlib.Param{}
	list := stdlib.MauiParams.Params()
	for i := range list {
		m[list[i].Name] = &list[i]
	}
	return m
})

// Row finds a parameter's row, nil if Maui's tables have none.
func Row(name string) *stdlib.Param { return rows()[name] }

// get is a value of the machine as a whole.
func (m *settings) get(name string) schema.Value {
	if p := m.params[name]; p != nil {
		return p.Value
	}
	return schema.Value{}
}

// word is one of those that the table has for the parameter, or its default.
func (m *settings) word(name string) string { return oneOf(m.get(name), name, Row(name).Default) }

// oneOf is the value if it is one of the words that the table has for the parameter. DEFAULT is the
// default by its name.
func oneOf(v schema.Value, name, fallback string) string {
	if word := strings.ToUpper(v.Str); word != "DEFAULT" && slices.Contains(Row(name).Enum, word) {
		return word
	}
	return fallback
}

// metric: those of the manual's list that Maui lacks count where the manual is followed (Δ25).
func (m *settings) metric(p *ir.Policy) string {
	const name = "BACKFILLMETRIC"
	word := strings.ToUpper(m.get(name).Str)
	if p.Documented("backfill_metric") && (word == "PE" || word == "PESECONDS") {
		return word
	}
	return m.word(name)
}

func (m *settings) number(name string) int64 { return m.get(name).Int }

func (m *settings) list(name string) []string { return m.get(name).List }

// partitioned is a word of the machine and of each partition that has its own.
func (m *settings) partitioned(name string) map[string]string {
	out := map[string]string{"": m.word(name)}
	m.indexed(name, func(index string, v schema.Value) {
		if word := oneOf(v, name, ""); word != "" {
			out[index] = word
		}
	})
	return out
}

func (m *settings) switches(name string) map[string]bool {
	out := map[string]bool{"": m.get(name).Int != 0}
	m.indexed(name, func(index string, v schema.Value) { out[index] = v.Int != 0 })
	return out
}

// indexed visits the values of NAME[index] in the order of the file.
func (m *settings) indexed(name string, visit func(index string, v schema.Value)) {
	for _, s := range m.said {
		if s.family == name && s.index != "" && s.attr == "" {
			visit(s.index, s.Value)
		}
	}
}

// maxBuckets is how many reservation buckets Maui has (MAX_MQOS).
const maxBuckets = 128

// buckets: the first has a depth of 1 if nothing else is given, the others none; all serve every QOS without a list.
func (m *settings) buckets() []program.ReservationBucket {
	all := []string{"[ALL]"}
	list := []program.ReservationBucket{{Depth: m.number("RESERVATIONDEPTH"), QOS: all}}
	if names := m.list("RESERVATIONQOSLIST"); len(names) > 0 {
		list[0].QOS = names
	}
	at := func(index string) *program.ReservationBucket {
		digits := strings.TrimRightFunc(index, func(c rune) bool { return c < '0' || c > '9' })
		k, err := strconv.Atoi(digits)
		if err != nil {
			k = 0 // a word is the first, DEFAULT too (recorded: ORA-RB-default)
		}
		if k < 0 || k >= maxBuckets {
			return nil
		}
		for len(list) <= k {
			list = append(list, program.ReservationBucket{QOS: all})
		}
		return &list[k]
	}
	m.indexed("RESERVATIONDEPTH", func(index string, v schema.Value) {
		if b := at(index); b != nil {
			b.Depth = v.Int
		}
	})
	m.indexed("RESERVATIONQOSLIST", func(index string, v schema.Value) {
		if b := at(index); b != nil && len(v.List) > 0 {
			b.QOS = v.List
		}
	})
	return list
}

// availability reads POLICY or POLICY:RESOURCE.
func availability(list []string) program.NodeAvailability {
	out := program.NodeAvailability{Procs: "COMBINED", Mem: "COMBINED", Swap: "COMBINED", Disk: "COMBINED"}
	for _, text := range list {
		policy, resource, _ := strings.Cut(strings.ToUpper(text), ":")
		if policy != "COMBINED" && policy != "DEDICATED" && policy != "UTILIZED" {
			continue
		}
		resources := map[string]*string{"PROC": &out.Procs, "MEM": &out.Mem, "SWAP": &out.Swap, "DISK": &out.Disk}
		for name, to := range resources {
			if resource == "" || resource == name {
				*to = policy
			}
		}
	}
	return out
}

// object is what a family's lines say of one name.
type object struct {
	name  string
	attrs map[string]schema.Value
	span  source.Span // the first of them
}

// objects are those of a family, in the order of their first lines.
func (m *settings) objects(family string) []*object {
	return m.gather(func(s said) (name, attr string, of bool) {
		return s.index, s.attr, s.family == family && s.attr != ""
	})
}

// gather collects objects from the lines that are of one.
func (m *settings) gather(part func(s said) (name, attr string, of bool)) []*object {
	byName := map[string]*object{}
	var list []*object
	for _, s := range m.said {
		name, attr, of := part(s)
		if !of {
			continue
		}
		o := byName[name]
		if o == nil {
			o = &object{name: name, attrs: map[string]schema.Value{}, span: s.Span}
			byName[name], list = o, append(list, o)
		}
		o.attrs[attr] = s.Value
	}
	slices.SortStableFunc(list, func(a, b *object) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.name, b.name))
	})
	return list
}

func (o *object) number(attr string, fallback int64) int64 {
	if v, ok := o.attrs[attr]; ok && v.Known() {
		return v.Int
	}
	return fallback
}

// defaultPartitions are those of credentials, by family and name as in USERCFG[amy], and that of the machine.
func (m *settings) defaultPartitions() map[string]string {
	defaults := map[string]string{}
	for _, s := range m.said {
		if s.attr == "PDEF" {
			defaults[s.family+"["+s.index+"]"] = s.Value.Str
		}
	}
	return defaults
}

// partitionsOf are the partitions that credentials name, as Maui comes to them: those of SYSCFG first (maui.md §1.1).
func partitionsOf(p *ir.Policy) (names []string) {
	for _, family := range [...]string{"SYSCFG", "QOSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG", "CLASSCFG"} {
		for _, s := range p.Backfill {
			if of, _, attr := s.Parts(); of != family || attr != "PLIST" && attr != "PDEF" {
				continue
			}
			for _, text := range append(slices.Clone(s.Value.List), s.Value.Str) {
				separates := func(c rune) bool { return strings.ContainsRune(":,&^", c) }
				for name := range strings.FieldsFuncSeq(text, separates) {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// The native planner's words for Maui's; what it has no word for is its default.
var (
	algorithms = map[string]string{"BESTFIT": "bestfit", "GREEDY": "greedy", "PREEMPT": "preempt", "NONE": "none"}
	metrics    = map[string]string{"NODES": "nodes", "SECONDS": "seconds", "PROCSECONDS": "proc_seconds"}
	accesses   = map[string]string{"SINGLEJOB": "single_job", "SINGLETASK": "single_job", "SINGLEUSER": "single_user"}
)

// Native is what the settings come to for the native planner: the first bucket's depth stands for all.
func Native(m *program.MauiPlan, n *program.NativePlan) {
	for _, w := range []struct {
		to    *string
		words map[string]string
		word  string
	}{{&n.Algorithm, algorithms, m.Backfill[""]}, {&n.Metric, metrics, m.Metric}, {&n.NodeAccess, accesses, m.Access}} {
		if word := w.words[w.word]; word != "" {
			*w.to = word
		}
	}
	n.Combinations = m.Combinations
	n.ReservationDepth = m.Buckets[0].Depth
	if m.Reservations == "NEVER" || n.Algorithm == "none" {
		n.ReservationDepth = 0
	}
}

// nodes are the NODECFG lines.
func (m *settings) nodes() []program.MauiNode {
	var list []program.MauiNode
	for _, o := range m.objects("NODECFG") {
		n := program.MauiNode{
			Name: o.name, Span: o.span, Access: o.attrs["ACCESS"].Str, Partition: o.attrs["PARTITION"].Str,
			Features: o.attrs["FEATURES"].List,
			Speed:    o.attrs["SPEED"].Double, ProcSpeed: o.attrs["PROCSPEED"].Int, Priority: o.attrs["PRIORITY"].Int,
			MaxLoad: o.attrs["MAXLOAD"].Double,
			MaxJobs: o.attrs["MAXJOB"].Int, MaxJobsPerUser: o.attrs["MAXJOBPERUSER"].Int,
			MaxProcs: o.attrs["MAXPROC"].Int, MaxProcsPerUser: o.attrs["MAXPROCPERUSER"].Int,
			PriorityF: priorityTerms(o.attrs["PRIORITYF"].Str),
		}
		if n.Name == "DEFAULT" {
			list = slices.Insert(list, 0, n)
			continue
		}
		list = append(list, n)
	}
	return list
}

// priorityTerms reads APROCS + 2*SPEED - LOAD; nil where there is none. What is no term of Maui's is left out.
func priorityTerms(text string) []program.PriorityTerm {
	var terms []program.PriorityTerm
	sign := 1.0
	for word := range strings.FieldsSeq(strings.NewReplacer("+", " + ", "-", " - ").Replace(strings.ToUpper(text))) {
		switch word {
		case "+":
			sign = 1
			continue
		case "-":
			sign = -1
			continue
		}
		factor, quantity, scaled := strings.Cut(word, "*")
		if !scaled {
			factor, quantity = "1", word
		}
		f, err := strconv.ParseFloat(factor, 64)
		if err == nil && slices.Contains(nodeQuantities, quantity) {
			terms = append(terms, program.PriorityTerm{Factor: sign * f, Quantity: quantity})
		}
		sign = 1
	}
	return terms
}

// nodeQuantities are what PRIORITYF may name.
var nodeQuantities = []string{
	"ADISK", "AMEM", "APROCS", "ASWAP", "CDISK", "CMEM", "CPROCS", "CSWAP", "JOBCOUNT", "LOAD", "PREF", "PRIORITY",
	"RESAFFINITY", "SPEED", "USAGE",
}
