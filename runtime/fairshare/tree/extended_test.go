package tree

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// big is the number with the 64 bits of mantissa that big.Float rounds to as well.
func (a extended) big() *big.Float {
	x := zeroLong().SetUint64(a.mantissa)
	x.SetMantExp(x, int(a.exponent))
	if a.negative {
		x.Neg(x)
	}
	return x
}

func TestExtendedEqualsBig(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) extended {
		// Few bits at either end make carries, ties and cancellation likely.
		mantissa := rapid.Uint64().Draw(t, "mantissa")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			mantissa = ^uint64(0) << rapid.IntRange(0, 63).Draw(t, "ones")
		case 1:
			mantissa = 1<<63 | 1<<rapid.IntRange(0, 63).Draw(t, "bit")
		case 2:
			return extended{}
		}
		return extended{mantissa | 1<<63, int32(rapid.IntRange(-70, 70).Draw(t, "exponent")), rapid.Bool().
			Draw(t, "negative")}
	})
	draws.Check(t, func(t *rapid.T) {
		a, b := value.Draw(t, "a"), value.Draw(t, "b")
		equal := func(what string, got extended, want *big.Float) {
			if got.big().Cmp(want) != 0 || got.mantissa != 0 && got.mantissa>>63 == 0 {
				t.Errorf("%s is %v, should be %v", what, got.big(), want)
			}
		}
		equal("a+b", a.add(b), zeroLong().Add(a.big(), b.big()))
		equal("a-b", a.add(b.neg()), zeroLong().Sub(a.big(), b.big()))
		equal("a*b", a.mul(b), zeroLong().Mul(a.big(), b.big()))
		if b.mantissa != 0 {
			equal("a/b", a.div(b), zeroLong().Quo(a.big(), b.big()))
		}
		want, _ := a.big().Float64()
		if got := a.float64(); got != want {
			t.Errorf("%v becomes %v, should be %v", a, got, want)
		}
		equal("there and back", extend(want), zeroLong().SetFloat64(want))
		a.negative, b.negative = false, false
		if got, want := a.cmp(b), a.big().Cmp(b.big()); got != want {
			t.Errorf("%v against %v is %d, should be %d", a, b, got, want)
		}
	})
}

func TestExtendTiny(t *testing.T) {
	for _, x := range []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, 1, 4294967294, math.MaxFloat64, -3.5} {
		if got := extend(x).float64(); got != x {
			t.Errorf("%v becomes %v", x, got)
		}
	}
}
