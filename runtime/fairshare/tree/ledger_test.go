package tree

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
)

func TestNextReset(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	const layout = "2006-01-02 15:04:05"
	for _, c := range []struct {
		word, last, next string
		place            *time.Location
	}{
		{"daily", "2026-11-20 12:00:00", "2026-11-21 00:00:00", nil},
		{"DAILY", "2026-12-31 00:00:00", "2027-01-01 00:00:00", nil},
		{"Weekly", "2026-11-12 09:00:00", "2026-11-15 00:00:00", nil},
		{"WEEKLY", "2026-11-15 00:00:00", "2026-11-22 00:00:00", nil}, // from one Sunday to the next
		{"MONTHLY", "2026-01-31 23:59:59", "2026-02-01 00:00:00", nil},
		{"MONTHLY", "2026-12-01 00:00:00", "2027-01-01 00:00:00", nil},
		{"MONTHLY", "2026-01-31 23:30:00", "2026-02-28 23:00:00", berlin}, // there it is February already
		{"QUARTERLY", "2026-01-01 00:00:00", "2026-04-01 00:00:00", nil},
		{"QUARTERLY", "2026-06-30 10:00:00", "2026-07-01 00:00:00", nil},
		{"QUARTERLY", "2026-12-31 10:00:00", "2027-01-01 00:00:00", nil},
		{"YEARLY", "2026-01-01 00:00:00", "2027-01-01 00:00:00", nil},
		{"NONE", "2026-01-01 00:00:00", "", nil},
		{"NOW", "2026-01-01 00:00:00", "", nil},
	} {
		period, ok := ParsePeriod(c.word)
		last, err := time.Parse(layout, c.last)
		if !ok || err != nil {
			t.Fatal(c.word, err)
		}
		next := ""
		if seconds, ok := period.Next(last.Unix(), c.place); ok {
			next = time.Unix(seconds, 0).UTC().Format(layout)
		}
		if next != c.next {
			t.Errorf("%s after %s: %s, want %s", period, c.last, next, c.next)
		}
	}
	if _, ok := ParsePeriod("hourly"); ok || len(Periods()) != 7 {
		t.Error("hourly is no period")
	}
}

// After three months of silence, three passes reset, one month each.
func TestResetsAreCaughtUpOneByOne(t *testing.T) {
	tree, _ := New([]Association{root, physics, amy})
	l := Ledger{Tree: tree, Associations: NewUsage(tree.Len(), 1), QOS: NewUsage(1, 1), NoDecay: []bool{true}}
	month := func(m time.Month) int64 { return time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC).Unix() }
	l.LastRan, l.LastReset = month(7)+99, month(7)
	job := []Charge{{Node: 2, StartSeconds: month(6), Billing: 2, UsageFactor: 1, PartitionQOS: -1, TRES: []float64{3}}}
	clock := Clock{Reset: Monthly}
	now := month(10) + 5
	for _, want := range []time.Month{8, 9, 10, 10} {
		before := l.LastReset
		reset := l.Pass(clock, now, job)
		if l.LastReset != month(want) || reset != (before != l.LastReset) {
			t.Errorf("last reset is %v, want month %d", time.Unix(l.LastReset, 0).UTC(), want)
		}
		now += 60
	}
	// Two passes since the last reset, and the one that did it.
	for _, u := range []*Usage{l.Associations, l.QOS} {
		if u.Billing[0] != 2*120 || u.TRES[0][0] != 3*120 || u.WallSeconds[0] != 120 {
			t.Errorf("usage %v", u)
		}
	}
	if l.Before[0] != 2*60 {
		t.Errorf("before the pass it was %v", l.Before)
	}
}

func TestAdd(t *testing.T) {
	tree, _ := New([]Association{root, physics, amy})
	l := Ledger{Tree: tree, Associations: NewUsage(tree.Len(), 0), QOS: NewUsage(3, 0),
		NoDecay: []bool{false, true, false}, LastRan: 1000}
	clock := Clock{HalfLifeSeconds: 1000}
	d := DecayFactor(1000, 60)
	l.Add(clock, 1060, []Charge{
		{Node: 2, QOS: 0, PartitionQOS: 1, StartSeconds: 10, Billing: 4, UsageFactor: 0.5},
		// no association; one QOS counts once
		{Node: -1, QOS: 2, PartitionQOS: 2, StartSeconds: 1030, Billing: 1, UsageFactor: 1},
		{Node: 2, QOS: -1, PartitionQOS: -1, StartSeconds: 1060, Billing: 1, UsageFactor: 1}, // begins now
		{Node: 2, QOS: -1, PartitionQOS: -1, StartSeconds: 2000, Billing: 1, UsageFactor: 1}, // later
	})
	if want := 60 * d * 2; !slices.Equal(l.Associations.Billing, []float64{want, want, want}) {
		t.Errorf("associations %v, want %v", l.Associations.Billing, want)
	}
	if want := []float64{60 * d * 2, 60 * 2, 30 * DecayFactor(1000, 30)}; !slices.Equal(l.QOS.Billing, want) {
		t.Errorf("QOS %v, want %v", l.QOS.Billing, want)
	}
}

