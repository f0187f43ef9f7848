// Package prom writes measurements in the text exposition format of Prometheus, as the textfile collector of its
// node exporter reads them.
//
// In come metrics with their samples, out comes text. All of them are gauges: a process that runs once and ends
// has nothing to count up.
package prom

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
)

// Metric is one measurement, for one or several sets of labels. One without samples is not written: nothing is
// known of it.
type Metric struct {
	Name    string
	Help    string
	Samples []Sample
}

// Sample is one number.
type Sample struct {
	Labels []Label
	Value  float64
}

// Label tells samples of a metric apart.
type Label struct{ Name, Value string }

// Add adds a sample.
func (m *Metric) Add(value float64, labels ...Label) {
	m.Samples = append(m.Samples, Sample{labels, value})
}

// Of is a metric with one sample.
func Of(name, help string, value float64, labels ...Label) Metric {
	return Metric{name, help, []Sample{{labels, value}}}
}

// Write writes metrics in the order given.
func Write(w io.Writer, list []Metric) error {
	b := bufio.NewWriter(w)
	for _, m := range list {
		if len(m.Samples) == 0 {
			continue
		}
		fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", m.Name, escapeHelp.Replace(m.Help), m.Name)
		for _, s := range m.Samples {
			fmt.Fprintf(b, "%s %s\n", series(m.Name, s.Labels), strconv.FormatFloat(s.Value, 'f', -1, 64))
		}
	}
	return b.Flush()
}

// Find finds a sample in what Write wrote.
func Find(text, name string, labels ...Label) (value float64, ok bool) {
	start := series(name, labels) + " "
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, start); found {
			value, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			return value, err == nil
		}
	}
	return 0, false
}

// What the format escapes: a line break in a help text, quotes too in a label.
var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func series(name string, labels []Label) string {
	if len(labels) == 0 {
		return name
	}
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('{')
	for i, l := range labels {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%s="%s"`, l.Name, escapeLabel.Replace(source.PlainLines(l.Value)))
	}
	b.WriteByte('}')
	return b.String()
}
