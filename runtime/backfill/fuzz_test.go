package backfill

import (
	"encoding/binary"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
)

// input deals out numbers from bytes: small ones, and now and then one of the ends of the range.
type input struct{ bytes []byte }

func (in *input) number() int64 {
	if len(in.bytes) == 0 {
		return 0
	}
	b := in.bytes[0]
	in.bytes = in.bytes[1:]
	switch {
	case b < 200:
		return int64(b % 32)
	case b < 220:
		return now + int64(b)
	case b < 240 && len(in.bytes) >= 8:
		v := int64(binary.LittleEndian.Uint64(in.bytes))
		in.bytes = in.bytes[8:]
		return v
	}
	return []int64{-1, -1 << 63, 1<<63 - 1, Forever, Forever - 1}[b%5]
}

func (in *input) indices() (list []int32) {
	for range in.number() % 4 {
		list = append(list, int32(in.number()))
	}
	return list
}

func (in *input) amounts() Amounts {
	return Amounts{Procs: in.number(), MemMB: in.number(), SwapMB: in.number() / 8, DiskMB: in.number() / 8,
		Gres: []int64{in.number() / 8}}
}

func (in *input) text() string { return []string{"", "a", "b"}[uint64(in.number())%3] }

// No input makes the planner fail: values are whatever a snapshot may hold.
func FuzzPlan(f *testing.F) {
	f.Add([]byte{2, 1, 4, 8, 0, 0, 0, 1, 0, 4, 8, 0, 0, 0, 1, 0, 3, 1, 1, 1, 1, 1, 1, 10})
	f.Add([]byte{250, 240, 241, 242, 243, 244, 230, 1, 2, 3, 4, 5, 6, 7, 8, 9, 250, 31, 30})
	f.Add([]byte("the quick brown fox jumps over the lazy dog, and back again, and once more with feeling"))
	f.Fuzz(fuzzBody)
}

func fuzzBody(t *testing.T, data []byte) {
	in := &input{data}
	c := &Cluster{Gres: []string{"gpu"}, Licenses: map[string]int64{"a": in.number()}}
	for range uint64(in.number()) % 6 {
		n := Node{Name: in.text(), Capacity: in.amounts(), Up: in.number() != 1, UpTime: in.number(),
			Sharing: Sharing(uint64(in.number()) % 3),
			Used:    Amounts{Procs: in.number() / 8}, Weight: in.number(), Partitions: []string{in.text()},
			Features: []string{in.text()}}
		if in.number() == 1 {
			n.Classes = map[string]int64{"a": in.number()}
		}
		if in.number() == 2 {
			n.ThreadsPerCore = in.number()
		}
		c.Nodes = append(c.Nodes, n)
	}
	for range uint64(in.number()) % 2 {
		c.Partitions = append(c.Partitions,
			Partition{Name: in.text(), Nodes: in.indices(), Up: in.number() != 1, MaxTimeSeconds: in.number(),
				Sharing: Sharing(uint64(in.number()) % 3)})
		c.Reservations = append(c.Reservations,
			Reservation{Name: in.text(), Start: in.number(), End: in.number(), Nodes: in.indices(), Amounts: in.amounts(),
				Licenses: map[string]int64{"a": in.number()}, Admits: func(r *Request) bool { return r.User == "a" }})
	}
	var requests []Request
	for i := range uint64(in.number()) % 3 {
		r := Request{Job: int32(i), User: in.text(), Start: in.number(), End: in.number(), Tasks: in.number(),
			PerTask: in.amounts()}
		for _, n := range in.indices() {
			r.Allocated = append(r.Allocated, Share{Node: n, Tasks: in.number()})
		}
		requests = append(requests, r)
	}
	for range uint64(in.number()) % 8 {
		r := Request{Job: int32(len(requests)), User: in.text(), Class: in.text(), Nodes: in.number(),
			NodesMax: in.number() / 4, Tasks: in.number(), TasksPerNode: in.number() / 8,
			PerTask: in.amounts(), PerNode: in.amounts(), Minimum: in.amounts(), Sharing: Sharing(uint64(in.number()) % 3),
			WalltimeSeconds: in.number(), WalltimeMinSeconds: in.number() / 16, Reservation: in.text(), Begin: in.number(),
			Deadline: in.number(),
			Hosts:    in.indices(), Excluded: in.indices(), After: in.indices(), AfterAny: in.number() == 1, Array: in.number(),
			ArrayMax: in.number() / 16}
		if in.number() == 1 {
			r.Partitions = []string{in.text(), in.text()}
			r.Features = Features{Alternatives: []FeatureSet{{All: []string{in.text()}, Count: in.number() / 16}},
				SameForAll: in.number() == 1}
			r.Licenses = map[string]int64{"a": in.number()}
		}
		requests = append(requests, r)
	}
	s := &program.NativePlan{Algorithm: []string{"firstfit", "bestfit", "greedy", "none",
		"preempt"}[uint64(in.number())%5], ReservationDepth: in.number(),
		WindowSeconds: in.number(), ResolutionSeconds: in.number()}
	schedule, err := Plan(c, requests, s, nil, now)
	if err != nil {
		return
	}
	schedule.Detail()
	for i, pl := range schedule.Placements {
		if pl.By != ByNone && pl.By != ByRunning &&
			(pl.Start < now || pl.End <= pl.Start || pl.Reason == "" && pl.Start > now) {
			t.Fatalf("job %d: %+v", i, pl)
		}
		if _, err := Sooner(schedule, pl.Job); err != nil {
			t.Fatal(err)
		}
	}
}
