package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/maui"
)

// mauiNames gives our component and terms for Maui's component, in the order
// of the sum.
var mauiNames = []struct {
	maui, component string
	terms           [][2]string
}{
	{"SERV", "service", [][2]string{{"QUEUETIME", "queuetime"}, {"XFACTOR", "xfactor"}, {"SPVIOLATION", "spviolation"},
		{"BYPASS", "bypass"}}},
	{"TARG", "target", [][2]string{{"TARGETQUEUETIME", "targetqueuetime"}, {"TARGETXFACTOR", "targetxfactor"}}},
	{"CRED", "credential", [][2]string{{"USER", "user"}, {"GROUP", "group"}, {"ACCOUNT", "account"}, {"QOS", "qos"},
		{"CLASS", "class"}}},
	{"FS", "fairshare", [][2]string{{"FSUSER", "fsuser"}, {"FSGROUP", "fsgroup"}, {"FSACCOUNT", "fsaccount"},
		{"FSQOS", "fsqos"}, {"FSCLASS", "fsclass"}}},
	{"RES", "resource", [][2]string{{"NODE", "node"}, {"PROC", "proc"}, {"MEM", "mem"}, {"SWAP", "swap"}, {"DISK", "disk"},
		{"PS", "ps"}, {"PE", "pe"}, {"WALLTIME", "walltime"}}},
}

// usageWeights is the one recorded report with columns for USAGE, which never enters the
// start priority and is no component of the policy.
const usageWeights = "p38-usage"

// TestDiagnosePEqualsRecorded compares with what diagnose -p printed, byte for
// byte, from the recorded factors, so that evaluation has no part in it.
func TestDiagnosePEqualsRecorded(t *testing.T) {
	root := oracle(t, "maui")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == usageWeights {
			continue
		}
		dir := filepath.Join(root, d.Name())
		c, err := replay.Read(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		conf, err := os.ReadFile(filepath.Join(dir, "maui.cfg"))
		if err != nil {
			t.Fatal(err)
		}
		for i, it := range c.Iterations() {
			want, ok, err := c.Report("diagnose-p", i)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			compared++
			got := text(t, maui.WriteDiagnoseP, printedQueue(it, string(conf)), eval.Options{})
			if diff := firstDifference(want, got); diff != "" {
				t.Errorf("%s, iteration %d: %s", d.Name(), i, diff)
			}
		}
	}
	if compared < 200 {
		t.Errorf("compared only %d recorded reports", compared)
	}
}

// printedQueue is the queue of an iteration with the jobs in their printed order.
func printedQueue(it *replay.Iteration, conf string) *evaluation.Result {
	b := column.NewBuilder("job")
	var jobs []replay.Priority
	var ranked []int32
	for _, row := range it.Printed.Rows {
		ranked = append(ranked, int32(b.Row()))
		b.String("job.id", row.Job)
		b.Int("job.system_priority", int64(map[bool]int{true: 100}[row.SysPrio]))
		jobs = append(jobs, it.After[row.Job])
	}
	return order(mauiResult(conf, b.Table(), jobs), ranked...)
}

// mauiWeight is a weight as the site wrote it, without what a QOS adds; ok is
// false when it is left at its default.
func mauiWeight(conf, param string) (float64, bool) {
	found := regexp.MustCompile(`(?m)^`+param+`\s+(-?\d+)(%?)`).FindAllStringSubmatch(conf, -1)
	if len(found) == 0 {
		return 0, false
	}
	last := found[len(found)-1]
	if last[2] == "%" {
		return 10, true // Maui reads any percentage as 10
	}
	var v float64
	err := json.Unmarshal([]byte(last[1]), &v)
	return v, err == nil
}

// mauiWeightName is the component weight that Maui reads, not the manual's TARGWEIGHT.
func mauiWeightName(component string) string {
	switch component {
	case "SERV":
		return "SERVICEWEIGHT"
	case "TARG":
		return "TARGETWEIGHT"
	}
	return component + "WEIGHT"
}

func mauiResult(conf string, jobs *column.Table, factors []replay.Priority) *evaluation.Result {
	var parts []part
	for _, c := range mauiNames {
		p := part{Component: program.Component{Name: c.component}, weight: 1}
		for _, f := range factors {
			if got, ok := f.Components[c.maui]; ok {
				p.weight, p.cap = got.Weight, got.Cap
			}
		}
		if w, ok := mauiWeight(conf, mauiWeightName(c.maui)); ok {
			p.weight = w
		}
		for _, name := range c.terms {
			term := piece{Term: program.Term{Name: name[1]}}
			seen := false
			for _, f := range factors {
				s, ok := f.Subfactors[name[0]]
				seen = seen || ok
				if !ok {
					s.Factor = f.Unweighted[name[0]]
				}
				term.factors = append(term.factors, s.Factor)
				term.weights = append(term.weights, s.Weight)
			}
			base := slices.Max(append([]float64{0}, term.weights...))
			if w, ok := mauiWeight(conf, name[0]+"WEIGHT"); ok {
				base = w
			} else if name[0] == "QUEUETIME" {
				base = 1
			}
			if !seen {
				base = 0
			}
			term.Weight.Sources = []program.Source{{Name: name[0] + "WEIGHT", Value: schema.IntValue(int64(base))}}
			p.terms = append(p.terms, term)
		}
		parts = append(parts, p)
	}
	r := result(&program.Program{Family: "maui"}, jobs, parts)
	for c, name := range mauiNames {
		for i, f := range factors {
			if got := f.Components[name.maui].Contribution; got != nil {
				r.Sums[c].Value[i] = *got
			}
		}
	}
	for i, f := range factors {
		r.Score[i] = f.RawSum
	}
	return r
}
