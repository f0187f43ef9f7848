package verify

import (
	"math"
	"slices"

	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// reading is one printed number and where ours is to be found.
type reading struct {
	field       string
	association string // of a number of sshare
	job, row    int    // in the result; of a number of sshare, below zero and the node
	printed     float64
	low         float64 // the value that was printed lies in [low, high)
	high        float64
	slack       float64 // how far ours may be off because its own inputs were printed with few digits
	value       func(*evaluation.Result, int) float64

	sampled, moves  bool    // our value has been looked at over time, and is not always the same
	still           float64 // our value, if it is
	nearly, closely []span  // the seconds at which it is right, if not: with slack and without
	ours            float64
	cause           *Cause
	why             string
}

// relativeError bounds what summing in another order may change.
const relativeError = 1e-12

// fits: x prints as the number that was printed.
func (x *reading) fits(value float64) bool { return x.within(value, 0) }

// almost allows for the digits that our inputs lack.
func (x *reading) almost(value float64) bool { return x.within(value, x.slack) }

func (x *reading) within(value, slack float64) bool {
	e := slack + min(math.Abs(value), math.MaxFloat64)*relativeError
	return value >= x.low-e && (value < x.high+e || math.IsInf(x.high, 1))
}

// shown is our number in the form of the printed one.
func (x *reading) shown() float64 {
	if x.field == "priority" {
		return math.Trunc(math.Max(1, x.ours))
	}
	return x.ours
}

// truncated is a number whose decimals were cut off; floor is the least that is stored, ceiling
// the most.
func truncated(printed, floor, ceiling float64) (low, high float64) {
	low, high = printed, printed+1
	if printed <= floor {
		low = math.Inf(-1)
	}
	if printed >= ceiling {
		high = math.Inf(1)
	}
	return low, high
}

// rounded is a number printed with decimals. The half itself may go either way.
func rounded(printed float64, decimals int) (low, high float64) {
	half := 0.5 * math.Pow10(-decimals)
	return printed - half, math.Nextafter(printed+half, math.Inf(1))
}

// subject is what is judged as a whole: all numbers that one check has of a job or an association.
type subject struct {
	check    *check
	job      int
	readings []*reading
}

func subjects(k *check) []*subject {
	var out []*subject
	for _, x := range k.readings {
		if n := len(out); n == 0 || out[n-1].job != x.job {
			out = append(out, &subject{check: k, job: x.job})
		}
		s := out[len(out)-1]
		s.readings = append(s.readings, x)
	}
	return out
}

// judge notes our values as of the last pass.
func (s *subject) judge() {
	for _, x := range s.readings {
		x.ours = x.value(s.check.result, x.row)
		if !x.fits(x.ours) && x.almost(x.ours) {
			x.cause = &fewDigits
		}
	}
}

// equal reports that nothing is left to explain.
func (s *subject) equal() bool {
	return s.fit(func(x *reading) float64 { return x.ours })
}

// fit reports whether all numbers are as printed if ours are these.
func (s *subject) fit(value func(*reading) float64) bool {
	return !slices.ContainsFunc(s.readings, func(x *reading) bool { return !x.almost(value(x)) })
}

// blame puts the numbers that are off down to a cause.
func (s *subject) blame(c *Cause, why string) {
	for _, x := range s.readings {
		if !x.almost(x.ours) {
			x.cause, x.why = c, why
		}
	}
}

// differences lists what is not as we compute it. Thousands of numbers may be off by the digits that
// our inputs lack, which are counted only.
func (s *subject) differences() []Difference {
	var out []Difference
	r := s.check.result
	for _, x := range s.readings {
		if !x.almost(x.ours) {
			d := Difference{Check: s.check.Name, Association: x.association, Field: x.field, Recorded: x.printed,
				Computed: x.shown(), Cause: x.cause, Why: x.why}
			if x.association == "" {
				d.Job, d.Partition = jobText(r, "job.id", x.job), rowText(r, "job.partition", x.row)
			}
			out = append(out, d)
		}
	}
	return out
}
