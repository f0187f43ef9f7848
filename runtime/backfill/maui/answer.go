package maui

import (
	"fmt"
	"slices"
	"sort"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// Job is a job of the input.
func (p *Planner) Job(job int32) *Job { return &p.jobs[job] }

// PartitionOf is the partition of a job's nodes.
func (p *Planner) PartitionOf(nodes []backfill.Share) string {
	if len(nodes) == 0 {
		return ""
	}
	return p.partitions[p.nodes[nodes[0].Node].partition]
}

// Reserved reports a job that waits for a reservation of its own.
func (p *Planner) Reserved(job int32) bool { return p.reserved[job] != nil }

// Reservation is what is kept for a job that waits.
func (p *Planner) Reservation(job int32) (at backfill.Placement, ok bool) {
	r := p.reserved[job]
	if r == nil {
		return backfill.Placement{}, false
	}
	return backfill.Placement{Job: job, Start: r.Start, End: r.End, Nodes: r.Nodes, Partition: r.Partition, By: backfill.ByReservation}, true
}

// Alone is when a job starts that waits: when its reservation begins, else as soon as there is room for it whatever the
// others do (showstart); ok is false if there is no time.
func (p *Planner) Alone(job int32) (start int64, partition string, ok bool) {
	if r := p.reserved[job]; r != nil {
		return r.Start, r.Partition, true
	}
	start, in, ok := p.estimate(&p.jobs[job])
	if !ok {
		return 0, "", false
	}
	return start, p.partitions[in], true
}

// estimate is what earliest finds once nothing changes any more: the times of a partition are computed once for all
// jobs that differ in their size alone.
func (p *Planner) estimate(j *Job) (at int64, partition int32, ok bool) {
	if j.Nodes > 0 || j.TasksPerNode > 0 || p.settings.Sets.Policy != "" || slices.Contains(p.oneNode, true) {
		at, partition, _, ok = p.earliest(j)
		return at, partition, ok
	}
	best := int32(-1)
	for k := range p.partitions {
		if !p.allowed(j, int32(k)) {
			continue
		}
		room := p.roomOver(j, int32(k))
		i := sort.Search(len(room), func(i int) bool { return room[i].most >= j.Tasks })
		if i < len(room) && (best < 0 || room[i].at < at) {
			at, best = room[i].at, int32(k)
		}
	}
	if best < 0 {
		return 0, 0, false
	}
	if p.plain(best) || p.place(j, best, at, nil, true) != nil { // of a plain partition room is all that it takes
		return at, best, true
	}
	at, partition, _, ok = p.earliest(j)
	return at, partition, ok
}

// roomUntil is the most room that there was for jobs of one kind that begin until a time.
type roomUntil struct {
	at, most int64
}

// kindOf tells jobs apart that have other times: all but their size.
type kindOf struct {
	partition int32
	seconds   int64
	text      string
}

func (p *Planner) roomOver(j *Job, partition int32) []roomUntil {
	who := ""
	if p.anyStanding || p.settings.Access != "SHARED" || j.Dedicated {
		who = fmt.Sprint(j.User, "/", j.Group, "/", j.Account, "/", j.QOS, "/", j.Dedicated)
	}
	kind := kindOf{partition, j.WalltimeSeconds, fmt.Sprint(who, j.Class, j.PerTask, j.Minimum, j.Features, j.Hosts, j.Excluded, j.Reservation)}
	room, known := p.rooms[kind]
	if known {
		return room
	}
	one := *j
	one.Tasks = 1 // what a node has room for does not go by it
	most, now := int64(0), int64(0)
	list := p.changes(&one, partition)
	for k := 0; k < len(list); {
		at := list[k].at
		for ; k < len(list) && list[k].at == at; k++ {
			now += list[k].tasks
		}
		if now > most {
			most = now
			room = append(room, roomUntil{at, most})
		}
	}
	if p.rooms == nil {
		p.rooms = map[kindOf][]roomUntil{}
	}
	p.rooms[kind] = room
	return room
}

// lacks says what of a job no time can give.
func (p *Planner) lacks(j *Job) string {
	nodes, tasks, largest := int64(0), int64(0), int64(0)
	for i := range p.nodes {
		n := &p.nodes[i]
		if !p.allowed(j, n.partition) || !p.suits(n, j) {
			continue
		}
		all := amounts{procs: n.Capacity.Procs, mem: n.Capacity.MemMB, swap: n.Capacity.SwapMB, disk: n.Capacity.DiskMB, gres: slices.Clone(n.Capacity.Gres)}
		d := *p.demand(j.Job)
		d.class = -1
		room := p.shaped(n, j, all.tasks(&d))
		if room > 0 {
			nodes++
		}
		tasks, largest = tasks+room, max(largest, all.tasks(&d))
	}
	switch {
	case nodes == 0 && largest == 0:
		return "no node that is up has what it asks for"
	case nodes == 0:
		return fmt.Sprintf("it may not span nodes, and no node has room for more than %d of its %d tasks", largest, j.Tasks)
	case nodes < j.Nodes:
		return fmt.Sprintf("it asks for %d nodes, and %d have what it asks for", j.Nodes, nodes)
	case tasks < j.Tasks:
		return fmt.Sprintf("it asks for %d tasks, and the nodes that have what it asks for have room for %d", j.Tasks, tasks)
	}
	return "its partition's nodes are never free together for as long as it runs, or the allocation policy finds none"
}
