package mauiplan

import (
	"math"
	"slices"
	"sort"
)

// An offer is a node with the room that it has for a job.
type offer struct {
	node     int
	room     int64
	lasts    int64 // how long it stays free, for a start now
	affinity int   // higher is better
}

// up tells whether the resource manager lets the node be used.
func (t *twin) up(node int) bool {
	return slices.Contains([]string{"Idle", "Running", "Busy"}, t.Nodes[node].State)
}

// suits tells what never changes: the node is up, in the partition, and has what the job asks for, its tasks per node
// too (P50).
func (t *twin) suits(j *Job, node int, partition string) bool {
	n := &t.Nodes[node]
	if n.Partition != partition || !t.up(node) {
		return false
	}
	for _, f := range j.Features {
		if !slices.Contains(n.Features, f) {
			return false
		}
	}
	most := j.fit(n.Procs, n.MemMB)
	if j.Class != "" {
		most = min(most, n.Slots[j.Class])
	}
	return n.MemMB >= j.MinMemMB && most >= j.perNode() &&
		(len(j.Hosts) == 0 || slices.Contains(j.Hosts, n.Name))
}

// Affinities in the order in which nodes are taken (§5.4): of the job's own reservation, of standing reservations
// that admit it with +, with =, of no reservation, with -.
const (
	avoids = iota
	none
	neutral
	positive
	own
)

// affinity is what the job has for the node when it begins: of every reservation there that admits it, has not ended
// and begins before the node's room first becomes 0 from then on (P4, P81).
func (t *twin) affinity(j *Job, node int, begin int64) int {
	if h, ok := t.reservation(j); ok && slices.ContainsFunc(h.on, func(s Share) bool { return s.Node == node }) {
		return own
	}
	held := t.on(node, j)
	full := Forever
	for _, h := range held {
		if at := max(begin, h.start); at < full && t.roomAt(j, node, held, at) == 0 {
			full = at
		}
	}
	best := -1
	for _, h := range held {
		if h.standing == nil || h.start > full || h.end <= begin {
			continue
		}
		if ok, sign := h.standing.admits(j); ok {
			best = max(best, map[string]int{"": positive, "+": positive, "=": neutral, "-": avoids}[sign])
		}
	}
	if best < 0 {
		return none
	}
	return best
}

// dedicated is how many processors of a node jobs have at this moment.
func (t *twin) dedicated(node int) int64 {
	n := int64(0)
	for _, h := range t.holds {
		if h.job == nil || h.job.RunsOn == nil && t.started[h.job] == "" {
			continue
		}
		for _, s := range h.on {
			if s.Node == node {
				if t.whole() {
					return t.Nodes[node].Procs
				}
				n += s.Tasks * h.job.ProcsPerTask
			}
		}
	}
	return n
}

// taken is what starts of this iteration took of a node.
func (t *twin) taken(node int) (procs, mem int64) {
	for j := range t.started {
		for _, h := range t.holds {
			if h.job != j {
				continue
			}
			for _, s := range h.on {
				if s.Node == node {
					procs += s.Tasks * j.ProcsPerTask
					mem += s.Tasks * j.MemMBPerTask
					if t.whole() {
						procs = t.Nodes[node].Procs
					}
				}
			}
		}
	}
	return procs, mem
}

// offersNow are the nodes that serve a start now (P2, P3, P17, P28).
func (t *twin) offersNow(j *Job, partition string, from []int) []offer {
	var out []offer
	for node := range t.Nodes {
		n := &t.Nodes[node]
		if !t.suits(j, node, partition) || from != nil && !slices.Contains(from, node) {
			continue
		}
		if j.Class != "" && n.AvailableSlots[j.Class] < j.perNode() { // P66
			continue
		}
		procs, mem := t.taken(node)
		if t.whole() && (n.State != "Idle" || n.AvailableProcs < n.Procs || procs > 0) {
			continue
		}
		room, lasts := fromNow(t.stretches(j, node), j.Seconds)
		if lasts < j.Seconds {
			continue
		}
		if t.Rules.Available != "DEDICATED" {
			room = min(room, j.fit(n.AvailableProcs-procs, n.AvailableMemMB-mem))
		}
		if room < j.perNode() {
			continue
		}
		out = append(out, offer{node, room, lasts, t.affinity(j, node, 0)})
	}
	return out
}

// offersAt are the nodes that serve a start at a later time (P1).
func (t *twin) offersAt(j *Job, partition string, at int64, of map[int][]span) []offer {
	var out []offer
	for node := range t.Nodes {
		for _, s := range of[node] {
			if s.first <= at && at <= s.last {
				out = append(out, offer{node, s.room, 0, t.affinity(j, node, at)})
				break
			}
		}
	}
	return out
}

