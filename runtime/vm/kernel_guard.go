package vm

import (
	"math"

	"github.com/fairway-sched/fairway/runtime/program"
)

// guards pass a double on and fail where it cannot be a value, a score or a priority.
var guards = map[string]*kernel{
	program.OpFinite:   {tryOne(finite), nil, nil, failing(notFinite(faultScoreInfinite, faultScoreNaN))},
	program.OpNumber:   {tryOne(finite), nil, nil, failing(notFinite(faultValueInfinite, faultValueNaN))},
	program.OpStorable: {tryOne(storable), nil, nil, failing(storableFails)},
}

// finite: a number less itself is 0, unless it is infinite or NaN.
func finite(d, a []float64) bool {
	a = a[:len(d)]
	var off float64
	for i, x := range a {
		off += x - x
		d[i] = x
	}
	return off != 0
}

func notFinite(infinite, nan fault) func(float64) fault {
	return func(x float64) fault {
		switch {
		case math.IsNaN(x):
			return nan
		case math.IsInf(x, 0):
			return infinite
		}
		return faultNone
	}
}

// storable: what is rounded towards zero, down or to the nearest stays within these bounds, since doubles
// of that size are whole.
func storable(d, a []float64) bool {
	a = a[:len(d)]
	bad := false
	for i, x := range a {
		bad = bad || !(x >= math.MinInt64 && x < math.MaxInt64)
		d[i] = x
	}
	return bad
}

func storableFails(x float64) fault {
	switch {
	case math.IsNaN(x):
		return faultPriorityNaN
	case !(x >= math.MinInt64 && x < math.MaxInt64):
		return faultPriorityLarge
	}
	return faultNone
}
