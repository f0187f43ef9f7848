package backfill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// never says what of a request no time can give; "" if it can run some day. Nodes that are down
// count: they may come back.
func (p *planner) never(i int) string {
	r, a := &p.requests[i], &p.ask[i]
	k := p.kinds[a.kind]
	if k.never != "" {
		return k.never
	}
	for t := range k.tokens {
		want := &k.tokens[t]
		if want.count > want.of.total {
			return fmt.Sprintf("it asks for %d of licence %s, there are %d", want.count, want.of.name, want.of.total)
		}
	}
	if r.Deadline > 0 && profile.End(max(p.now, r.Begin), a.least) > r.Deadline {
		return fmt.Sprintf("its walltime of %s does not end before its deadline", duration(a.least))
	}
	words := ""
	for o := range k.options {
		w := p.neverIn(k, &k.options[o], a)
		if w == "" {
			return ""
		}
		if words == "" {
			words = w
		}
	}
	return words
}

// neverIn says why a request does not fit one option when everything is idle.
func (p *planner) neverIn(k *kind, o *option, a *ask) string {
	if o.maxSeconds > 0 && a.least > o.maxSeconds && a.least < Forever {
		return fmt.Sprintf("its walltime of %s is over the %s that partition %s allows", duration(a.least),
			duration(o.maxSeconds), p.partitions[o.partition].Name)
	}
	if o.inside != nil && a.least > p.longestInside(o) {
		return fmt.Sprintf("its walltime of %s is longer than what is left of reservation %s", duration(a.least),
			p.Reservations[o.inside[0]].Name)
	}
	if o.uniform && len(k.like.Hosts) == 0 {
		if w := o.want(k, a); !w.never && w.nodes <= o.total {
			return p.neverFree(k, o, a)
		}
	}
	sizes := make([]int64, len(o.cells))
	for i, c := range o.cells {
		sizes[i] = int64(len(p.classes[c.class].nodes))
	}
	if o.lacking {
		return "the nodes that it insists on cannot take it: " + p.hostWords(k, o)
	}
	if o.enough(o.want(k, a), sizes) {
		return p.neverFree(k, o, a)
	}
	asks, least := "it asks for "+Count(a.size, "node"), a.size
	if !k.fixed {
		asks, least = Asks(a.size, k.nodes), max(k.nodes, 1)
	}
	if lacks := o.sieve.Lacks(asks, least); lacks != "" {
		return lacks
	}
	if len(o.counts) > 0 {
		return asks + ", and too few nodes have the features"
	}
	if !k.fixed {
		room := int64(0)
		for i, c := range o.cells {
			room += min(c.room, a.size) * sizes[i]
		}
		if room >= a.size && k.most > 0 {
			return fmt.Sprintf("%s, more than %s %s", asks, Count(k.most, "node"), agreeing(k.most, "have room for"))
		}
		return fmt.Sprintf("%s, there is room for %d", asks, room)
	}
	return fmt.Sprintf("%s, %d can take it", asks, o.total)
}

// hostWords says which of the nodes that a request insists on cannot take it: those it excludes itself, else those
// that lack what it asks for.
func (p *planner) hostWords(k *kind, o *option) string {
	var names, excluded []string
	for _, h := range k.like.Hosts {
		if !slices.ContainsFunc(o.cells, func(c cell) bool { return slices.Contains(p.classes[c.class].nodes, h) }) {
			names = append(names, p.Nodes[h].Name)
		}
		if slices.Contains(k.like.Excluded, h) {
			excluded = append(excluded, p.Nodes[h].Name)
		}
	}
	if len(excluded) > 0 {
		return "it excludes " + strings.Join(excluded, ", ")
	}
	return strings.Join(names, ", ") + " cannot give what it asks for"
}

// sizeWords say what of a node is asked.
func (p *planner) sizeWords(k *kind, minimum []int64) string {
	least, tasks := make([]int64, p.dims.count), int64(1)
	if k.fixed {
		tasks = k.each
	}
	for i := range least {
		least[i] = max(k.base[i]+tasks*k.task[i], minimum[i])
	}
	amounts := Amounts{Procs: least[dimProcs], MemMB: least[dimMemory], SwapMB: least[dimSwap], DiskMB: least[dimDisk],
		Gres: least[dimGres:]}
	words := SizeWords(&amounts, p.Gres)
	if at, ok := p.dims.classes[k.like.Class]; ok && least[at] > 0 {
		words += ", class " + k.like.Class
	}
	return words
}
