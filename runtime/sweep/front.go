package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Label names a cell for people.
func (m *Manifest) Label(c *Cell) string {
	text := m.Choice(c.Point) + " over " + m.Sources[c.Source].Name
	if c.Seed > 0 {
		text += fmt.Sprintf(" seed %d", c.Seed)
	}
	return text
}

// Choice names a point: its policy, and the parameters that vary.
func (m *Manifest) Choice(point int) string {
	p := &m.Points[point]
	words := []string{m.Policies[p.Policy].Name}
	for _, param := range p.Params {
		if !param.Held {
			words = append(words, param.Name+"="+param.Value)
		}
	}
	return strings.Join(words, " ")
}

// Outcome is what a point comes to.
type Outcome struct {
	Point  int
	Cells  int       // that are there
	Values []float64 // per metric: the mean over its sources, of each the mean over its seeds; NaN where none knows it
	Least  []float64 // and the extremes of its cells
	Most   []float64
	Missed []int   // metrics whose goal it does not meet
	Excess float64 // by how much it misses goals, each as a share of its bound; 0 if it meets all
	Front  bool    // no other point is as good in all metrics and better in one
}

// Outcomes are the points, in their order, with what their cells come to. A result that is missing is nil.
func (m *Manifest) Outcomes(results []*Result) []Outcome {
	list := make([]Outcome, len(m.Points))
	bySource := make([]map[int][]*Result, len(m.Points))
	for i, r := range results {
		if r == nil {
			continue
		}
		c := &m.Cells[i]
		if bySource[c.Point] == nil {
			bySource[c.Point] = map[int][]*Result{}
		}
		bySource[c.Point][c.Source] = append(bySource[c.Point][c.Source], r)
		list[c.Point].Cells++
	}
	for i := range list {
		o := &list[i]
		o.Point = i
		for k := range m.Metrics {
			metric := &m.Metrics[k]
			value, least, most := m.over(metric, bySource[i])
			o.Values, o.Least, o.Most = append(o.Values, value), append(o.Least, least), append(o.Most, most)
			if excess := metric.Excess(value); excess > 0 {
				o.Missed = append(o.Missed, k)
				o.Excess += excess
			}
		}
	}
	m.front(list)
	return list
}

// over is a metric's mean over sources, of each the mean over its seeds, and the extremes of all cells.
func (m *Manifest) over(metric *Metric, bySource map[int][]*Result) (value, least, most float64) {
	var means []float64
	least, most = math.NaN(), math.NaN()
	for source := range m.Sources {
		var known []float64
		for _, r := range bySource[source] {
			if x := r.Value(metric); !math.IsNaN(x) {
				known = append(known, x)
			}
		}
		if len(known) == 0 {
			continue
		}
		if means = append(means, mean(known)); math.IsNaN(least) {
			least, most = known[0], known[0]
		}
		least, most = min(least, slices.Min(known)), max(most, slices.Max(known))
	}
	return mean(means), least, most
}

// Excess is by how much a value misses the goal, as a share of its bound; 0 if it meets it. An unknown one misses it.
func (m *Metric) Excess(x float64) float64 {
	excess := 0.0
	if m.AtMost != nil && !(x <= *m.AtMost) {
		excess += share(x-*m.AtMost, *m.AtMost)
	}
	if m.AtLeast != nil && !(x >= *m.AtLeast) {
		excess += share(*m.AtLeast-x, *m.AtLeast)
	}
	return excess
}

func share(over, bound float64) float64 {
	if math.IsNaN(over) {
		return 1
	}
	return over / max(math.Abs(bound), 1e-9)
}

// front marks the points that no other one beats. Only points whose cells are all there take part.
func (m *Manifest) front(list []Outcome) {
	whole := make([]int, len(m.Points))
	for i := range m.Cells {
		whole[m.Cells[i].Point]++
	}
	for i := range list {
		list[i].Front = list[i].Cells > 0 && list[i].Cells == whole[i]
		for k := range list {
			if list[i].Front && list[k].Cells == whole[k] && list[k].Cells > 0 && m.beats(&list[k], &list[i]) {
				list[i].Front = false
			}
		}
	}
}

// beats reports a point that is as good as another in all metrics, and better in one.
func (m *Manifest) beats(a, b *Outcome) bool {
	better := false
	for k := range m.Metrics {
		x, y := m.Metrics[k].cost(a.Values[k]), m.Metrics[k].cost(b.Values[k])
		if x > y {
			return false
		}
		better = better || x < y
	}
	return better
}

// cost is a value whose lower is better; an unknown one is the worst.
func (m *Metric) cost(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return math.Inf(1)
	case m.High:
		return -x
	}
	return x
}

// Compare puts the points first that miss their goals by less, and among those the ones that are better in the first
// metric in which they differ.
func (m *Manifest) Compare(a, b *Outcome) int {
	if c := cmp.Compare(a.Excess, b.Excess); c != 0 {
		return c
	}
	for k := range m.Metrics {
		if c := cmp.Compare(m.Metrics[k].cost(a.Values[k]), m.Metrics[k].cost(b.Values[k])); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.Point, b.Point)
}

// Settings are the lines of the scheduler's file, or of a policy file, that make a point's choice.
func (m *Manifest) Settings(point int) (lines []string) {
	p := &m.Points[point]
	if len(p.Params) == 0 {
		return nil
	}
	line, isText := map[string]string{"maui": "%s %s", "slurm": "%s=%s"}[m.Policies[p.Policy].Language]
	if !isText {
		line, lines = "  %s = %q", []string{"params = {"}
	}
	for _, param := range p.Params {
		lines = append(lines, fmt.Sprintf(line, param.Name, param.Value))
	}
	if !isText {
		lines = append(lines, "}")
	}
	return lines
}
