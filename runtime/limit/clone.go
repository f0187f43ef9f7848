package limit

import "slices"

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
