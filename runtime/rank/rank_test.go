package rank

import (
	"cmp"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestDescending(t *testing.T) {
	for _, c := range []struct {
		in   []int64
		want []int32
	}{
		{nil, []int32{}},
		{[]int64{5}, []int32{0}},
		{[]int64{1, 3, 2}, []int32{1, 2, 0}},
		{[]int64{7, 7, 7}, []int32{0, 1, 2}},
		{[]int64{math.MinInt64, 0, math.MaxInt64, 0}, []int32{2, 1, 3, 0}},
	} {
		if got := Descending(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.in, got, c.want)
		}
	}
}

// Counting and comparing give the same order: for narrow and wide ranges, many ties, around
// zero, at the ends of the range, and around the size where one replaces the other.
func TestCountedEqualsCompared(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	spans := map[string]func() int64{
		"one value": func() int64 { return 42 },
		"ties":      func() int64 { return int64(r.Intn(5)) - 2 },
		"queue":     func() int64 { return int64(r.Intn(2_000_000)) - 1_000_000 },
		"uint32":    func() int64 { return int64(r.Uint32()) },
		"top":       func() int64 { return math.MaxInt64 - int64(r.Intn(4000)) },
		"bottom":    func() int64 { return math.MinInt64 + int64(r.Intn(4000)) },
		"all":       func() int64 { return int64(r.Uint64()) },
	}
	for name, draw := range spans {
		for _, n := range []int{1, 2, smallRows, smallRows + 1, 1024, 1025, 20_000} {
			in := make([]int64, n)
			for i := range in {
				in[i] = draw()
			}
			want := compared(in)
			if got, ok := counted(in); ok && !slices.Equal(got, want) {
				t.Errorf("%s, %d rows: counting differs", name, n)
			} else if !ok && name != "all" {
				t.Errorf("%s, %d rows: counting declined", name, n)
			}
			if !slices.Equal(Descending(in), want) {
				t.Errorf("%s, %d rows: Descending differs", name, n)
			}
		}
	}
}

func BenchmarkDescending(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	for _, n := range []int{1000, 100_000, 1_000_000} {
		in := make([]int64, n)
		for i := range in {
			in[i] = int64(r.Uint32())
		}
		b.Run(fmt.Sprintf("rows=%d/counted", n), func(b *testing.B) {
			for b.Loop() {
				Descending(in)
			}
		})
		b.Run(fmt.Sprintf("rows=%d/compared", n), func(b *testing.B) {
			rows := make([]int32, n)
			for b.Loop() {
				for i := range rows {
					rows[i] = int32(i)
				}
				slices.SortFunc(rows, func(a, b int32) int {
					if c := cmp.Compare(in[b], in[a]); c != 0 {
						return c
					}
					return cmp.Compare(a, b)
				})
			}
		})
	}
}

// Words go by the bits they are asked to go by, and else stay as they were.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for _, n := range []int{0, 1, 2, 5000} {
		words := make([]uint64, n)
		for i := range words {
			words[i] = r.Uint64() >> 8
		}
		want := slices.Clone(words)
		slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(a>>20, b>>20) })
		if got, rest := Words(words, make([]uint64, n), 20, 56); !slices.Equal(got, want) || len(rest) != n {
			t.Errorf("%d words are not in order", n)
		}
	}
}
