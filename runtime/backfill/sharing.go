package backfill

// sharedClasses says on which classes two jobs can be on one node at a time. The others can be counted by nodes:
// there a node that anything is on is as good as full. Whether it is so is asked of pairs: two waiting jobs, a
// waiting one beside one that runs, beside what is in use by unknown jobs, beside what a reservation keeps of a node.
func (p *planner) sharedClasses() []bool {
	shared := make([]bool, len(p.classes))
	least := p.leastWanted()
	capacity := make([][]int64, len(p.classes))
	fits := func(class int32, beside []int64) bool {
		if least[class] == nil {
			return false
		}
		if capacity[class] == nil {
			capacity[class] = p.dims.capacity(p.node(class))
		}
		for d, c := range capacity[class] {
			if beside[d]+least[class][d] > c {
				return false
			}
		}
		return true
	}
	for c := range p.classes {
		shared[c] = fits(int32(c), least[c])
		for _, r := range p.classes[c].reservations {
			shared[c] = shared[c] || least[c] != nil && p.Reservations[r].Amounts.Procs > 0
		}
	}
	known := make([]bool, len(p.Nodes))
	for i := range p.ends {
		r := &p.requests[i]
		base, task := p.dims.wants(r, p.alone(r))
		for _, s := range r.Allocated {
			if s.Node < 0 || int(s.Node) >= len(p.Nodes) {
				continue
			}
			known[s.Node] = true
			if c := p.classOf[s.Node]; !shared[c] && least[c] != nil {
				shared[c] = fits(c, p.dims.has(base, task, s))
			}
		}
	}
	for n := range p.Nodes {
		if c := p.classOf[n]; !shared[c] && !known[n] && p.Nodes[n].Used.Procs > 0 {
			shared[c] = fits(c, p.dims.vector(&p.Nodes[n].Used))
		}
	}
	return shared
}

// leastWanted is, for each class, of each dimension the least that any waiting job takes of one of its nodes; nil if
// all of them have their nodes alone. No job takes less than that: what has no room beside it has none beside any.
func (p *planner) leastWanted() [][]int64 {
	least := make([][]int64, len(p.classes))
	for _, k := range p.kinds {
		tasks := int64(1)
		if k.fixed {
			tasks = k.each
		}
		var wants []int64
		for o := range k.options {
			if k.options[o].alone {
				continue
			}
			if wants == nil {
				wants = taken(k.base, k.task, tasks)
			}
			for _, c := range k.options[o].cells {
				switch known := least[c.class]; {
				case p.node(c.class).Sharing == SingleJob:
				case known == nil:
					least[c.class] = append([]int64(nil), wants...)
				default:
					for d, v := range wants {
						known[d] = min(known[d], v)
					}
				}
			}
		}
	}
	return least
}
