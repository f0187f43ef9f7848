package profile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// held is the twin of Steps: a list of spans, looked at as a whole for every question.
type held struct {
	origin, capacity int64
	spans            []span
}

type span struct{ from, to, count int64 }

func (h *held) at(time int64) int64 {
	free := h.capacity
	for _, s := range h.spans {
		if max(s.from, h.origin) <= time && time < s.to {
			free -= s.count
		}
	}
	return free
}

// FreeDuring looks at the begin and wherever something changes.
func (h *held) FreeDuring(from, to int64) int64 {
	least := h.at(from)
	for _, s := range h.spans {
		for _, at := range [...]int64{s.from, s.to} {
			if at > from && at < to {
				least = min(least, h.at(at))
			}
		}
	}
	return least
}

// FirstFit tries the begin and every time at which something is given back.
func (h *held) FirstFit(after, before, seconds, count int64) (int64, bool) {
	starts := []int64{after}
	for _, s := range h.spans {
		for _, at := range [...]int64{s.from, s.to} {
			if at > after {
				starts = append(starts, at)
			}
		}
	}
	slices.Sort(starts)
	for _, at := range starts {
		if at < before && at < Forever && h.FreeDuring(at, End(at, max(seconds, 1))) >= count {
			return at, true
		}
	}
	return 0, false
}

func (h *held) Add(from, to, count int64) { h.spans = append(h.spans, span{from, to, count}) }
func (h *held) Remove(from, to, count int64) {
	if i := slices.Index(h.spans, span{from, to, count}); i >= 0 {
		h.spans = slices.Delete(h.spans, i, i+1)
	}
}

// times are few and close, so that they often meet, or far out.
func times() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(100, 140), rapid.SampledFrom([]int64{100, Forever - 1, Forever}))
}

func TestStepsAgreeWithTheirTwin(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		capacity := rapid.Int64Range(0, 8).Draw(t, "capacity")
		p, twin := Profile(NewSteps(100, capacity)), Profile(&held{origin: 100, capacity: capacity})
		var added []span
		for range rapid.IntRange(0, 30).Draw(t, "operations") {
			s := span{times().Draw(t, "from"), times().Draw(t, "to"), rapid.Int64Range(0, 5).Draw(t, "count")}
			switch rapid.IntRange(0, 3).Draw(t, "operation") {
			case 0:
				p.Add(s.from, s.to, s.count)
				twin.Add(s.from, s.to, s.count)
				added = append(added, s)
			case 1:
				if len(added) > 0 {
					i := rapid.IntRange(0, len(added)-1).Draw(t, "which")
					p.Remove(added[i].from, added[i].to, added[i].count)
					twin.Remove(added[i].from, added[i].to, added[i].count)
					added = slices.Delete(added, i, i+1)
				}
			case 2:
				if got, want := p.FreeDuring(s.from, s.to), twin.FreeDuring(s.from, s.to); s.from < Forever && got != want {
					t.Fatalf("free during [%d, %d): %d, twin %d", s.from, s.to, got, want)
				}
			case 3:
				seconds := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Just(Forever)).Draw(t, "seconds")
				got, ok := p.FirstFit(s.from, s.to, seconds, s.count)
				want, wantOK := twin.FirstFit(s.from, s.to, seconds, s.count)
				if got != want || ok != wantOK {
					t.Fatalf("first fit from %d before %d of %d for %d: %d %v, twin %d %v", s.from, s.to, s.count, seconds, got, ok,
						want, wantOK)
				}
			}
		}
	})
}

