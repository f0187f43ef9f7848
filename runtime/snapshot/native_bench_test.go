package snapshot

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/fairway-sched/fairway/runtime/snapshot/format/native"
)

// BenchmarkNativeJSON reads a queue of 20,000 jobs; its peer decodes the same
// text into structs with encoding/json and builds no columns.
func BenchmarkNativeJSON(b *testing.B) {
	s, _ := readText(b, "x.swf", makeTrace(20_000, 1))
	var text bytes.Buffer
	if err := native.WriteJSON(&text, s); err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		b.ReportAllocs()
		for b.Loop() {
			readText(b, "q.json", text.String())
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		b.ReportAllocs()
		for b.Loop() {
			var doc struct {
				Jobs []struct {
					ID                                              string
					SubmitTime                                      int64 `json:"submit_time"`
					RuntimeSeconds                                  int64 `json:"runtime_seconds"`
					WalltimeSeconds                                 int64 `json:"walltime_seconds"`
					Procs, Tasks                                    int64
					MemMB                                           int64 `json:"mem_mb"`
					User, Group, Name, Partition, Dependency, State string
					NodePartitions                                  []string `json:"node_partitions"`
				}
			}
			if err := json.Unmarshal(text.Bytes(), &doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}
