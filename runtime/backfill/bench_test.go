package backfill

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/runtime/program"
)

// workload is a queue to measure with.
type workload struct {
	nodes, jobs, classes int
	adversarial          bool // sizes are uniform and all walltimes differ
	shared               bool // a few processors and some memory of each node
	memories             bool // and no two jobs ask for as much of it
}

// roundTimes are walltimes that people ask for, in seconds.
var roundTimes = []int64{900, 1800, 3600, 2 * 3600, 4 * 3600, 6 * 3600, 8 * 3600, 12 * 3600, 24 * 3600, 48 * 3600,
	72 * 3600}

// make draws the queue: 41 jobs run on half of the nodes; of those that wait, 60 % ask for a power of two
// of nodes, the others are of a heavy tail up to half of them; 70 % ask for a round time.
func (w workload) make() (*Cluster, []Request) {
	random := rand.New(rand.NewPCG(1, uint64(w.jobs)))
	c := &Cluster{}
	for i := range w.nodes {
		n := Node{Name: fmt.Sprintf("n%05d", i), Capacity: Amounts{Procs: 32, MemMB: 128 << 10}, Up: true}
		if w.classes > 1 {
			n.Features = []string{fmt.Sprintf("f%02d", i%w.classes)}
		}
		c.Nodes = append(c.Nodes, n)
	}
	var requests []Request
	at := 0
	for i := range 41 {
		r := Request{Job: int32(i), User: "u", Start: max(now-3600, 1), End: now + 60*random.Int64N(2000), Tasks: 1,
			Sharing: SingleJob}
		for ; at < (i+1)*w.nodes/82; at++ {
			r.Allocated = append(r.Allocated, Share{Node: int32(at), Tasks: 1})
		}
		r.Tasks = int64(len(r.Allocated))
		if len(r.Allocated) > 0 {
			requests = append(requests, r)
		}
	}
	var wishes [][]FeatureSet // some three classes each; people repeat what they ask for
	for range 40 {
		var list []FeatureSet
		for range 2 + random.IntN(3) {
			list = append(list, FeatureSet{All: []string{fmt.Sprintf("f%02d", random.IntN(max(w.classes, 1)))}})
		}
		wishes = append(wishes, list)
	}
	most := w.nodes / 2 / max(w.classes, 1)
	for len(requests) < w.jobs+41 {
		r := Request{Job: int32(len(requests)), User: "u", Sharing: SingleJob, PerTask: Amounts{Procs: 1}}
		if random.Float64() < 0.6 {
			r.Nodes = 1 << random.IntN(bitsOf(most))
		} else {
			r.Nodes = int64(min(math.Pow(random.Float64(), -1.2), float64(most)))
		}
		if random.Float64() < 0.7 {
			r.WalltimeSeconds = roundTimes[random.IntN(len(roundTimes))]
		} else {
			r.WalltimeSeconds = 60 + random.Int64N(48*3600)
		}
		if w.adversarial {
			r.Nodes, r.WalltimeSeconds = 1+random.Int64N(int64(most)), 600+random.Int64N(1<<18)
		}
		if w.classes > 1 {
			r.Features.Alternatives = wishes[random.IntN(len(wishes))]
		}
		if w.shared {
			r.Sharing = Shared
			r.Nodes = 1 << random.IntN(4)
			r.PerTask = Amounts{Procs: 1 << random.IntN(6), MemMB: 1024 << random.IntN(8)}
			if w.memories {
				r.PerTask.MemMB = 1 + random.Int64N(128<<10)
			}
		}
		r.Tasks = r.Nodes
		requests = append(requests, r)
	}
	return c, requests
}

func bitsOf(n int) (bits int) {
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}

// cpu is the time that the process has computed.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// plan is how long one plan takes.
func (w workload) plan(b *testing.B, c *Cluster, requests []Request, s program.NativePlan, slow bool) time.Duration {
	begin := cpu()
	p, err := newPlanner(c, requests, &s, nil, now)
	if err != nil {
		b.Fatal(err)
	}
	p.linear = slow
	p.all((*planner).estimate)
	return cpu() - begin
}

// bench is the shortest time that a plan took.
func (w workload) bench(b *testing.B, s program.NativePlan, slow bool) time.Duration {
	c, requests := w.make()
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		best = min(best, w.plan(b, c, requests, s, slow))
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "cpu-ms")
	b.ReportMetric(float64(best.Nanoseconds())/float64(w.jobs), "cpu-ns/job")
	return best
}

