package sweep

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Sensitivity is how much a parameter of a policy matters for a metric.
type Sensitivity struct {
	Policy int
	Param  string
	Metric int
	Share  float64 // of the metric's variance that the parameter's value explains alone, from 0 to 1; NaN without any
	Bins   []Bin   // by its value, smallest first
}

// Bin are the points with one value of a parameter, or of a range of them.
type Bin struct {
	From, To string
	Points   int
	Mean     float64
}

// mostBins is into how many parts many values of a parameter are cut.
const mostBins = 8

// Sensitivities are those of each policy's parameters for each metric. The share is the correlation ratio: the variance
// between the parts over that of all points, the other parameters being whatever they are.
func (m *Manifest) Sensitivities(outcomes []Outcome) (list []Sensitivity) {
	for policy := range m.Policies {
		for _, param := range m.Policies[policy].Params {
			for metric := range m.Metrics {
				if s := m.sensitivity(outcomes, policy, param.Name, metric); len(s.Bins) > 1 {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// setting is a point's value of a parameter and what the point came to.
type setting struct {
	text  string
	value float64
}

func (m *Manifest) sensitivity(outcomes []Outcome, policy int, param string, metric int) Sensitivity {
	s := Sensitivity{Policy: policy, Param: param, Metric: metric}
	var settings []setting
	for i := range outcomes {
		point := &m.Points[outcomes[i].Point]
		x := outcomes[i].Values[metric]
		if point.Policy != policy || math.IsNaN(x) {
			continue
		}
		for _, p := range point.Params {
			if p.Name == param && !p.Held {
				settings = append(settings, setting{p.Value, x})
			}
		}
	}
	slices.SortStableFunc(settings, func(a, b setting) int { return compareValues(a.text, b.text) })
	var parts [][]setting
	for i, x := range settings {
		if i == 0 || settings[i-1].text != x.text {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], x)
	}
	if len(parts) > mostBins {
		parts = nil
		for i := range mostBins {
			if part := settings[i*len(settings)/mostBins : (i+1)*len(settings)/mostBins]; len(part) > 0 {
				parts = append(parts, part)
			}
		}
	}
	all := meanOf(settings)
	var between, total float64
	for _, part := range parts {
		mean := meanOf(part)
		between += float64(len(part)) * (mean - all) * (mean - all)
		for _, x := range part {
			total += (x.value - all) * (x.value - all)
		}
		s.Bins = append(s.Bins, Bin{part[0].text, part[len(part)-1].text, len(part), mean})
	}
	if s.Share = between / total; total == 0 {
		s.Share = 0
	}
	return s
}

func meanOf(list []setting) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x.value
	}
	return sum / float64(len(list))
}

// compareValues orders numbers as such, and texts after them.
func compareValues(a, b string) int {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(x, y)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
