package slurm

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Which cores of a node jobs have is counted only where it matters: where a job that waits asks for few tasks on each
// socket. With CR_Core a job that starts has its cores from all sockets in turn (_cyclic_sync_core_bitmap), with CR_CPU
// or CR_CORE_DEFAULT_DIST_BLOCK from as few as hold it (_block_sync_core_bitmap); those of running jobs are listed by
// scontrol -d, else they are taken to have been given out in the same way (recorded: loopback-sockets-free, job 10).

// spots are cores of one node.
type spots []uint64

func (s spots) has(core int64) bool { return s != nil && s[core>>6]&(1<<(core&63)) != 0 }
func (s spots) add(core int64)      { s[core>>6] |= 1 << (core & 63) }

// seats reports that it matters which cores jobs have.
func (p *planner) seats() bool {
	if p.rows != nil || p.in.Settings.Linear || p.in.Settings.Sockets {
		return false
	}
	for k := range p.in.Waiting {
		if p.in.Waiting[k].TasksPerSocket > 0 {
			return true
		}
	}
	return false
}

// coresOf are the sockets of a node, the cores of each and the processors of each core; no sockets if those are not
// known.
func (p *planner) coresOf(i int32) (sockets, cores, threads int64) {
	threads = 1
	if p.threads != nil {
		threads = p.threads[i]
	}
	cores = p.nodes[i].CoresPerSocket
	if cores <= 1 {
		return 0, 0, threads
	}
	return p.nodes[i].Capacity.Procs / (cores * threads), cores, threads
}

// take counts the cores of a job as in use, or as free again.
func (u *usage) take(h *holding, free bool) {
	if u.spots == nil {
		return
	}
	for _, s := range h.shares {
		if s.spots == nil {
			continue
		}
		if u.spots[s.node] == nil {
			u.spots[s.node] = make(spots, len(s.spots))
		}
		for k, word := range s.spots {
			if free {
				u.spots[s.node][k] &^= word
			} else {
				u.spots[s.node][k] |= word
			}
		}
	}
}

// freeOf are the free cores of each socket.
func (p *planner) freeOf(u *usage, i int32) []int64 {
	sockets, cores, _ := p.coresOf(i)
	free := make([]int64, sockets)
	for c := range sockets * cores {
		if !u.spots[i].has(c) {
			free[c/cores]++
		}
	}
	return free
}

// seat says which cores a job has on its nodes.
func (p *planner) seat(h *holding) {
	if p.use.spots == nil || len(h.shares) > 0 && h.shares[0].spots != nil {
		return
	}
	for k := range h.shares {
		s := &h.shares[k]
		sockets, cores, t := p.coresOf(s.node)
		if sockets == 0 {
			continue
		}
		s.spots = make(spots, (sockets*cores+63)/64)
		if h.entry < 0 && p.listedCores(h, s, sockets*cores, t) {
			continue
		}
		taken := p.use.spots[s.node]
		var free []int64
		for c := range sockets * cores {
			if h.alone || !taken.has(c) {
				free = append(free, c)
			}
		}
		for _, c := range p.seatsOf(h, free, backfill.UpTo(s.procs, t), sockets, cores, t) {
			s.spots.add(c)
		}
	}
}

// listedCores reads the cores of a running job from the processors that are listed for it.
func (p *planner) listedCores(h *holding, s *share, cores, t int64) bool {
	r := p.requestOf(h)
	for k := range r.CPUs {
		if r.Allocated[k].Node != s.node || len(r.CPUs[k]) == 0 {
			continue
		}
		if most := int64(slices.Max(r.CPUs[k])); most >= cores*t { // all threads, also of cores that are one processor each
			t = most/cores + 1
		}
		for _, id := range r.CPUs[k] {
			s.spots.add(min(int64(id)/t, cores-1))
		}
		return true
	}
	return false
}

// seating is which cores of one node a job gets.
type seating struct {
	bySocket [][]int64 // cores that it may have
	need     int64     // processors
	each     int64     // of a core
	got      []int64
}

// seatsOf chooses n of the cores that are free.
func (p *planner) seatsOf(h *holding, free []int64, n, sockets, cores, t int64) []int64 {
	if h.alone || int64(len(free)) <= n {
		return free
	}
	g := seating{bySocket: make([][]int64, sockets), each: t, need: n * t}
	for _, c := range free {
		g.bySocket[c/cores] = append(g.bySocket[c/cores], c)
	}
	perTask, perSocket := max(1, p.requestOf(h).PerTask.Procs), p.requestOf(h).TasksPerSocket
	if perSocket > 0 {
		g.keepOf(perSocket * perTask)
	}
	switch {
	case p.in.Settings.Blocks || !p.in.Settings.Cores:
		g.blocks()
	case perSocket > 0:
		g.avoid()
		g.inTurn()
	default:
		if perTask > 1 {
			g.whole(perTask)
		}
		g.inTurn()
	}
	return g.got
}

// take gives it the first core that is left of a socket.
func (g *seating) take(s int) {
	g.got, g.bySocket[s] = append(g.got, g.bySocket[s][0]), g.bySocket[s][1:]
	g.need -= min(g.need, g.each)
}

// keepOf leaves of each socket the cores of so many processors.
func (g *seating) keepOf(most int64) {
	for s := range g.bySocket {
		g.bySocket[s] = g.bySocket[s][:min(int64(len(g.bySocket[s])), backfill.UpTo(most, g.each))]
	}
}

// avoid leaves out the first sockets that the job can do without.
func (g *seating) avoid() {
	total := int64(0)
	for _, list := range g.bySocket {
		total += int64(len(list)) * g.each
	}
	for s, list := range g.bySocket {
		if has := int64(len(list)) * g.each; total > g.need && total-has >= g.need {
			total -= has
			g.bySocket[s] = nil
		}
	}
}

// whole puts tasks of several processors on one socket each, socket by socket.
func (g *seating) whole(perTask int64) {
	for s := range g.bySocket {
		has := int64(len(g.bySocket[s])) * g.each
		for has -= has % perTask; has > 0 && g.need > 0 && len(g.bySocket[s]) > 0; has -= g.each {
			g.take(s)
		}
	}
}

func (g *seating) inTurn() {
	for more := true; more && g.need > 0; {
		more = false
		for s := range g.bySocket {
			if g.need > 0 && len(g.bySocket[s]) > 0 {
				g.take(s)
				more = true
			}
		}
	}
}

// blocks fills the socket that fits tightest, else the one with the most free cores.
func (g *seating) blocks() {
	for g.need > 0 {
		best, size := -1, int64(math.MaxInt64)
		needs := backfill.UpTo(g.need, g.each)
		for s := range g.bySocket {
			has := int64(len(g.bySocket[s]))
			if has == 0 {
				continue
			}
			if has < needs { // the larger the better, and worse than any that suffices
				has = math.MaxInt64 - has
			}
			if has < size {
				best, size = s, has
			}
		}
		if best < 0 {
			return
		}
		for g.need > 0 && len(g.bySocket[best]) > 0 {
			g.take(best)
		}
	}
}
