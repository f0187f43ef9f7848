package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// BenchmarkMemory is goal M1: the bytes that a job of a queue of 100,000 takes when it is read, as columns and as what
// encoding/json makes of the same text.
func BenchmarkMemory(b *testing.B) {
	s := commands(b)
	per := func(b *testing.B, read func() any) {
		before, after := runtime.MemStats{}, runtime.MemStats{}
		var kept any
		for b.Loop() {
			kept = nil
			runtime.GC()
			runtime.ReadMemStats(&before)
			kept = read()
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
		runtime.KeepAlive(kept)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/100_000, "B/job")
	}
	b.Run("columns", func(b *testing.B) {
		per(b, func() any {
			read, _, err := snapshot.Read(os.DirFS(filepath.Dir(s.queue)), []string{filepath.Base(s.queue)},
				snapshot.Options{})
			check(b, err)
			return read
		})
	})
	b.Run("encoding-json", func(b *testing.B) {
		per(b, func() any {
			text, err := os.ReadFile(s.queue)
			check(b, err)
			var document struct{ Jobs []map[string]any }
			check(b, json.Unmarshal(text, &document))
			return document.Jobs
		})
	})
}
