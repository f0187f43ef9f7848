package tree

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// TestHistory: what History works out at once is what a ledger comes to pass by pass.
func TestHistory(t *testing.T) {
	rows := []Association{{Account: "root"}, {Account: "a", Parent: "root", Shares: 1},
		{Account: "a", User: "u", Shares: 1}}
	tree, diags := New(rows)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	draws.Check(t, func(t *rapid.T) {
		const now = 1_700_000_000
		h := &History{NowSeconds: now, PeriodSeconds: rapid.SampledFrom([]int64{60, 300, 3600}).Draw(t, "period"),
			Clock: Clock{HalfLifeSeconds: rapid.SampledFrom([]int64{0, 60, 3600, 86400, 7 * 86400}).Draw(t, "half life"),
				Exact: rapid.Bool().Draw(t, "exact"), Reset: rapid.SampledFrom([]Period{Never, Daily, Weekly, Monthly}).
					Draw(t, "reset")}}
		span := rapid.Int64Range(1, 200_000).Draw(t, "span")
		h.SinceSeconds = now - span
		start := rapid.Int64Range(now-span-5000, now+100).Draw(t, "start")
		end := start + rapid.Int64Range(0, span+5000).Draw(t, "run")
		before := rapid.Float64Range(0, 1e6).Draw(t, "before")

		l := &Ledger{Tree: tree, Associations: NewUsage(tree.Len(), 0), QOS: NewUsage(1, 0), NoDecay: []bool{true},
			LastRan: h.SinceSeconds}
		// The last reset before these passes, so that only those that fall due among them count.
		l.LastReset = h.SinceSeconds - longAgo
		for next, ok := h.Reset.Next(l.LastReset, nil); ok && next <= h.SinceSeconds; next,
			ok = h.Reset.Next(l.LastReset, nil) {
			l.LastReset = next
		}
		l.Associations.Billing[2] = before
		tree.RollUp(l.Associations.Billing)
		charge := Charge{Node: 2, QOS: 0, PartitionQOS: -1, StartSeconds: start, Billing: 8, UsageFactor: 1}
		for left := (span - 1) / h.PeriodSeconds; left >= 0; left-- {
			pass := now - left*h.PeriodSeconds
			var running []Charge
			switch {
			case start >= pass:
			case end > pass:
				running = append(running, charge)
			case end > l.LastRan:
				l.Add(h.Clock, end, []Charge{charge})
			}
			l.Pass(h.Clock, pass, running)
		}
		same := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-9*math.Max(1, want) {
				t.Errorf("%s is %v, pass by pass %v", what, got, want)
			}
		}
		same("usage", before*h.Kept()+8*h.Seconds(start, end, false), l.Associations.Billing[0])
		same("usage that is kept", 8*h.Seconds(start, end, true), l.QOS.Billing[0])
	})
}

// TestHistoryForEver: without a beginning the passes go back as far as jobs do.
func TestHistoryForEver(t *testing.T) {
	h := &History{NowSeconds: 1_700_000_000, PeriodSeconds: 300, SinceSeconds: math.MinInt64,
		Clock: Clock{HalfLifeSeconds: 7 * 86400}}
	if got := h.Seconds(1_700_000_000-300, 1_700_000_000, false); math.Abs(got-300*DecayFactor(7*86400, 600)) > 1e-9 {
		t.Errorf("one pass leaves %v", got)
	}
	long, short := h.Seconds(0, 1_700_000_000, false), h.Seconds(1_600_000_000, 1_700_000_000, false)
	if math.Abs(long-short) > 1e-6 || long < 800_000 || long > 900_000 {
		t.Errorf("fifty years leave %v, three %v", long, short)
	}
	if h.Kept() != 0 {
		t.Errorf("%v is kept for ever", h.Kept())
	}
}
