package prom_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/prom"
)

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	jobs := prom.Metric{Name: "jobs", Help: "Two lines\nand a \\."}
	jobs.Add(3, prom.Label{Name: "state", Value: `a"b\c` + "\n"}, prom.Label{Name: "x", Value: ""})
	jobs.Add(math.Inf(1))
	if err := prom.Write(&b, []prom.Metric{jobs, {Name: "none", Help: "No sample."},
		prom.Of("at", "A time.", 1795176030.25)}); err != nil {
		t.Fatal(err)
	}
	want := `# HELP jobs Two lines\nand a \\.
# TYPE jobs gauge
jobs{state="a\"b\\c\n",x=""} 3
jobs +Inf
# HELP at A time.
# TYPE at gauge
at 1795176030.25
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	if v, ok := prom.Find(b.String(), "at"); !ok || v != 1795176030.25 {
		t.Error(v, ok)
	}
	if _, ok := prom.Find(b.String(), "a"); ok {
		t.Error("a is found in at")
	}
}

// FuzzLabel: whatever a cluster is called, Prometheus' own parser reads it back, and so does Find.
func FuzzLabel(f *testing.F) {
	f.Add("pond", "help", 1.5)
	f.Add("a\"}\nup 1\n", "x\n# TYPE y z", math.NaN())
	f.Add("\xff\\", "\\n", math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, value, help string, number float64) {
		var b bytes.Buffer
		label := prom.Label{Name: "cluster", Value: value}
		if err := prom.Write(&b, []prom.Metric{prom.Of("m", help, number, label)}); err != nil {
			t.Fatal(err)
		}
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(b.Bytes()))
		if err != nil || len(families) != 1 || len(families["m"].GetMetric()) != 1 {
			t.Fatalf("%v\n%s", err, b.String())
		}
		m := families["m"].GetMetric()[0]
		if got := m.GetLabel()[0].GetValue(); got != source.PlainLines(value) {
			t.Errorf("%q is read as %q", value, got)
		}
		found, ok := prom.Find(b.String(), "m", label)
		for _, got := range []float64{m.GetGauge().GetValue(), found} {
			if !ok || got != number && !(math.IsNaN(got) && math.IsNaN(number)) {
				t.Errorf("%g is read as %g", number, got)
			}
		}
	})
}