// So many steps that they fill several blocks, beside what is free in each second.
func TestStepsOfManyBlocksAgreeWithSeconds(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const horizon, capacity = 6 * mostSteps, 20
	p, free := NewSteps(0, capacity), make([]int64, horizon+1) // the last is for ever
	for i := range free {
		free[i] = capacity
	}
	during := func(from, to int64) int64 {
		return slices.Min(free[min(from, horizon):min(max(to, from+1), horizon+1)])
	}
	for range 8 * mostSteps {
		from := random.Int64N(horizon)
		to, count := from+1+random.Int64N(60), 1+random.Int64N(3)
		if to >= horizon {
			to = Forever
		}
		if random.IntN(3) == 0 {
			count = -count
		}
		p.Add(from, to, count)
		for at := from; at < min(to, horizon+1); at++ {
			free[at] -= count
		}
		seconds, asked := 1+random.Int64N(40), free[random.IntN(horizon)]
		want := from
		for want < horizon && during(want, want+seconds) < asked {
			want++
		}
		if start, ok := p.FirstFit(from, Forever, seconds, asked); ok != (during(want, want+seconds) >= asked) || ok &&
			start != want {
			t.Fatalf("first fit from %d of %d for %d: %d %v, by seconds %d", from, asked, seconds, start, ok, want)
		}
		if got := p.FreeDuring(from, from+seconds); got != during(from, from+seconds) {
			t.Fatalf("free for %d from %d: %d, by seconds %d", seconds, from, got, during(from, from+seconds))
		}
		until := from
		for until < horizon && free[until] >= asked {
			until++
		}
		if until == horizon && free[until] >= asked {
			until = Forever
		}
		if got := p.FreeUntil(from, asked); got != until {
			t.Fatalf("%d free from %d until %d, by seconds %d", asked, from, got, until)
		}
	}
	if len(p.blocks) < 3 {
		t.Fatalf("%d blocks", len(p.blocks))
	}
	copied := p.Clone()
	p.Add(0, Forever, 1)
	for i := (place{}); i.block < len(copied.blocks); {
		at := copied.blocks[i.block].at[i.step]
		next, to := copied.next(i)
		if free := copied.free(i); free != during(at, to) {
			t.Fatalf("%d free from %d to %d in the copy, by seconds %d", free, at, to, during(at, to))
		}
		i = next
	}
}

func TestHeldStepsAreAddedOnes(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		until := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(101, 120), rapid.Just(Forever)), 0, 10).Draw(t, "until")
		added := NewSteps(100, 12)
		for _, at := range until {
			added.Add(100, at, 1)
		}
		made := NewStepsHeld(100, 12, slices.Clone(until))
		for at := int64(100); at < 125; at++ {
			if a, b := added.FreeDuring(at, at+1), made.FreeDuring(at, at+1); a != b {
				t.Fatalf("at %d: %d, added %d", at, b, a)
			}
		}
		if from := rapid.Int64Range(100, 125).Draw(t, "from"); true {
			count := rapid.Int64Range(1, 12).Draw(t, "count")
			until := added.FreeUntil(from, count)
			if until > from && added.FreeDuring(from, until) < count {
				t.Fatalf("%d are not free from %d until %d", count, from, until)
			}
			if until < Forever && added.FreeDuring(until, until+1) >= count {
				t.Fatalf("%d are free from %d, and at %d too", count, from, until)
			}
		}
	})
}

// The jobs of a pass are asked in any order; with the bound or without they start at the same time.
func TestBoundChangesNothing(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "requests")
		sizes, seconds := make([]int64, n), make([]int64, n)
		for i := range sizes {
			sizes[i], seconds[i] = rapid.Int64Range(1, 10).Draw(t, "size"), rapid.Int64Range(1, 50).Draw(t, "seconds")
		}
		known := rapid.IntRange(0, n).Draw(t, "known before") // the others the bound has not been told of
		b := NewBound(sizes[:known], seconds[:known])
		with, without := NewSteps(0, 10), NewSteps(0, 10)
		for i := range sizes {
			bound := b.Start(sizes[i], seconds[i])
			got, _ := with.FirstFit(bound, Forever, seconds[i], sizes[i])
			want, _ := without.FirstFit(0, Forever, seconds[i], sizes[i])
			if got != want {
				t.Fatalf("request %d (%d for %d) starts at %d from its bound %d, without at %d", i, sizes[i], seconds[i], got,
					bound, want)
			}
			b.Raise(got, sizes[i], seconds[i])
			with.Add(got, got+seconds[i], sizes[i])
			without.Add(got, got+seconds[i], sizes[i])
		}
	})
}

