package backfill

import (
	"encoding/binary"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill/profile"
)

// kind are requests that differ only in size and time: they may use the same nodes.
// What was found for one of them bounds when larger ones can start.
type kind struct {
	like    *Request // any of them
	admits  []bool   // by reservation
	fixed   bool     // each node has so many tasks; then size is in nodes, else in tasks
	each    int64    // tasks on each node if fixed
	nodes   int64    // the fewest nodes if not fixed, and
	most    int64    // the most; 0 is any number
	base    []int64  // of each node
	task    []int64  // of each task
	options []option
	tokens  []tokenWant
	user    int32 // if users matter
	never   string

	bound          *profile.Bound
	family         *family
	point          []int64 // in the bound of its family
	sizes, seconds []int64 // of all its requests
}

// option is one way to place a kind: in one of its partitions, with one of its features where all nodes must
// have the same.
type option struct {
	partition  int32   // into machine.partitions; -1 is anywhere
	inside     []int32 // the reservation that was asked for, at its times; nil is none
	down       bool
	lacking    bool  // nodes that are asked for by name will not do
	alone      bool  // no other job on its nodes
	private    bool  // no other user on its nodes
	maxSeconds int64 // 0 is no limit
	pool       int32 // that its nodes are in; -1 if there are none
	cells      []cell
	demand     *profile.Demand // in a pool of shared nodes
	view       int32           // of that pool
	counts     []int64         // of each of the features that must be so many
	uniform    bool            // every node has the same room, and no node is special
	room       int64           // tasks on a node if uniform
	sieve      Sieve           // how many nodes pass each test
	total      int64           // nodes that have room when empty, whatever their state

	lasting []int32           // reservations that keep it out for ever, or again and again; nil until they are looked up
	idle    []*profile.Steps  // of its cells, with nothing on them but reservations
	windows map[[2]int64]bool // what of these sizes and seconds fits then
}

// cell is a class in an option.
type cell struct {
	class    int32
	view     int32
	size     int64  // its nodes
	room     int64  // tasks on an empty node
	all      bool   // all of its nodes are asked for by name
	features uint64 // which of the option's counted features they have
}

// ask is one waiting request's place in its kind.
type ask struct {
	kind    int32
	size    int64
	seconds int64 // the longest run: its limit, Forever if it has none
	least   int64 // the shortest that it accepts
}

// asks finds the kinds of all waiting requests.
func (p *planner) asks() {
	p.ask = make([]ask, len(p.requests))
	known, families := map[string]int32{}, map[string]*family{}
	slots := len(p.dims.classes) > 0
	var key []byte
	admitted := make([]bool, len(p.Reservations))
	for i := range p.requests {
		r := &p.requests[i]
		if r.runs() && len(r.Allocated) > 0 {
			continue
		}
		size, fixed, each := r.shape()
		p.admitted(r, admitted)
		key = p.familyKey(key[:0], r, fixed, each, slots, admitted)
		common := len(key)
		key = r.PerNode.key(r.PerTask.key(key))
		at, ok := known[string(key)]
		if !ok {
			at = int32(len(p.kinds))
			known[string(key)] = at
			k := &kind{like: r, admits: slices.Clone(admitted), fixed: fixed, each: each}
			if !fixed {
				k.nodes = max(r.Nodes, int64(len(r.Hosts)), 1)
				if k.most = r.NodesMax; r.Nodes > 0 || k.most > 0 {
					k.most = max(k.most, k.nodes)
				}
			}
			p.kinds = append(p.kinds, k)
			if k.family = families[string(key[:common])]; k.family == nil {
				k.family = &family{}
				families[string(key[:common])] = k.family
			}
			k.family.kinds = append(k.family.kinds, k)
		}
		a := ask{kind: at, size: size, seconds: r.WalltimeSeconds}
		if a.seconds <= 0 || a.seconds > Forever {
			a.seconds = Forever
		}
		a.least = a.seconds
		if r.WalltimeMinSeconds > 0 {
			a.least = min(a.seconds, r.WalltimeMinSeconds)
		}
		p.ask[i] = a
		k := p.kinds[at]
		k.sizes, k.seconds = append(k.sizes, size), append(k.seconds, a.least)
	}
	for _, k := range p.kinds {
		p.options(k)
	}
	for _, f := range families {
		f.compare()
	}
}

// shape is how large a request is: so many nodes with a fixed number of tasks each, or
// so many tasks wherever they find room.
func (r *Request) shape() (size int64, fixed bool, each int64) {
	counted := int64(0)
	for _, a := range r.Features.Alternatives {
		counted += max(a.Count, 0)
	}
	nodes, tasks := max(r.Nodes, int64(len(r.Hosts)), counted, 0), r.Tasks
	switch {
	case nodes > 0 && tasks <= nodes:
		return nodes, true, 1
	case nodes > 0 && r.TasksPerNode > 0 && tasks == nodes*r.TasksPerNode:
		return nodes, true, r.TasksPerNode
	case nodes > 0 && (len(r.Hosts) > 0 || r.Features.Counted()):
		return nodes, true, (tasks + nodes - 1) / nodes
	}
	return max(tasks, 1), false, 0
}

// familyKey is the same for requests of one kind, and of kinds that differ in amounts alone.
func (p *planner) familyKey(b []byte, r *Request, fixed bool, each int64, slots bool, admitted []bool) []byte {
	flags := byte(r.Sharing)
	if fixed {
		flags |= 4
	}
	if r.Features.SameForAll {
		flags |= 8
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, each)
	if !fixed {
		b = binary.AppendVarint(b, r.Nodes)
		b = binary.AppendVarint(b, r.NodesMax)
	}
	b = binary.AppendVarint(b, r.TasksPerNode)
	b = r.Minimum.key(b)
	b = appendList(b, r.Partitions)
	b = binary.AppendUvarint(b, uint64(len(r.Features.Alternatives)))
	for _, a := range r.Features.Alternatives {
		b = appendList(b, a.All)
		b = binary.AppendVarint(b, a.Count)
	}
	for _, hosts := range [...][]int32{r.Hosts, r.Excluded} {
		b = binary.AppendUvarint(b, uint64(len(hosts)))
		for _, h := range hosts {
			b = binary.AppendVarint(b, int64(h))
		}
	}
	b = appendText(b, r.Reservation)
	if slots {
		b = appendText(b, r.Class)
	}
	if p.users {
		b = appendText(b, r.User)
	}
	for _, name := range sortedKeys(r.Licenses) {
		b = appendText(b, name)
		b = binary.AppendVarint(b, r.Licenses[name])
	}
	if r.ArrayMax > 0 {
		b = binary.AppendVarint(b, r.Array)
	}
	for i, is := range admitted {
		if p.Follows(i) {
			continue
		}
		if is {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	return b
}
