package lower

import (
	"math"

	"github.com/fairway-sched/fairway/lang/policy"
)

// mostBound is the largest bound that stands for itself: beyond it doubles skip whole numbers.
const mostBound = 1 << 53

// limitNumber refuses a bound that no count could be compared with. −1 is what "none" stands for, and
// what sacctmgr says for it.
func (b *builder) limitNumber(l policy.Limit, name string, s policy.Scalar) bool {
	f := bound(s)
	switch {
	case f == nil || *f == -1:
		return true
	case *f < 0:
		b.diags.Errorf("limit-number", s.Span, "the %s bound %g of limit %q is negative", name, *f, l.Name).
			Note("write a whole number from 0, or \"none\" to lift an inherited limit")
		return false
	case *f > mostBound:
		b.diags.Errorf("limit-number", s.Span, "the %s bound %g of limit %q is more than can be counted", name, *f,
			l.Name).
			Note("write \"none\", if nothing is to be limited")
		return false
	case *f != math.Trunc(*f):
		b.diags.Warnf("limit-number", s.Span, "the %s bound %g of limit %q is no whole number", name, *f, l.Name).
			Note("counts are whole, so it lets as many pass as %g", math.Trunc(*f))
	}
	return true
}