func TestDecayFactor(t *testing.T) {
	for _, c := range []struct {
		halfLife, elapsed int64
		want              float64
	}{
		{0, 1e9, 1}, {600, 0, 1}, {600, -60, 1}, {-1, 60, 1},
		{60, 1, 1 - 0.693/60},
		{60, 1e9, 0x1p-1022}, // never zero
		{4294967236, 86400, 0.9999860593},
	} {
		if got := DecayFactor(c.halfLife, c.elapsed); math.Abs(got-c.want) > 1e-10 {
			t.Errorf("half-life %d, after %d s: %v, want %v", c.halfLife, c.elapsed, got, c.want)
		}
	}
}

// A power is the exact one rounded once.
func TestDecayFactorIsRoundedOnce(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		halfLife := rapid.Int64Range(1, 1<<32).Draw(t, "half-life")
		n := rapid.Int64Range(1, 400*halfLife).Draw(t, "seconds")
		exact, square := new(big.Float).SetPrec(300).SetInt64(1), new(big.Float).SetPrec(300).
			SetFloat64(DecayPerSecond(halfLife))
		for k := n; k > 0; k >>= 1 {
			if k&1 == 1 {
				exact.Mul(exact, square)
			}
			square.Mul(square, square)
		}
		want, _ := exact.Float64()
		if got := DecayFactor(halfLife, n); got != max(want, 0x1p-1022) {
			t.Errorf("half-life %d, after %d s: %v, want %v", halfLife, n, got, want)
		}
	})
}

// Time in pieces is time.
func TestDecayInPieces(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.Int64Range(1, 1e6), 1, 20).Draw(t, "pieces")
		u := NewUsage(2, 1)
		u.Billing[0], u.TRES[0][1], u.WallSeconds[1] = 1e6, 5, 7
		all := int64(0)
		for _, s := range pieces {
			u.Decay(DecayFactor(604800, s), []bool{false, true})
			all += s
		}
		if want := 1e6 * DecayFactor(604800, all); !near(u.Billing[0], want) || u.TRES[0][1] != 5 || u.WallSeconds[1] != 7 {
			t.Errorf("%v, want %v", u, want)
		}
	})
}

func TestBilling(t *testing.T) {
	tres := []string{"cpu", "mem", "energy", "node", "billing", "gres/gpu", "gres/gpu:a100", "license/abaqus"}
	counts := []float64{16, 8192, 100, 2, 999, 4, 4, 3}
	for _, c := range []struct {
		weights string
		want    [3]float64 // sum, maximum, maximum without GRES
	}{
		{"", [3]float64{16, 16, 16}},
		{"cpu=2", [3]float64{32, 32, 32}},
		{"CPU=1.0,Mem=0.25G", [3]float64{18, 16, 16}},
		{"cpu=1,gres/gpu=5,license/abaqus=1", [3]float64{39, 23, 39}},
		{"cpu=1,gres/gpu=5,gres/gpu:a100=1", [3]float64{40, 20, 40}}, // both count
		{"node=9,energy=0.5", [3]float64{68, 68, 68}},
		{"billing=7,cpu=1", [3]float64{16, 16, 16}}, // billing is not of itself
		{"cpu=0", [3]float64{0, 0, 0}},
		{"cpu=-1,mem=1M", [3]float64{8176, 8192, 8192}},
		{"gres/tpu=3", [3]float64{0, 0, 0}}, // nobody has one
	} {
		weights, err := slurmtext.ParseTRESWeights(c.weights)
		if err != nil {
			t.Fatal(c.weights, err)
		}
		for rule, want := range c.want {
			if got := NewBilling(BillingRule(rule), tres, weights).Of(counts); got != want {
				t.Errorf("%q by rule %d: %v, want %v", c.weights, rule, got, want)
			}
		}
	}
}
