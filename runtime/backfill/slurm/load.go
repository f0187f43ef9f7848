package slurm

// fromTheEnd gives a job of one processor the last of the lightest nodes (pack_serial_at_end, _eval_nodes_serial).
func (c *chooser) fromTheEnd(candidates set) bool {
	best := int32(-1)
	for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
		if best < 0 || c.p.weight(i, c.w, c.u) <= c.p.weight(best, c.w, c.u) {
			best = i
		}
	}
	if best >= 0 {
		c.take(best)
	}
	return c.enough()
}

// byLoad takes nodes as CR_LLN and LLN of a partition have it: of the lightest ones again and again that which has the
// greatest share of its processors free, the first of several (_eval_nodes_lln; recorded: select-lln).
func (c *chooser) byLoad(candidates set) bool {
	// a processor is left for each node that is wanted, as far as there are any (recorded: select-lln, job 6;
	// loopback-lln-few, 13)
	c.least = max(c.least, min(c.nodes, int64(candidates.count())))
	candidates = candidates.clone() // a try without the smallest nodes goes on from them
	for c.goesOn() {
		best := int32(-1)
		for i := candidates.next(0); i >= 0; i = candidates.next(i + 1) {
			if (c.required == nil || !c.required.has(i)) && (best < 0 || c.lessLoaded(i, best)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		c.take(best)
		candidates.remove(best)
	}
	return c.suffices()
}

// lessLoaded reports that a node goes before another.
func (c *chooser) lessLoaded(i, other int32) bool {
	if a, b := c.p.weight(i, c.w, c.u), c.p.weight(other, c.w, c.u); a != b {
		return a < b
	}
	all, allOther := c.p.nodes[i].Capacity.Procs, c.p.nodes[other].Capacity.Procs
	return (all-c.u.procs[i])*allOther > (allOther-c.u.procs[other])*all
}
