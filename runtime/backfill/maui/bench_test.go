package maui_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/program"
)

// BenchmarkIterate plans a queue of ten thousand jobs on a machine that is mostly busy, and on an empty one.
func BenchmarkIterate(b *testing.B) {
	for _, c := range []struct{ jobs, nodes, procs int }{{10_000, 64, 32}, {10_000, 10_000, 8}} {
		for _, busy := range []bool{true, false} {
			b.Run(fmt.Sprintf("jobs=%d/nodes=%d/busy=%t", c.jobs, c.nodes, busy), func(b *testing.B) {
				in := queue(c.jobs, c.nodes, c.procs, busy)
				for b.Loop() {
					p := maui.New(in)
					p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
					p.Finish(nil)
				}
			})
		}
	}
}

// BenchmarkAlone finds the start of every job that waits, whatever the others do.
func BenchmarkAlone(b *testing.B) {
	for _, nodes := range []int{64, 10_000} {
		b.Run(fmt.Sprintf("jobs=10000/nodes=%d", nodes), func(b *testing.B) {
			in := queue(10_000, nodes, 8, true)
			for b.Loop() {
				b.StopTimer()
				p := maui.New(in)
				p.Iterate(newOpenQueue(len(in.Jobs), in.Runs))
				b.StartTimer()
				for job := range in.Jobs {
					p.Alone(int32(job))
				}
			}
		})
	}
}

// BenchmarkProject places every job that waits.
func BenchmarkProject(b *testing.B) {
	for _, nodes := range []int{64, 10_000} {
		b.Run(fmt.Sprintf("jobs=10000/nodes=%d", nodes), func(b *testing.B) {
			in := queue(10_000, nodes, 8, true)
			for b.Loop() {
				b.StopTimer()
				p := maui.New(in)
				q := newOpenQueue(len(in.Jobs), in.Runs)
				p.Iterate(q)
				list, _ := q.Select(true)
				b.StartTimer()
				p.Project(slices.DeleteFunc(slices.Clone(list), p.Reserved), nil)
			}
		})
	}
}

// queue makes jobs of up to a fifth of the machine and a few lengths.
func queue(jobs, nodes, procs int, busy bool) maui.Input {
	r := rand.New(rand.NewPCG(1, 2))
	c := &backfill.Cluster{}
	for k := range nodes {
		c.Nodes = append(c.Nodes, backfill.Node{Name: fmt.Sprint("n", k), State: "Idle", Up: true, Speed: 1,
			Capacity: backfill.Amounts{Procs: int64(procs), MemMB: 1 << 14}})
	}
	in := maui.Input{Cluster: c, Now: 1_700_000_000, Settings: settings()}
	add := func(tasks, seconds int64) *maui.Job {
		job := int32(len(in.Jobs))
		in.Jobs = append(in.Jobs, maui.Job{Request: backfill.Request{Job: job, Tasks: tasks,
			PerTask: backfill.Amounts{Procs: 1}, WalltimeSeconds: seconds}})
		return &in.Jobs[job]
	}
	running := 0
	if busy {
		for k := 0; k < nodes*19/20; k++ {
			j := add(int64(procs), 3600*int64(1+r.IntN(24)))
			j.Start, j.End = in.Now-600, in.Now+j.WalltimeSeconds-600-int64(r.IntN(3000))
			j.Allocated = []backfill.Share{{Node: int32(k), Tasks: int64(procs)}}
			running++
		}
	}
	lengths := []int64{300, 900, 1800, 3600, 7200, 14400, 43200, 86400}
	for range jobs {
		size := int64(1 + r.IntN(4))
		if r.IntN(10) == 0 {
			size = int64(1 + r.IntN(nodes*procs/5))
		}
		add(size, lengths[r.IntN(len(lengths))])
	}
	in.Runs = func(job int32) bool { return int(job) < running }
	return in
}

// settings are Maui's defaults.
func settings() *program.MauiPlan {
	return &program.MauiPlan{
		Backfill: map[string]string{"": "FIRSTFIT"}, Metric: "PROCS", Reservations: "CURRENTHIGHEST",
		Buckets:   []program.ReservationBucket{{Depth: 1, QOS: []string{"[ALL]"}}},
		Threshold: "NONE", Allocation: map[string]string{"": "LASTAVAILABLE"}, Access: "SHARED", LoadFactor: 1.2,
		MultiNode: map[string]bool{"": true},
		Available: program.NodeAvailability{Procs: "COMBINED", Mem: "COMBINED", Swap: "COMBINED", Disk: "COMBINED"},
	}
}

// openQueue has no limits.
type openQueue struct {
	list      []int32
	gone      []bool
	started   []int32
	overtaken int
}

func newOpenQueue(jobs int, runs func(int32) bool) *openQueue {
	q := &openQueue{gone: make([]bool, jobs)}
	for job := range int32(jobs) {
		if !runs(job) {
			q.list = append(q.list, job)
		}
	}
	return q
}

func (q *openQueue) Select(bool) (may, not []int32) {
	for _, job := range q.list {
		if q.gone[job] {
			not = append(not, job)
		} else {
			may = append(may, job)
		}
	}
	return may, not
}
func (q *openQueue) Over(int32, bool) bool   { return false }
func (q *openQueue) Start(job int32)         { q.gone[job] = true; q.started = append(q.started, job) }
func (q *openQueue) Defer(job int32, _ bool) { q.gone[job] = true }
func (q *openQueue) Overtake(above []int32) {
	for _, job := range above {
		if !q.gone[job] {
			q.overtaken++
		}
	}
}
