package checkpoint_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// TestSetBack: nothing of a checkpoint is of a later time than the clock that was set back, and no usage is lost.
func TestSetBack(t *testing.T) {
	used := func(start int64, seconds float64) snapshot.UsageWindow {
		return snapshot.UsageWindow{StartTime: start, Total: seconds,
			Usage: map[string]map[string]float64{"user": {"ana": seconds}}}
	}
	made := func() *checkpoint.Checkpoint {
		return &checkpoint.Checkpoint{Family: "maui", Time: 10_500, IntervalSeconds: 1000, ChunkUntil: 10_600,
			Standing: []checkpoint.Standing{{Name: "s", Start: 10_400}},
			Usage:    []snapshot.UsageWindow{used(10_000, 4), used(9_000, 2), used(8_000, 1)},
			Tree:     &checkpoint.Tree{LastReset: 10_450},
			Jobs: []checkpoint.Job{
				{ID: "1", SubmitTime: 9_000, FirstSeen: 10_300, QueueStart: 9_000, DeferredUntil: 10_700,
					Reservation: &checkpoint.Reservation{Start: 10_800, End: 10_900}},
				{ID: "2", SubmitTime: 10_400, FirstSeen: 10_450, QueueStart: 10_400},
			}}
	}
	for _, c := range []struct {
		now  int64
		want []snapshot.UsageWindow
	}{
		{10_500, made().Usage}, {11_000, made().Usage}, {10_100, made().Usage},
		{9_900, []snapshot.UsageWindow{used(9_000, 6), used(8_000, 1)}},
		{8_100, []snapshot.UsageWindow{used(8_000, 7)}},
		{1_234, []snapshot.UsageWindow{used(1_000, 7)}},
	} {
		got := made()
		got.SetBack(c.now)
		if d := cmp.Diff(c.want, got.Usage); d != "" {
			t.Errorf("%d: %s", c.now, d)
		}
		now := max(c.now, 0)
		if got.Time > max(now, 10_500) || c.now < 10_500 && got.Time != c.now {
			t.Errorf("%d: it is of %d", c.now, got.Time)
		}
		if c.now >= 10_500 {
			if d := cmp.Diff(made(), got); d != "" {
				t.Errorf("%d: it changed: %s", c.now, d)
			}
			continue
		}
		latest := int64(math.MinInt64)
		for _, j := range got.Jobs {
			latest = max(latest, j.FirstSeen, j.QueueStart)
		}
		latest = max(latest, got.Standing[0].Start, got.Tree.LastReset)
		behind := 10_500 - c.now
		if latest > c.now || got.ChunkUntil != 10_600-behind || got.Jobs[0].DeferredUntil != 10_700-behind ||
			got.Jobs[0].Reservation.Start != 10_800-behind {
			t.Errorf("%d: %+v", c.now, got)
		}
	}
}
