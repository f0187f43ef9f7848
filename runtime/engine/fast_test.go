package engine

import (
	"testing"
	"time"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/runtime/evaluation/score"
)

// TestScoringIsFast guards what makes scoring fast: half of what was measured against cel-go, row by row, is enough,
// so that a busy machine does not fail it.
func TestScoringIsFast(t *testing.T) {
	if !draws.Long() {
		t.Skip("FAIRWAY_LONG is not set")
	}
	const jobs, rounds = 20_000, 20
	s := queueOf(jobs)
	for _, f := range families {
		out := benchProgram(t, f.lang, f.text)
		machine, binding := bound(t, out.Fused, s)
		row := celPriority(t, out.Policy, binding)
		ours, peer := time.Hour, time.Hour
		for range 3 {
			begun := processTime(t)
			for range rounds {
				if _, err := machine.Run(binding, out.Fused.Scored(), 1); err != nil {
					t.Fatal(err)
				}
			}
			between := processTime(t)
			for i := range jobs {
				score.Round(row(i), out.Policy.Finish.Rounding)
			}
			ours, peer = min(ours, (between-begun)/rounds), min(peer, processTime(t)-between)
		}
		ratio := float64(peer) / float64(ours)
		t.Logf("%s: %v, cel-go %v: %.0f times as long", f.name, ours, peer, ratio)
		if least := map[string]float64{"maui": 25, "slurm": 15}[f.name]; ratio < least {
			t.Errorf("%s: cel-go takes %.1f times as long, and took twice %v", f.name, ratio, least)
		}
	}
}
