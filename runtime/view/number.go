package view

import (
	"math"
	"strconv"
)

// brief writes a number for people: whole from 1,000 on, else four digits.
func brief(f float64) string {
	a := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return "unknown"
	case math.IsInf(f, 0):
		return csvNumber(f)
	case a >= 1000 || f == math.Trunc(f):
		return strconv.FormatFloat(f+0, 'f', 0, 64)
	}
	g := strconv.FormatFloat(f, 'g', 4, 64)
	if v, err := strconv.ParseFloat(g, 64); err == nil {
		g = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return g
}

// exact writes a number for people who check a sum: all its digits.
func exact(f float64) string {
	switch a := math.Abs(f); {
	case math.IsNaN(f):
		return "unknown"
	case a != 0 && (a < 1e-6 || a >= 1e21) || math.IsInf(f, 0):
		return csvNumber(f)
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64)
}

// signed is brief with a sign always.
func signed(f float64) string {
	if f > 0 {
		return "+" + brief(f)
	}
	return brief(f)
}
