package fairshare

import (
	"fmt"
	"testing"

	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// BenchmarkWindows sums 32 windows of 100,000 credentials. "maps" is what a scheduler written
// with a map of names for each window does; "dense" is the same over the laid-out tables, with targets and factors.
// "load" is what laying them out costs once for each run. Dense cannot be faster than memory: the windows are
// 25.6 MB, each of which is read once.
func BenchmarkWindows(b *testing.B) {
	const credentials, depth = 100_000, 32
	w := &program.Windows{Usage: DedicatedProcSeconds, IntervalSeconds: 3600, Depth: depth, Decay: 0.9,
		Targets: []program.Target{{Object: "user", Name: "DEFAULT", Others: true, Kind: "target", Value: 10}}}
	names := make([]string, credentials)
	for i := range names {
		names[i] = fmt.Sprintf("user%06d", i)
	}
	const now = 1_700_000_000
	var usage []snapshot.UsageWindow
	for k := range depth {
		u := snapshot.UsageWindow{StartTime: CurrentStart(w, now) - int64(k)*w.IntervalSeconds,
			Usage: map[string]map[string]float64{"user": {}}}
		for i, name := range names {
			u.Usage["user"][name] = float64((i*7 + k*13) % 1000)
			u.Total += u.Usage["user"][name]
		}
		usage = append(usage, u)
	}
	cells := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/credentials/depth, "ns/cell")
	}

	var dense, maps float64
	b.Run("dense", func(b *testing.B) {
		s := EvaluateWindows(w, usage, now)
		b.ResetTimer()
		for b.Loop() {
			s.evaluate()
		}
		cells(b)
		dense = s.Of(User, "user000001").Delta
	})
	b.Run("maps", func(b *testing.B) {
		for b.Loop() {
			sums := map[string]float64{}
			total, weight := 0.0, 1.0
			for k := range usage {
				for name, amount := range usage[k].Usage["user"] {
					sums[name] += weight * amount
				}
				total += weight * usage[k].Total
				weight *= w.Decay
			}
			factors := make(map[string]float64, len(sums))
			for name, sum := range sums {
				factors[name] = 10 - sum/total*100
			}
			maps = factors["user000001"]
		}
		cells(b)
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			newLedger(w, usage, now)
		}
		cells(b)
	})
	if dense != 0 && maps != 0 && (dense-maps > 1e-9 || maps-dense > 1e-9) {
		b.Fatalf("dense gives %v, maps give %v", dense, maps)
	}
}
