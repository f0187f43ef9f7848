package slurmconf

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

// totals adds up what the partition's nodes have, as scontrol shows it under
// TRES. All of a node's Gres and all local licenses count here, whether or not
// AccountingStorageTRES tracks them.
func (e *evaluator) totals(p *Partition) {
	p.TotalNodes = len(p.Nodes)
	memory := int64(0)
	type resource struct {
		kind, name, typ string
		count           int64
	}
	var more []resource // named in the end: a partition may have hundreds of kinds of nodes
	add := func(kind, name, typ string, n uint64) {
		i := slices.IndexFunc(more, func(r resource) bool { return r.kind == kind && r.name == name && r.typ == typ })
		if i < 0 {
			i, more = len(more), append(more, resource{kind: kind, name: name, typ: typ})
		}
		more[i].count = plus(more[i].count, n)
	}
	for _, s := range e.specs(p.Nodes) {
		p.TotalCPUs += s.nodes * s.spec.CPUs
		memory = plus(memory, timesNodes(s.spec.RealMemoryMB, s.nodes))
		for _, g := range s.spec.Gres {
			n := timesNodes(g.Count, s.nodes)
			add("gres/", g.Name, "", n)
			if g.Type != "" {
				add("gres/", g.Name, g.Type, n)
			}
		}
	}
	for _, l := range licenses(e.cfg.Text("Licenses")) {
		add("license/", l.Name, "", l.Count)
	}
	p.TRES = slurmtext.TRESList{
		{Name: "cpu", Count: int64(p.TotalCPUs)}, {Name: "mem", Count: memory}, {Name: "node", Count: int64(p.TotalNodes)},
	}
	for _, r := range more {
		name := r.kind + r.name
		if r.typ != "" {
			name += ":" + r.typ
		}
		p.TRES = append(p.TRES, slurmtext.TRES{Name: name, Count: r.count})
	}
	billing := int64(p.TotalCPUs)
	if p.TRESBillingWeights != nil {
		billing = e.billing(p)
	}
	p.TRES = slices.Insert(p.TRES, 3, slurmtext.TRES{Name: "billing", Count: billing})
}

// billing weighs the totals by TRESBillingWeights and cuts to a whole number:
// the sum, or with MAX_TRES the largest of cpu, mem, node and gres plus the
// rest (assoc_mgr's weighted TRES, which gives sinfo and sprio their capacity).
func (e *evaluator) billing(p *Partition) int64 {
	flags := ParsePriorityFlags(e.cfg.Text("PriorityFlags"), e.version)
	sum, largest := 0.0, 0.0
	for _, w := range p.TRESBillingWeights {
		count, _ := p.TRES.Get(w.Name)
		value := float64(count) * w.Value
		gres := strings.HasPrefix(w.Name, "gres/")
		perNode := w.Name == "cpu" || w.Name == "mem" || w.Name == "node"
		if flags.MaxTRES && (perNode || gres) || flags.MaxTRESGres && perNode {
			largest = max(largest, value)
		} else {
			sum += value
		}
	}
	return int64(min(max(sum+largest, 0), math.MaxInt64/2))
}

// specCount is a spec and how many of some nodes have it.
type specCount struct {
	spec  *NodeSpec
	nodes int
}

// specs groups nodes by their record, so that sums take one step for each.
func (e *evaluator) specs(nodes []int) (groups []specCount) {
	e.numberSpecs()
	for _, i := range nodes {
		k := e.specGroup[e.specOf[i]]
		if k == 0 {
			groups = append(groups, specCount{spec: e.cfg.Nodes[i].NodeSpec})
			k = int32(len(groups))
			e.specGroup[e.specOf[i]] = k
		}
		groups[k-1].nodes++
	}
	for _, i := range nodes {
		e.specGroup[e.specOf[i]] = 0
	}
	return groups
}

// numberSpecs numbers the specs once all nodes are known, so that each partition can count its own
// without a map.
func (e *evaluator) numberSpecs() {
	if len(e.specOf) == len(e.cfg.Nodes) {
		return
	}
	numbers := map[*NodeSpec]int32{}
	e.specOf = make([]int32, len(e.cfg.Nodes))
	for i := range e.cfg.Nodes {
		spec := e.cfg.Nodes[i].NodeSpec
		if _, ok := numbers[spec]; !ok {
			numbers[spec] = int32(len(numbers))
		}
		e.specOf[i] = numbers[spec]
	}
	e.specGroup = make([]int32, len(numbers))
}

// timesNodes multiplies without wrapping.
func timesNodes(n uint64, nodes int) uint64 { return min(n, (1<<62)/uint64(nodes)) * uint64(nodes) }

// plus keeps sums of absurd sizes from wrapping.
func plus(a int64, b uint64) int64 { return int64(min(uint64(a)+min(b, 1<<62), 1<<62)) }

// License is one entry of the Licenses key.
type License struct {
	Name  string
	Count uint64
}

// licenses reads name:count or name=count, one where there is no count. Text
// that is no count makes slurmctld ignore the list; so does this.
func licenses(text string) (list []License) {
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		name, count, counted := strings.Cut(strings.Replace(item, "=", ":", 1), ":")
		l := License{Name: name, Count: 1}
		if counted {
			n, err := strconv.ParseUint(count, 10, 32)
			if err != nil {
				return nil
			}
			l.Count = n
		}
		list = append(list, l)
	}
	return list
}
