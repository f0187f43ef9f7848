package source

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPasswordsIn: what is found is what a search for each password finds.
func TestPasswordsIn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "A", "b", "k", "\u212a", "s", "ſ", "é", "É", `"`, " ", "ab", "AbA", "𝕏"}
	some := func(most int) (text string) {
		for range 1 + r.IntN(most) {
			text += parts[r.IntN(len(parts))]
		}
		return text
	}
	hits := 0
	for range 20_000 {
		all := map[string]bool{}
		for range r.IntN(12) {
			all[some(5)] = true
		}
		text := some(30)
		want := []string(nil)
		for p := range all {
			if len(p) < leastWord && strings.Contains(text, `"`+p+`"`) || len(p) >= leastWord && indexFold(text, p) >= 0 {
				want = append(want, p)
			}
		}
		slices.SortFunc(want, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
		if got := searched(all).in(text); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %q, want %q", slices.Sorted(maps.Keys(all)), text, got, want)
		}
		hits += len(want)
	}
	if hits < 1000 {
		t.Errorf("only %d passwords in all texts", hits)
	}
}

// TestHidingIsQuick: the time of hiding passwords grows with a file, not with its square: neither in one long line
// nor with a message for each of many passwords.
func TestHidingIsQuick(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(size int)
	}{
		{"a colon after a long word", mask("password ", "9", ":00")},
		{"addresses", mask("x://a:", "@://b:", "")},
		{"addresses without a host", mask("x://a:", "{A://}", ",")},
		{"settings in a value", mask("pass", "-p=://", "")},
		{"quotation marks", mask("", `"-u={"`, "")},
		{"headers", mask("", "a: ", "")},
		{"joined lines", func(size int) {
			text := strings.Repeat("DefaultStoragePass=hunter2 \\\n", size/40)
			NewFile("slurm.conf", []byte(text)).Hide("hunter2")
		}},
		{"findings of one line", func(size int) {
			f := NewFile("slurm.conf", []byte(strings.Repeat("Pass=hunter2 ", size/40)))
			for range 100 {
				f.Shown(1)
			}
		}},
		{"messages", func(size int) {
			var b strings.Builder
			for i := range size / 40 {
				fmt.Fprintf(&b, "DefaultStoragePass=hunter2%d\n", i)
			}
			f := NewFile("slurm.conf", []byte(b.String()))
			for i := range size / 40 {
				f.Hide(fmt.Sprintf(`the line sets "hunter2%d" and what follows`, i))
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			c.do(8_000)
			small := time.Since(begin)
			begin = time.Now()
			c.do(200_000)
			if large := time.Since(begin); large > 10*time.Second && large > 100*small {
				t.Errorf("25 times the size takes %s instead of %s", large, small)
			}
		})
	}
}

func mask(before, again, after string) func(int) {
	return func(size int) { Mask(before + strings.Repeat(again, size/len(again)) + after) }
}
