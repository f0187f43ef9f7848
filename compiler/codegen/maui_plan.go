package codegen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/program"
)

// mauiPlan collects Maui's parameters about placing jobs; nil for other families. Words that Maui does not take, which
// only policies in other languages than its own can contain, leave the default, as in Maui itself.
func mauiPlan(p *ir.Policy) *program.MauiPlan {
	if p.Family != "maui" {
		return nil
	}
	m := newMauiSettings(p)
	plan := &program.MauiPlan{
		Backfill:     m.partitioned("BACKFILLPOLICY", "FIRSTFIT", "FIRSTFIT", "BESTFIT", "GREEDY", "PREEMPT", "NONE", "BESTTIMEFIT", "LAZY"),
		Metric:       m.word("BACKFILLMETRIC", "PROCS", metrics(p)...),
		Depth:        m.number("BACKFILLDEPTH", 0),
		Combinations: m.number("BACKFILLMAXSCHEDULES", 10000),
		PreemptOrder: m.word("BFPRIORITYPOLICY", "NONE", "RANDOM", "DURATION", "HWDURATION"),
		ChunkProcs:   m.number("BFCHUNKSIZE", 0), ChunkSeconds: m.number("BFCHUNKDURATION", 0),

		Reservations: m.word("RESERVATIONPOLICY", "CURRENTHIGHEST", "CURRENTHIGHEST", "HIGHEST", "NEVER"),
		Buckets:      m.buckets(),
		Threshold:    m.word("RESERVATIONTHRESHOLDTYPE", "NONE", "BYPASS", "QUEUETIME", "XFACTOR"), ThresholdValue: m.number("RESERVATIONTHRESHOLDVALUE", 0),

		Allocation: m.partitioned("NODEALLOCATIONPOLICY", "LASTAVAILABLE", "FIRSTAVAILABLE", "LASTAVAILABLE", "MINLOCAL", "MINGLOBAL", "MINRESOURCE",
			"PRIORITY", "CPULOAD", "FIRSTSET", "LOCAL", "CONTIGUOUS", "MAXBALANCE", "FASTEST"),
		Access:     m.word("NODEACCESSPOLICY", "SHARED", "SHARED", "SINGLEJOB", "SINGLETASK", "SINGLEUSER"),
		Available:  availability(m.list("NODEAVAILABILITYPOLICY")),
		LoadFactor: m.double("NODEUNTRACKEDLOADFACTOR", 1.2), MaxLoad: m.double("NODEMAXLOAD", 0),
		LoadAsProcs: m.word("NODELOADPOLICY", "ADJUSTSTATE", "ADJUSTPROCS") == "ADJUSTPROCS",
		Sets: program.NodeSets{
			Policy: m.word("NODESETPOLICY", "", "ONEOF", "ANYOF", "FIRSTOF"), Attribute: m.word("NODESETATTRIBUTE", "FEATURE", "MEMORY", "PROCSPEED"),
			List: m.list("NODESETLIST"), DelaySeconds: m.number("NODESETDELAY", 0),
			Priority: m.word("NODESETPRIORITYTYPE", "MINLOSS", "BESTFIT", "WORSTFIT", "BESTRESOURCE"), Tolerance: m.double("NODESETTOLERANCE", 0),
		},
		MultiNode:    m.switches("ENABLEMULTINODEJOBS"),
		DeferSeconds: m.number("DEFERTIME", 3600),
		PollSeconds:  m.number("RMPOLLINTERVAL", 60),

		DefaultPartitions: m.defaultPartitions(), Partitions: partitionsOf(p),
		Nodes: m.nodes(), Standing: m.standing(documented(p, "weekly_reservation")),
		SoftFirst: documented(p, "soft_backfill"), Combined: documented(p, "greedy_backfill"),
	}
	for partition, word := range plan.Backfill {
		if word == "BESTTIMEFIT" || word == "LAZY" {
			plan.Backfill[partition] = "FIRSTFIT" // accepted, and nothing else (recorded: b13)
		}
	}
	plan.ExactProcs = slices.Contains(m.list("JOBNODEMATCHPOLICY"), "EXACTPROC")
	plan.LeftOut = m.leftOut()
	return plan
}

// metrics: those of the manual's list that Maui lacks count where the manual is followed (Δ25).
func metrics(p *ir.Policy) []string {
	list := []string{"PROCS", "NODES", "PROCSECONDS", "SECONDS"}
	if documented(p, "backfill_metric") {
		list = append(list, "PE", "PESECONDS")
	}
	return list
}

// mauiSettings are the values by name, with an index as in NAME[index] and attributes as in FAMILY[name] ATTRIBUTE.
type mauiSettings struct {
	values map[string]ir.Setting
	params values
}

func newMauiSettings(p *ir.Policy) *mauiSettings {
	m := &mauiSettings{values: map[string]ir.Setting{}, params: values{}}
	for i := range p.Params {
		m.params[p.Params[i].Name] = &p.Params[i]
	}
	for _, s := range p.Backfill {
		m.values[s.Name] = s
	}
	return m
}