var conservative = program.NativePlan{Algorithm: "firstfit", ReservationDepth: program.Unlimited}

// BenchmarkPlan is the planner and, beside it, the same without bounds: a plain linear scan.
func BenchmarkPlan(b *testing.B) {
	for _, w := range []struct {
		name string
		workload
		settings program.NativePlan
		linear   bool
	}{
		{"conservative/nodes=64/jobs=10k", workload{nodes: 64, jobs: 10000}, conservative, true},
		{"conservative/nodes=10k/jobs=10k", workload{nodes: 10000, jobs: 10000}, conservative, true},
		{"conservative/nodes=10k/jobs=30k", workload{nodes: 10000, jobs: 30000}, conservative, true},
		{"conservative/nodes=10k/jobs=100k", workload{nodes: 10000, jobs: 100000}, conservative, true},
		{"adversarial/nodes=10k/jobs=100k", workload{nodes: 10000, jobs: 100000, adversarial: true}, conservative, true},
		{"classes=20/nodes=10k/jobs=10k", workload{nodes: 10000, jobs: 10000, classes: 20}, conservative, true},
		{"classes=20/nodes=10k/jobs=100k", workload{nodes: 10000, jobs: 100000, classes: 20}, conservative, false},
		{"easy/nodes=10k/jobs=100k", workload{nodes: 10000, jobs: 100000},
			program.NativePlan{Algorithm: "firstfit", ReservationDepth: 1}, false},
		{"shared/nodes=1k/jobs=10k", workload{nodes: 1000, jobs: 10000, shared: true}, day, true},
		{"shared/nodes=10k/jobs=10k", workload{nodes: 10000, jobs: 10000, shared: true}, day, true},
		{"shared/nodes=10k/jobs=100k", workload{nodes: 10000, jobs: 100000, shared: true}, day, false},
		{"shared-exact/nodes=1k/jobs=10k", workload{nodes: 1000, jobs: 10000, shared: true}, conservative, false},
		{"shared-exact/nodes=64/jobs=10k", workload{nodes: 64, jobs: 10000, shared: true}, conservative, false},
		{"shared-memories/nodes=500/jobs=2k", workload{nodes: 500, jobs: 2000, shared: true, memories: true}, conservative,
			true},
		{"shared-memories/nodes=500/jobs=10k", workload{nodes: 500, jobs: 10000, shared: true, memories: true}, conservative,
			true},
	} {
		b.Run(w.name, func(b *testing.B) { w.bench(b, w.settings, false) })
		if w.linear {
			b.Run(w.name+"/linear", func(b *testing.B) { w.bench(b, w.settings, true) })
		}
	}
}

// day is a window of a day in steps of five minutes: 288 slots.
var day = program.NativePlan{Algorithm: "firstfit", ReservationDepth: program.Unlimited, WindowSeconds: 86400,
	ResolutionSeconds: 300}

// BenchmarkGrowth is the table of how the time grows with the queue: the exponent since the line before, and, for
// queues that are not too long for it, how many times as long the linear scan takes.
func BenchmarkGrowth(b *testing.B) {
	for _, w := range []struct {
		name string
		workload
		linear int // jobs that it plans in some seconds
	}{
		{"typical", workload{nodes: 10000}, 100000},
		{"adversarial", workload{nodes: 10000, adversarial: true}, 50000},
		{"classes=20", workload{nodes: 10000, classes: 20}, 100000},
		{"shared-memories", workload{nodes: 500, shared: true, memories: true}, 10000},
	} {
		lengths, before := []int{10000, 20000, 50000, 100000}, time.Duration(0)
		if w.shared {
			lengths = []int{2000, 5000, 10000, 20000}
		}
		for i, jobs := range lengths {
			b.Run(fmt.Sprintf("%s/jobs=%d", w.name, jobs), func(b *testing.B) {
				w.jobs = jobs
				best := w.bench(b, conservative, false)
				if before > 0 {
					b.ReportMetric(math.Log(float64(best)/float64(before))/math.Log(float64(jobs)/float64(lengths[i-1])), "exponent")
				}
				before = best
				if jobs <= w.linear {
					c, requests := w.make()
					b.ReportMetric(float64(w.plan(b, c, requests, conservative, true))/float64(best), "times-linear")
				}
			})
		}
	}
}