// enough are the offers with the room that counts, and whether they have room for all tasks together.
func (t *twin) enough(j *Job, offers []offer, later bool) ([]offer, bool) {
	total := int64(0)
	offers = slices.Clone(offers)
	for n := range offers {
		o := &offers[n]
		k, policy := j.perNode(), t.Rules.Allocation[""]
		if !later {
			o.room -= o.room % k
		} else if o.room < k {
			o.room = 0
		}
		o.room = min(o.room, j.Tasks)
		if later && (policy == "MINRESOURCE" || policy == "CPULOAD") {
			o.room -= o.room % k
		}
		total += o.room
	}
	return offers, total >= j.Tasks && int64(len(offers)) >= j.NodeCount
}

// place chooses nodes and gives them tasks (P22, P24). With tasks per node, a node has room for a multiple of them;
// what it then gives less than it could, because the job has no more tasks, is not made up: the job has fewer
// (P23, P42). For a later start the whole room of a node counts towards the job's tasks, and a multiple is given (P51).
func (t *twin) place(j *Job, offers []offer, later bool) []Share {
	offers, ok := t.enough(j, offers, later)
	if !ok {
		return nil
	}
	if len(j.Hosts) > 0 {
		return t.placeOnHosts(j, offers)
	}
	chosen, sum := 0, int64(0) // as many as the tasks and the node count need
	for chosen < len(offers) && (sum < j.Tasks || int64(chosen) < j.NodeCount) {
		sum += offers[chosen].room
		chosen++
	}
	offers = offers[:chosen]
	if n := j.NodeCount; n > 0 && j.Tasks%n == 0 {
		var even []Share
		for _, o := range offers {
			if o.room >= j.Tasks/n && int64(len(offers)) == n { // P62
				even = append(even, Share{o.node, j.Tasks / n})
			}
		}
		if int64(len(even)) == n {
			return even
		}
	}
	var out []Share
	left := j.Tasks
	for index, o := range offers {
		if left == 0 {
			break
		}
		tasks := min(o.room, left)
		if j.NodeCount > 0 {
			tasks = min(tasks, max(1, 1+left-(j.NodeCount-int64(index))))
		}
		given := min(tasks, o.room-o.room%j.perNode()) // P23
		if later {
			tasks = given
		}
		left -= tasks
		if given > 0 {
			out = append(out, Share{o.node, given})
		}
	}
	if left > 0 && !later {
		return nil
	}
	return out
}

// placeOnHosts gives each occurrence of a name one task (P24).
func (t *twin) placeOnHosts(j *Job, offers []offer) []Share {
	if int64(len(j.Hosts)) < j.Tasks {
		return nil
	}
	var out []Share
	for _, name := range j.Hosts[:j.Tasks] {
		k := slices.IndexFunc(offers, func(o offer) bool { return t.Nodes[o.node].Name == name })
		if k < 0 {
			return nil
		}
		out = append(out, Share{offers[k].node, 1})
	}
	return out
}

// order sorts the offers as the allocation policy does: by affinity first, then as it says.
func (t *twin) order(j *Job, offers []offer, policy string, later, unsorted bool) []offer {
	before := func(a, b offer) bool { return a.node < b.node }
	by := func(key func(offer) float64, then func(a, b offer) bool) func(a, b offer) bool {
		return func(a, b offer) bool {
			if key(a) != key(b) {
				return key(a) > key(b)
			}
			return then(a, b)
		}
	}
	last := func(a, b offer) bool { return a.node > b.node }
	less := before
	switch policy {
	case "LOCAL": // has no implementation
		return nil
	case "FIRSTAVAILABLE", "MAXBALANCE":
	case "MINRESOURCE", "CPULOAD":
		less = by(func(o offer) float64 { return -bucket(t.Nodes[o.node].MemMB) }, last)
		if policy == "CPULOAD" && !later {
			return t.idlest(j, offers)
		}
	case "PRIORITY":
		less = by(func(o offer) float64 { return t.nodePriority(o, later) }, before)
	case "FASTEST":
		less = by(func(o offer) float64 { return math.Trunc(t.Nodes[o.node].Speed * 100) }, before)
	default:
		less = last
		if global := t.Rules.Allocation[""]; !later && (!unsorted || global == "" || global == "LASTAVAILABLE") {
			less = by(func(o offer) float64 { return float64(o.lasts) }, last)
		}
	}
	out := slices.Clone(offers)
	sort.SliceStable(out, func(a, b int) bool {
		if out[a].affinity != out[b].affinity && policy != "FIRSTAVAILABLE" && policy != "MAXBALANCE" {
			return out[a].affinity > out[b].affinity
		}
		return less(out[a], out[b])
	})
	return out
}

// bucket of memory: 64, 128, .. 8192 MB and more (§5.4).
func bucket(mem int64) float64 {
	size := int64(64)
	for size < 8192 && 2*size <= mem {
		size *= 2
	}
	return float64(size)
}

