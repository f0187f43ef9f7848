package replay

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/runtime/column"
)

// TestSkippedIterations: Maui's replay is that in which every iteration is made, under policies that keep the order of
// the queue and such that do not, with jobs beyond their limits.
func TestSkippedIterations(t *testing.T) {
	policies := []string{mauiText, mauiText + "RESERVATIONDEPTH[0] 2\nBACKFILLMETRIC SECONDS\n",
		strings.Replace(mauiText, "FIRSTFIT", "BESTFIT", 1),
		mauiText + "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[u1] PRIORITY=7\n",
		mauiText + "XFACTORWEIGHT 10\n", strings.Replace(mauiText, "FIRSTFIT", "NONE", 1),
		mauiText + "QUEUETIMECAP 30\n", mauiText + "RESOURCEWEIGHT 1\nPROCWEIGHT 3\nJOBMAXOVERRUN 0:05:00\n",
		mauiText + "SIMINITIALQUEUEDEPTH 3\n", strings.Replace(mauiText, "CURRENTHIGHEST", "NEVER", 1)}
	draw, rounds := rand.New(rand.NewPCG(22, 31)), len(policies)/2
	if os.Getenv("FAIRWAY_LONG") != "" {
		rounds = 10 * len(policies)
	}
	made, skipped := 0, 0
	for round := range rounds {
		p := benchProgram(t, lower.Maui, policies[round%len(policies)])
		b, at := column.NewBuilder("job"), int64(1_700_000_000)
		for k := range 30 {
			at += draw.Int64N(3) * draw.Int64N(900)
			limit := 60 * (1 + draw.Int64N(120))
			b.Row()
			b.String("job.id", fmt.Sprint(k+1))
			b.String("job.user", fmt.Sprint("u", draw.IntN(3)))
			b.Time("job.submit_time", at)
			b.Int("job.procs", 1+draw.Int64N(12))
			b.Int("job.walltime_seconds", limit)
			b.Int("job.runtime_seconds", 1+draw.Int64N(limit)+draw.Int64N(5)/4*draw.Int64N(1500))
		}
		w := NewWorkload(b.Table(), Selection{Runtime: Recorded})
		play := func(general bool) (string, int) {
			steps := 0
			r, err := Run(p, benchNodes(t, 4, 4), w, Options{general: general,
				Progress: func(int64, int) { steps++ }})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			fmt.Fprintln(&text, r.Begin, r.End, r.Started)
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				fmt.Fprintln(&text, *o.Job, o.Start, o.End, o.By, o.Nodes, o.Never, o.Cancelled)
			}
			return text.String(), steps
		}
		want, all := play(true)
		got, some := play(false)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d: every iteration -, some skipped +\n%s", round, diff)
		}
		made, skipped = made+some, skipped+all-some
	}
	if skipped < made/2 {
		t.Errorf("of %d iterations %d are skipped: the workloads show nothing", made+skipped, skipped)
	}
}
