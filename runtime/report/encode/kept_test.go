package encode

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

type part struct {
	Name string  `json:"name"`
	Size float64 `json:"size"`
}

// What is kept is written as it would be written anew, also where the text goes out within it.
func TestKept(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]string{"", "age", strings.Repeat("é", 50_000)})
		sizes := rapid.SampledFrom([]float64{0, 1, 0.5, math.NaN(), math.Copysign(0, -1), math.Inf(1)})
		kept, anew := make([]Kept[part], 3), make([]part, 3)
		var got, want strings.Builder
		a, b := New(&got), New(&want)
		for range 20 {
			for i := range kept {
				anew[i] = part{names.Draw(t, "name"), sizes.Draw(t, "size")}
				kept[i].Value = anew[i]
			}
			a.Record(struct {
				Parts []Kept[part] `json:"parts"`
			}{kept})
			b.Record(struct {
				Parts []part `json:"parts"`
			}{anew})
		}
		if a.Close() != nil || b.Close() != nil || got.String() != want.String() {
			t.Fatal("what is kept is written in another way")
		}
	})
}