// idlest are the nodes of one affinity that are equally idle, within 0.1, highest index first: the idlest ones if
// they suffice, else the next ones by themselves, and no others (P25, P36).
func (t *twin) idlest(j *Job, offers []offer) []offer {
	idle := func(o offer) float64 {
		n := &t.Nodes[o.node]
		return float64(n.Procs) - max(float64(t.dedicated(o.node)), n.Load)
	}
	for affinity := own; affinity >= avoids; affinity-- {
		below := math.Inf(1)
		for range 2 {
			most := math.Inf(-1)
			for _, o := range offers {
				if o.affinity == affinity && idle(o) < below {
					most = max(most, idle(o))
				}
			}
			if math.IsInf(most, -1) {
				break
			}
			var out []offer
			for _, o := range slices.Backward(offers) {
				if o.affinity == affinity && idle(o) < below && idle(o) >= most-0.1 {
					out = append(out, o)
				}
			}
			if t.place(j, out, false) != nil {
				return out
			}
			below = most - 0.1
		}
	}
	return nil
}

// nodePriority is PRIORITYF of a node (§5.4); for a later start what changes is left out (P6).
func (t *twin) nodePriority(o offer, later bool) float64 {
	n := &t.Nodes[o.node]
	factors := t.Rules.Factors
	if factors == nil {
		factors = []Factor{{100, "PREF"}, {100, "RESAFFINITY"}, {1, "PRIORITY"}}
	}
	procs, mem := t.taken(o.node)
	sum := 0.0
	for _, f := range factors {
		v := 0.0
		switch f.Of {
		case "CMEM":
			v = float64(n.MemMB)
		case "CPROCS":
			v = float64(n.Procs)
		case "SPEED":
			v = n.Speed
		case "PRIORITY":
			v = n.Priority
		case "RESAFFINITY":
			v = float64(o.affinity - none)
		case "APROCS":
			v = float64(n.AvailableProcs - procs)
		case "AMEM":
			v = float64(n.AvailableMemMB - mem)
		case "LOAD":
			v = n.Load
		case "JOBCOUNT":
			for _, h := range t.holds {
				if h.job != nil && (h.job.RunsOn != nil || t.started[h.job] != "") &&
					slices.ContainsFunc(h.on, func(s Share) bool { return s.Node == o.node }) {
					v++
				}
			}
		}
		if later && slices.Contains([]string{"APROCS", "AMEM", "ASWAP", "ADISK", "LOAD", "USAGE", "JOBCOUNT"}, f.Of) {
			v = 0
		}
		sum += f.Weight * v
	}
	return sum
}

// now places a job on nodes for a start now; nil where it cannot.
func (t *twin) now(j *Job, partition string, from []int, policy string, backfill bool) []Share {
	if !t.holdsAll(j, partition) {
		return nil
	}
	offers := t.order(j, t.offersNow(j, partition, from), policy, false, backfill)
	return t.place(j, offers, false)
}

// holdsAll tells whether the suiting nodes could hold the job at once, each with what is configured (P33).
func (t *twin) holdsAll(j *Job, partition string) bool {
	most := int64(0)
	for node, n := range t.Nodes {
		if t.suits(j, node, partition) {
			most += min(j.fit(n.Procs, n.MemMB), n.Slots[j.Class])
		}
	}
	return most >= j.Tasks
}

// earliest is the first time from which on the job could run in the partition (§5.1, P1), with its nodes; ok false:
// never. With unplaced it is enough that there is room.
func (t *twin) earliest(j *Job, partition string, from int64, unplaced bool) (at int64, on []Share, ok bool) {
	policy := t.Rules.Allocation[""]
	if !t.holdsAll(j, partition) {
		return 0, nil, false
	}
	of := map[int][]span{}
	times := []int64{from}
	for node := range t.Nodes {
		if !t.suits(j, node, partition) {
			continue
		}
		list := t.stretches(j, node)
		for k := range list {
			if unplaced && list[k].start > 0 {
				list[k].starts = list[k].reaches // P80
			}
		}
		of[node] = spans(list, j.Seconds)
		for _, s := range of[node] {
			if s.first > from {
				times = append(times, s.first)
			}
		}
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		offers := t.offersAt(j, partition, at, of)
		if _, ok := t.enough(j, offers, true); !ok {
			continue
		}
		if unplaced {
			return at, nil, true
		}
		for k := range offers {
			for _, s := range of[offers[k].node] {
				if s.first <= at && at <= s.last {
					offers[k].room = s.begin
					break
				}
			}
		}
		if at == 0 && policy == "CPULOAD" && t.place(j, t.order(j, offers, policy, false, false), false) == nil {
			continue // P25: of what is idle now
		}
		if on := t.place(j, t.order(j, offers, policy, at > 0, false), true); on != nil { // P60
			return at, on, true
		}
	}
	return 0, nil, false
}
