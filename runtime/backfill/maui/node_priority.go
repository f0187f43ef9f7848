package maui

// nodePriority is what NODEALLOCATIONPOLICY PRIORITY goes by: PRIORITYF, or its default.
//
// Free processors are those of this moment, the load is what the resource manager reported (recorded: n01). Of a job
// that begins later what is so at this moment is left out (maui.md §9 P6).
func (p *Planner) nodePriority(c *candidate, now bool) float64 {
	n := c.node
	if n.formula == nil {
		return 100*wanted(c.wants) + float64(n.priority)
	}
	sum := 0.0
	for _, term := range n.formula {
		if now || !momentary[term.Quantity] {
			sum += term.Factor * p.quantity(c, term.Quantity)
		}
	}
	return sum
}

// momentary are the quantities that say how a node is used at this moment.
var momentary = map[string]bool{"APROCS": true, "AMEM": true, "ASWAP": true, "ADISK": true, "LOAD": true, "USAGE": true,
	"JOBCOUNT": true}

// wanted is an affinity as a number.
func wanted(a affinity) float64 {
	switch a {
	case positive:
		return 1
	case negative:
		return -1
	}
	return 0
}

func (p *Planner) quantity(c *candidate, name string) float64 {
	n := c.node
	free := n.freeNow()
	switch name {
	case "APROCS":
		return float64(free.procs)
	case "AMEM":
		return float64(free.mem)
	case "ASWAP":
		return float64(free.swap)
	case "ADISK":
		return float64(free.disk)
	case "CPROCS":
		return float64(n.Capacity.Procs)
	case "CMEM":
		return float64(n.Capacity.MemMB)
	case "CSWAP":
		return float64(n.Capacity.SwapMB)
	case "CDISK":
		return float64(n.Capacity.DiskMB)
	case "LOAD":
		return n.Load
	case "SPEED":
		return n.Speed
	case "PRIORITY":
		return float64(n.priority)
	case "RESAFFINITY":
		return wanted(c.wants)
	case "JOBCOUNT":
		count := 0.0
		for _, h := range n.holds {
			if h.start <= p.now && h.end > p.now {
				count++
			}
		}
		return count
	}
	return 0 // PREF and USAGE: nothing tells what a job prefers, or how much a node was used
}
