package encode

import "math"

// Known is a number, NaN if it is not known.
func Known(f float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return f
}

// Some is a number, nil if there is none.
func Some(n int64, ok bool) *int64 {
	if !ok {
		return nil
	}
	return &n
}

// OrNull is a text, nil if it is empty.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
