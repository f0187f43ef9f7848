package fairshare_test

import (
	"math"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/fairshare"
)

// TestRecordedIterations follows two recorded runs over many iterations and across the ends of
// windows: what running jobs use, when it counts and when the windows roll.
func TestRecordedIterations(t *testing.T) {
	copies, err := recorded.Copies("maui")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]int{"f15-fs-rolling": 0, "r03-replay-fairshare": 0}
	for _, c := range copies {
		if _, wanted := compared[c.Name]; wanted {
			compared[c.Name] = follow(t, c)
		}
	}
	for name, n := range compared {
		if n < 50 {
			t.Errorf("%s: only %d factors compared", name, n)
		}
	}
}

func follow(t *testing.T, c recorded.Case) (compared int) {
	played, err := replay.Open(c.Files)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range played.Play() {
		if err != nil {
			t.Fatal(err)
		}
		for job := range p.Result.Jobs.Rows {
			id, user := p.Result.Jobs.Value("job.id", job).Str, p.Result.Jobs.Value("job.user", job).Str
			want, ok := p.First[id].Subfactors["FSUSER"]
			if !ok {
				continue
			}
			compared++
			if got := p.Result.Windows.Of(fairshare.User, user).Delta; math.Abs(got-want.Factor) > 1e-9*math.Max(1,
				math.Abs(got)) {
				t.Errorf("%s: iteration %d, job %s: factor %v, want %v", c.Name, p.Index, id, got, want.Factor)
			}
		}
	}
	return compared
}