// get is a value of the machine as a whole.
func (m *mauiSettings) get(name string) schema.Value {
	if p := m.params[name]; p != nil {
		return p.Value
	}
	return schema.Value{}
}

func (m *mauiSettings) word(name, fallback string, known ...string) string {
	return oneOf(m.get(name), fallback, known)
}

func oneOf(v schema.Value, fallback string, known []string) string {
	if word := strings.ToUpper(v.Str); slices.Contains(known, word) {
		return word
	}
	return fallback
}

func (m *mauiSettings) number(name string, fallback int64) int64 {
	if v := m.get(name); v.Type == schema.Int && v.Known() {
		return v.Int
	}
	return fallback
}

func (m *mauiSettings) double(name string, fallback float64) float64 {
	if v := m.get(name); v.Type == schema.Double && v.Known() {
		return v.Double
	}
	return fallback
}

func (m *mauiSettings) list(name string) []string { return m.get(name).List }

// partitioned is a word of the machine and of each partition that has its own.
func (m *mauiSettings) partitioned(name, fallback string, known ...string) map[string]string {
	out := map[string]string{"": m.word(name, fallback, known...)}
	m.indexed(name, func(index string, s ir.Setting) {
		if word := oneOf(s.Value, "", known); word != "" {
			out[index] = word
		}
	})
	return out
}

func (m *mauiSettings) switches(name string) map[string]bool {
	out := map[string]bool{}
	if v := m.get(name); v.Known() {
		out[""] = v.Int != 0
	}
	m.indexed(name, func(index string, s ir.Setting) { out[index] = s.Value.Int != 0 })
	return out
}

// indexed visits the values of NAME[index] in the order of the file, in which the last of two counts.
func (m *mauiSettings) indexed(name string, visit func(index string, s ir.Setting)) {
	type line struct {
		index   string
		setting ir.Setting
	}
	var lines []line
	for key, s := range m.values {
		if rest, ok := strings.CutPrefix(key, name+"["); ok && strings.HasSuffix(rest, "]") {
			lines = append(lines, line{strings.TrimSuffix(rest, "]"), s})
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.setting.Span.Start, b.setting.Span.Start), cmp.Compare(a.index, b.index))
	})
	for _, l := range lines {
		visit(l.index, l.setting)
	}
}

// maxBuckets is how many reservation buckets Maui has (MAX_MQOS).
const maxBuckets = 128

// buckets: the first has a depth of 1 if nobody says otherwise, the others none; all serve every QOS without a list.
func (m *mauiSettings) buckets() []program.ReservationBucket {
	all := []string{"[ALL]"}
	list := []program.ReservationBucket{{Depth: m.number("RESERVATIONDEPTH", 1), QOS: all}}
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
	m.indexed("RESERVATIONDEPTH", func(index string, s ir.Setting) {
		if b := at(index); b != nil {
			b.Depth = s.Value.Int
		}
	})
	m.indexed("RESERVATIONQOSLIST", func(index string, s ir.Setting) {
		if b := at(index); b != nil && len(s.Value.List) > 0 {
			b.QOS = s.Value.List
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
		for name, to := range map[string]*string{"PROC": &out.Procs, "MEM": &out.Mem, "SWAP": &out.Swap, "DISK": &out.Disk} {
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
func (m *mauiSettings) objects(family string) []*object {
	byName := map[string]*object{}
	var list []*object
	for key, s := range m.values {
		rest, ok := strings.CutPrefix(key, family+"[")
		name, attr, cut := strings.Cut(rest, "] ")
		if !ok || !cut {
			continue
		}
		o := byName[name]
		if o == nil {
			o = &object{name: name, attrs: map[string]schema.Value{}, span: s.Span}
			byName[name], list = o, append(list, o)
		}
		o.attrs[attr] = s.Value
		if s.Span.Start < o.span.Start {
			o.span = s.Span
		}
	}
	slices.SortFunc(list, inFileOrder)
	return list
}

func inFileOrder(a, b *object) int {
	return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.name, b.name))
}

func (o *object) number(attr string, fallback int64) int64 {
	if v, ok := o.attrs[attr]; ok && v.Known() {
		return v.Int
	}
	return fallback
}

// defaultPartitions are those of credentials, by family and name as in USERCFG[amy], and that of the machine.
func (m *mauiSettings) defaultPartitions() map[string]string {
	defaults := map[string]string{}
	for name, setting := range m.values {
		if of, ok := strings.CutSuffix(name, " PDEF"); ok {
			defaults[of] = setting.Value.Str
		}
	}
	return defaults
}

// partitionsOf are the partitions that credentials name, as Maui comes to them: those of SYSCFG first (maui.md §1.1).
func partitionsOf(p *ir.Policy) (names []string) {
	for _, family := range [...]string{"SYSCFG", "QOSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG", "CLASSCFG"} {
		for _, s := range p.Backfill {
			if !strings.HasPrefix(s.Name, family+"[") || !strings.HasSuffix(s.Name, " PLIST") && !strings.HasSuffix(s.Name, " PDEF") {
				continue
			}
			for _, text := range append(slices.Clone(s.Value.List), s.Value.Str) {
				for name := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(":,&^", c) }) {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}
