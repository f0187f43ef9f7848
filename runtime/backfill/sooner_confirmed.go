package backfill

// confirmed keeps of the native planner's offers what the scheduler that made the plan confirms, at the time at which
// that starts it. What it does not confirm is made smaller, a few times.
func (s *Schedule) confirmed(at int, offers []Offer) ([]Offer, error) {
	var out []Offer
	r := &s.Requests[at]
	for _, o := range offers {
		search := confirming{schedule: s, at: at, before: Forever}
		if pl := &s.Placements[at]; pl.By != ByNone {
			search.before = pl.Start
		}
		switch {
		case o.WalltimeSeconds < r.WalltimeSeconds:
			unit := int64(shortestSeconds) // no one asks for seconds
			search.search(o.Start, o.WalltimeSeconds/unit, r.WalltimeSeconds/unit, func(n int64) Offer {
				smaller := o
				if n != o.WalltimeSeconds/unit {
					smaller.WalltimeSeconds = n * unit
				}
				return smaller
			})
		case r.Nodes > 0 && o.Nodes < r.Nodes:
			search.search(o.Start, o.Nodes, r.Nodes, func(n int64) Offer {
				if o.Tasks == r.Tasks && r.Tasks > r.Nodes { // the same tasks on fewer nodes
					return Offer{Nodes: n, Tasks: o.Tasks, WalltimeSeconds: o.WalltimeSeconds}
				}
				return Offer{Nodes: n, Tasks: max(n, o.Tasks*n/o.Nodes), WalltimeSeconds: o.WalltimeSeconds}
			})
		case o.Tasks < r.Tasks:
			search.search(o.Start, o.Tasks, r.Tasks, func(n int64) Offer {
				return Offer{Nodes: o.Nodes, Tasks: n, WalltimeSeconds: o.WalltimeSeconds}
			})
		}
		if search.err != nil {
			return nil, search.err
		}
		if search.found {
			out = append(out, search.best)
		}
	}
	return out, nil
}

// Each question is a plan of its own: so often an offer is halved until one is confirmed, and so often the gap to the
// next larger one that is not.
const halvings, refinements = 5, 8

// confirming looks for the largest request that is confirmed, as well as few questions tell.
type confirming struct {
	schedule *Schedule
	at       int
	before   int64
	best     Offer
	found    bool
	err      error
}

// search begins at what the native planner offers for a start; a request of the size high is what the job asks for.
func (c *confirming) search(start, low, high int64, offer func(n int64) Offer) {
	offered := low
	for range halvings + 1 {
		if c.ask(offer(low)) {
			break
		}
		if high = low; low <= 1 || c.err != nil {
			return
		}
		low /= 2
	}
	if low == offered && c.best.Start == start {
		return // as large as starts then
	}
	for range refinements {
		middle := low + (high-low)/2
		if !c.found || c.err != nil || middle == low {
			return
		}
		if start := c.best.Start; c.ask(offer(middle)) && c.best.Start <= start {
			low = middle
		} else {
			high = middle
		}
	}
}

// ask notes an offer that is confirmed, unless a smaller one starts before it.
func (c *confirming) ask(o Offer) bool {
	start, ok, err := c.schedule.Smaller(c.at, o)
	if c.err = err; err != nil || !ok || start >= c.before {
		return false
	}
	if c.found && start > c.best.Start {
		return false
	}
	o.Start = start
	c.best, c.found = o, true
	return true
}
