package replay

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// chart is lines over time.
type chart struct {
	ID, Title, Unit, Note string
	Width, Height         int
	Left, Right, Bottom   int
	Lines                 []*chartLine
	Marks                 []chartMark
	X, Y                  []chartTick

	begin, step, span int64
	top               float64 // of the values
}

type chartLine struct {
	Name, Path string
	Class      int
	Target     float64 // its height; 0 for none
	values     []float64
	step       int64 // seconds that each is of
	target     float64
}

// chartMark is a level that is drawn across.
type chartMark struct {
	Name  string
	Y     float64
	value float64
}

type chartTick struct {
	At   float64
	Text string
}

// The size of a chart, and the room around its lines.
const (
	chartWidth, chartHeight         = 960, 220
	chartLeft, chartTop, chartUnder = 64, 10, 28
)

// chart begins one of this replay's time.
func (r *Report) chart(id, title, unit string, lines ...[]float64) *chart {
	s := r.Measured.Series
	c := &chart{ID: id, Title: title, Unit: unit, Width: chartWidth, Height: chartHeight, Left: chartLeft,
		Right: chartWidth - 10, Bottom: chartHeight - chartUnder, begin: s.Begin, step: s.StepSeconds,
		span: max(1, r.End-s.Begin)}
	for _, values := range lines {
		c.add("", values)
	}
	return c
}

func (c *chart) add(name string, values []float64) {
	c.Lines = append(c.Lines, &chartLine{Name: name, values: values, step: c.step, Class: len(c.Lines)})
}

func (c *chart) mark(name string, value float64) {
	c.Marks = append(c.Marks, chartMark{Name: name, value: value})
}

// draw makes paths of values: steps, one for each interval. Where a value is unknown, the line has a gap.
func (c *chart) draw() {
	for _, l := range c.Lines {
		c.top = max(c.top, l.target)
		for _, v := range l.values {
			if v == v {
				c.top = max(c.top, v)
			}
		}
	}
	for i := range c.Marks {
		c.top = max(c.top, c.Marks[i].value)
	}
	unit := nice(c.top / 4)
	c.top = max(1e-9, unit*math.Ceil(c.top/unit))
	for v := 0.0; v <= c.top*1.001; v += unit {
		c.Y = append(c.Y, chartTick{c.y(v), trimmed(v)})
	}
	for i := range c.Marks {
		c.Marks[i].Y = c.y(c.Marks[i].value)
	}
	for _, l := range c.Lines {
		var b strings.Builder
		gap := true
		for k, v := range l.values {
			from, to := c.x(int64(k)*l.step), c.x(min(c.span, int64(k+1)*l.step))
			switch {
			case v != v:
				gap = true
				continue
			case gap:
				fmt.Fprintf(&b, "M%.1f %.1f", from, c.y(v))
			default:
				fmt.Fprintf(&b, "V%.1f", c.y(v))
			}
			fmt.Fprintf(&b, "H%.1f", to)
			gap = false
		}
		if l.Path = b.String(); l.target > 0 {
			l.Target = c.y(l.target)
		}
	}
	c.X = timeTicks(c.begin, c.span, 8, c.x)
}

func (c *chart) x(seconds int64) float64 {
	return chartLeft + float64(c.Right-chartLeft)*float64(seconds)/float64(c.span)
}

func (c *chart) y(v float64) float64 {
	return float64(c.Bottom) - float64(c.Bottom-chartTop)*v/c.top
}

// nice is a number of one digit, 1, 2 or 5, that is not smaller.
func nice(f float64) float64 {
	if !(f > 0) {
		return 0.25
	}
	ten := math.Pow(10, math.Floor(math.Log10(f)))
	for _, k := range []float64{1, 2, 5} {
		if k*ten >= f {
			return k * ten
		}
	}
	return 10 * ten
}

// trimmed writes a value beside a chart.
func trimmed(v float64) string {
	text := fmt.Sprintf("%.1f", v)
	if v >= 100 || v == math.Trunc(v) {
		text = fmt.Sprintf("%.0f", v)
	}
	return text
}

// timeSteps are between ticks of time, in seconds.
var timeSteps = []int64{1, 5, 15, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400,
	14 * 86400, 28 * 86400, 91 * 86400, 364 * 86400}

// timeTicks are times at which people look, at most so many.
func timeTicks(begin, span int64, most int64, x func(seconds int64) float64) (list []chartTick) {
	step := timeSteps[len(timeSteps)-1]
	for _, s := range timeSteps {
		if span/s <= most {
			step = s
			break
		}
	}
	layout := "2 Jan 15:04"
	switch {
	case step >= 86400:
		layout = "2 Jan 2006"
	case step < 60:
		layout = "15:04:05"
	}
	for at := (begin + step - 1) / step * step; at <= begin+span; at += step {
		list = append(list, chartTick{x(at - begin), time.Unix(at, 0).UTC().Format(layout)})
	}
	return list
}