// In any number of dimensions a bound is the latest of all that is known of what asks for no more. With fewer
// lines than values it may say less.
func TestBoundAgreesWithAList(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		dimensions, most := rapid.IntRange(1, 4).Draw(t, "dimensions"), rapid.SampledFrom([]int64{1, 9}).
			Draw(t, "largest value")
		points := rapid.SliceOfN(rapid.SliceOfN(rapid.Int64Range(0, most), dimensions, dimensions), 1, 30).Draw(t, "points")
		told := make([][]int64, dimensions)
		for d := range told {
			for _, p := range points {
				told[d] = append(told[d], p[d])
			}
		}
		b := NewBound(told...)
		for i, p := range points {
			want := int64(0)
			for k, o := range points[:i] {
				if noMore(o, p) {
					want = max(want, int64(k+1)*7%13)
				}
			}
			if got := b.Start(p...); got > want || got < want && most == 1 { // two values have their lines
				t.Fatalf("%v does not start before %d, of a list %d", p, got, want)
			}
			b.Raise(int64(i+1)*7%13, p...)
		}
	})
}

// noMore reports that one asks in no dimension for more than another.
func noMore(one, other []int64) bool {
	for d := range one {
		if one[d] > other[d] {
			return false
		}
	}
	return true
}

func TestBoundForgets(t *testing.T) {
	b := NewBound([]int64{1, 2}, []int64{10, 20})
	b.Raise(500, 1, 10)
	if got := b.Start(2, 20); got != 500 {
		t.Errorf("what is larger is bound by %d, want 500", got)
	}
	if got := b.Start(1, 9); got != 0 {
		t.Errorf("what is shorter is bound by %d", got)
	}
	b.Reset()
	if got := b.Start(2, 20); got != 0 {
		t.Errorf("after what was given back the bound is %d", got)
	}
}

// Several profiles together: the twin tries every second.
func TestTogetherAgreesWithTrying(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		parts := make([]*Steps, rapid.IntRange(1, 4).Draw(t, "profiles"))
		for c := range parts {
			parts[c] = NewSteps(100, rapid.Int64Range(0, 5).Draw(t, "capacity"))
			for range rapid.IntRange(0, 8).Draw(t, "spans") {
				from := rapid.Int64Range(100, 160).Draw(t, "from")
				parts[c].Add(from, from+rapid.Int64Range(1, 30).Draw(t, "long"), rapid.Int64Range(1, 3).Draw(t, "count"))
			}
		}
		count, seconds := rapid.Int64Range(0, 12).Draw(t, "count"), rapid.Int64Range(1, 40).Draw(t, "seconds")
		after, before := rapid.Int64Range(100, 170).Draw(t, "after"), rapid.Int64Range(100, 250).Draw(t, "before")
		offered := func(at int64) (sum int64) {
			for _, p := range parts {
				sum += max(p.FreeDuring(at, at+seconds), 0)
			}
			return sum
		}
		want, wantOK := int64(0), false
		for at := after; at < before && !wantOK; at++ {
			if offered(at) >= count {
				want, wantOK = at, true
			}
		}
		var together Together
		// what was asked before leaves nothing behind
		together.FirstFit(parts, 100, 101, 3, 0, func([]int64) bool { return false })
		least := rapid.SampledFrom([]int64{0, count}).Draw(t, "known to be the least")
		got, ok := together.FirstFit(parts, after, before, seconds, least, func(free []int64) bool {
			sum := int64(0)
			for _, n := range free {
				sum += n
			}
			return sum >= count
		})
		if got != want || ok != wantOK {
			t.Fatalf("%d for %d in [%d, %d): %d %v, trying every second %d %v", count, seconds, after, before, got, ok, want,
				wantOK)
		}
	})
}

func TestEndDoesNotOverflow(t *testing.T) {
	for _, c := range []struct{ start, seconds, want int64 }{
		{10, 5, 15}, {10, -5, 10}, {Forever, 1, Forever}, {Forever - 1, 1, Forever}, {1 << 62, 1 << 62, Forever},
		{5, 1<<63 - 1, Forever},
	} {
		if got := End(c.start, c.seconds); got != c.want {
			t.Errorf("what starts at %d for %d ends at %d, want %d", c.start, c.seconds, got, c.want)
		}
	}
}
