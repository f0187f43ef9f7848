package sweep

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/report/form"
	"github.com/fairway-sched/fairway/runtime/sweep"
)

// mostOthers is how many choices beside the front a table has.
const mostOthers = 20

// WriteTable writes the front, the other choices, how much each parameter matters, and the settings of the front.
func WriteTable(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "study %s: %d %s over %d %s, %d of %d cells\n", source.Plain(r.Study), len(r.Points),
		form.Plural(len(r.Points), "choice", "choices"), len(r.Sources), form.Plural(len(r.Sources), "source", "sources"),
		len(r.Cells)-r.missing(), len(r.Cells))
	front, others := r.ordered()
	if len(front) > 0 {
		fmt.Fprintf(&b, "\nThe front: no other choice beats %s in all metrics\n", pronoun(len(front)))
		b.WriteString(r.grid(front).Text(r.Colour))
	}
	if len(others) > 0 {
		title := "Other choices"
		if len(others) > mostOthers {
			title = fmt.Sprintf("The first %d of %d other choices; -o csv has all", mostOthers, len(others))
		}
		fmt.Fprintf(&b, "\n%s\n", title)
		b.WriteString(r.grid(others[:min(len(others), mostOthers)]).Text(r.Colour))
	}
	if len(r.Sensitivities) > 0 {
		b.WriteString("\nHow much each parameter matters: the share of a metric's variance that it explains alone\n")
		b.WriteString(r.effects().Text(r.Colour))
	}
	for i, o := range front {
		if i == 0 {
			b.WriteString("\nSettings of the front\n")
		}
		fmt.Fprintf(&b, "# %s\n", source.Plain(r.Choice(o.Point)))
		for _, line := range r.Settings(o.Point) {
			b.WriteString(source.Plain(line) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "these"
}

// ordered are the choices of the front and the others, each by how far they are from their goals and then by the first
// metric.
func (r *Report) ordered() (front, others []*sweep.Outcome) {
	for i := range r.Outcomes {
		switch o := &r.Outcomes[i]; {
		case o.Cells == 0:
		case o.Front:
			front = append(front, o)
		default:
			others = append(others, o)
		}
	}
	for _, list := range [][]*sweep.Outcome{front, others} {
		slices.SortStableFunc(list, func(a, b *sweep.Outcome) int { return r.Compare(a, b) })
	}
	return front, others
}

// grid is a table of choices.
func (r *Report) grid(list []*sweep.Outcome) *form.Grid {
	g := &form.Grid{Rows: len(list)}
	g.Add("CHOICE", false, func(row int) string { return source.Plain(r.Choice(list[row].Point)) })
	for k := range r.Metrics {
		g.Add(source.Plain(strings.ToUpper(r.Metrics[k].Name)), true, func(row int) string {
			return Shown(&r.Metrics[k], list[row].Values[k])
		})
	}
	if slices.ContainsFunc(r.Metrics, func(m sweep.Metric) bool { return m.AtMost != nil || m.AtLeast != nil }) {
		g.Add("MISSES", false, func(row int) string { return source.Plain(r.missed(list[row])) })
	}
	return g
}

// effects is the table of sensitivities.
func (r *Report) effects() *form.Grid {
	g := &form.Grid{Rows: len(r.Sensitivities)}
	of := func(row int) *sweep.Sensitivity { return &r.Sensitivities[row] }
	g.Add("POLICY", false, func(row int) string { return source.Plain(r.Policies[of(row).Policy].Name) })
	g.Add("PARAMETER", false, func(row int) string { return source.Plain(of(row).Param) })
	g.Add("METRIC", false, func(row int) string { return source.Plain(r.Metrics[of(row).Metric].Name) })
	g.Add("SHARE", true, func(row int) string { return strconv.FormatFloat(100*of(row).Share, 'f', 0, 64) + " %" })
	g.Add("MEAN BY VALUE", false, func(row int) string {
		var parts []string
		for _, b := range of(row).Bins {
			parts = append(parts, valueText(b)+": "+Shown(&r.Metrics[of(row).Metric], b.Mean))
		}
		return source.Plain(strings.Join(parts, ", "))
	})
	return g
}

func valueText(b sweep.Bin) string {
	if b.From == b.To {
		return b.From
	}
	return b.From + "…" + b.To
}

// Shown writes a figure in its unit.
func Shown(m *sweep.Metric, x float64) string {
	f := sweep.Find(m.Of)
	switch {
	case math.IsNaN(x):
		return "-"
	case f != nil && f.Unit == "seconds" && math.Abs(x) < 1<<40:
		if x < 0 {
			return "-" + form.SpanText(int64(0.5-x))
		}
		return form.SpanText(int64(x + 0.5))
	case f != nil && f.Unit == "share":
		return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}
