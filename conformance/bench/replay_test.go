package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/replay"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// trace is a made-up workload of so many jobs for a machine of 256 processors, one every so many seconds. With 165 s
// they are as much as it can do, so that hundreds wait.
func trace(b testing.TB, jobs int, gap float64) *replay.Workload {
	draw := rand.New(rand.NewPCG(7, uint64(jobs)))
	var text strings.Builder
	at := 0.0
	for k := range jobs {
		procs, limit := 1<<draw.IntN(7), []int{600, 1800, 3600, 7200, 14_400}[draw.IntN(5)]
		at += draw.ExpFloat64() * gap
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", k+1, int(at), 1+draw.IntN(limit), procs,
			procs, limit, 1+draw.IntN(20))
	}
	s, diags, err := snapshot.Read(fstest.MapFS{"w.swf": {Data: []byte(text.String())}}, []string{"w.swf"},
		snapshot.Options{WholeTrace: true})
	if err != nil || diags.HasErrors() {
		b.Fatal(err, diags)
	}
	return replay.NewWorkload(s.Jobs, replay.Selection{Runtime: replay.Recorded})
}

// BenchmarkReplayEASY is a workload played through EASY backfill on one pool.
func BenchmarkReplayEASY(b *testing.B) {
	text, err := os.ReadFile("../../examples/replay/easy.fairway.hcl")
	if err != nil {
		b.Fatal(err)
	}
	out := compiler.Compile(compiler.Input{Lang: lower.HCL,
		Files: []*source.File{source.NewFile("easy.fairway.hcl", text)}})
	if out.Program == nil {
		b.Fatal(out.Diags[0].Message)
	}
	for _, jobs := range []int{1000, 5000} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			w, begun := trace(b, jobs, 165), cpu()
			for b.Loop() {
				r, err := replay.Run(out.Program, &snapshot.Snapshot{}, w,
					replay.Options{Evaluation: evaluation.Options{Procs: 256}})
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Started) != jobs {
					b.Fatalf("%d jobs have started", len(r.Started))
				}
			}
			perJob(b, jobs, begun)
		})
	}
}
