package limit

import "slices"

// Fresh is a gate for the same jobs with all counters at zero.
func (g *Gate) Fresh() *Gate {
	c := g.Clone()
	for _, slots := range [][]slot{c.submit, c.idle, c.active, c.job, c.loaded} {
		reset(slots)
	}
	return c
}

// Clone is a gate with the same counters, to go on from without changing them.
func (g *Gate) Clone() *Gate {
	c := *g
	for _, phase := range []*[]slot{&c.submit, &c.idle, &c.active, &c.job, &c.loaded} {
		*phase = slices.Clone(*phase)
		for i := range *phase {
			(*phase)[i].counters = slices.Clone((*phase)[i].counters)
		}
	}
	return &c
}
