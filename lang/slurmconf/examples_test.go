package slurmconf

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/beside"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/lang/source"
)

// example is one reference case: the behaviour of Slurm's own code, restated.
type example struct {
	ID, Kind string
	Inputs   struct {
		Text, Version string
		Texts         []string
	}
	Expected map[string]any
}

// exampleExceptions are cases a running slurmctld contradicts.
var exampleExceptions = map[string]string{
	"hostlist-n[1-2]-ib": "text after a bracket is an invalid host list for slurmctld 22.05.8",
}

// TestExamples runs the small reference cases: the copies in testdata always,
// the whole set where it is at hand.
func TestExamples(t *testing.T) {
	var all struct{ Examples []example }
	text, err := os.ReadFile("testdata/examples.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	runExamples(t, all.Examples)
	t.Run("shared", func(t *testing.T) {
		text, err := fs.ReadFile(beside.Files(t), "reference/slurm-examples.json")
		if err != nil {
			t.Skip(err)
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		runExamples(t, all.Examples)
	})
}

func runExamples(t *testing.T, list []example) {
	run := map[string]func(*testing.T, example){
		"time_string": timeExample, "hostlist": hostlistExample, "conf_parse": confExample, "priority_flags": flagsExample,
	}
	n := 0
	for _, x := range list {
		if f := run[x.Kind]; f != nil && exampleExceptions[x.ID] == "" {
			n++
			t.Run(x.ID, func(t *testing.T) { f(t, x) })
		}
	}
	if n != 48 {
		t.Errorf("%d cases ran, want 48", n)
	}
}

func timeExample(t *testing.T, x example) {
	for key, parse := range map[string]func(string) (int64, error){"seconds": slurmtext.ParseTimeSeconds,
		"minutes_rounded_up": slurmtext.ParseTimeMinutes} {
		n, err := parse(x.Inputs.Text)
		got := any(float64(n))
		if n == slurmtext.Infinite {
			got = "INFINITE"
		}
		if x.Expected["error"] == true {
			if err == nil {
				t.Errorf("%s: %v, want an error", key, got)
			}
		} else if err != nil || got != x.Expected[key] {
			t.Errorf("%s: %v, %v, want %v", key, got, err, x.Expected[key])
		}
	}
}

func hostlistExample(t *testing.T, x example) {
	names, err := slurmtext.ExpandHostlist(x.Inputs.Text)
	if x.Expected["error"] == true {
		if err == nil {
			t.Errorf("%v, want an error", names)
		}
		return
	}
	if err != nil || float64(len(names)) != x.Expected["count"] || names[0] != x.Expected["first"] ||
		names[len(names)-1] != x.Expected["last"] {
		t.Errorf("%v, %v, want %v", names, err, x.Expected)
	}
}

// confExample completes the snippet to a whole file; a snippet that names
// nodes without defining them gets them.
func confExample(t *testing.T, x example) {
	if x.Inputs.Texts != nil {
		for i, text := range x.Inputs.Texts {
			cfg, _ := evaluateText(t, "PriorityFavorSmall="+text+"\n", Options{})
			p, ok := cfg.Param("PriorityFavorSmall")
			if want := x.Expected["values"].([]any)[i]; !ok || p.Bool != want {
				t.Errorf("%s is %v, want %v", text, p.Bool, want)
			}
		}
		return
	}
	head := "ClusterName=c\nSlurmctldHost=h\n"
	if strings.Contains(x.Inputs.Text, "Nodes=n1") {
		head += "NodeName=n1\n"
	}
	cfg, ds := evaluateText(t, head+x.Inputs.Text, Options{})
	if x.Expected["error"] != nil {
		if !ds.HasErrors() {
			t.Errorf("no error, want %v", x.Expected["error"])
		}
		return
	}
	if ds.HasErrors() != (x.ID == "conf-empty-value-steals") { // Slurm takes it; we call it an error
		t.Errorf("findings %v", codes(ds))
	}
	if x.Expected["diagnostic"] != nil && len(ds) == 0 {
		t.Error("no finding")
	}
	for key, want := range object(x.Expected["keys"]) {
		if p, _ := cfg.Param(key); p.Text != want {
			t.Errorf("%s is %q, want %q", key, p.Text, want)
		}
	}
	for key, want := range object(x.Expected["values"]) {
		if p, _ := cfg.Param(key); float64(p.Number) != want {
			t.Errorf("%s is %d, want %v", key, p.Number, want)
		}
	}
	records, _ := x.Expected["records"].([]any)
	got := cfg.Records[strings.Count(head, "NodeName"):]
	if len(got) != len(records) && records != nil {
		t.Fatalf("%d records, want %d", len(got), len(records))
	}
	for i, want := range records {
		r := got[i]
		attrs := map[string]any{r.Kind: r.Name.Text}
		for _, a := range r.Attrs {
			attrs[a.Name] = a.Text
		}
		if !maps.Equal(attrs, want.(map[string]any)) {
			t.Errorf("record %v, want %v", attrs, want)
		}
	}
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func flagsExample(t *testing.T, x example) {
	f := ParsePriorityFlags(x.Inputs.Text, x.Inputs.Version)
	got := map[string]bool{"fair_tree": f.FairTree, "depth_oblivious": f.DepthOblivious, "max_tres": f.MaxTRES,
		"accrue_always": f.AccrueAlways}
	for key, want := range x.Expected {
		if b, ok := want.(bool); ok && got[key] != b {
			t.Errorf("%s is %v, want %v", key, got[key], b)
		}
	}
}

// evaluateText evaluates a text without includes, the part of a file that a test is about: that it
// has no partition is left out.
func evaluateText(t testing.TB, text string, opt Options) (*Config, diag.List) {
	t.Helper()
	f := source.NewFile("slurm.conf", []byte(text))
	lines, ds := Load(nil, "slurm.conf", f)
	cfg, more := Evaluate(lines, opt)
	more = slices.DeleteFunc(more, func(d *diag.Diagnostic) bool { return d.Code == "slurm-no-partition" })
	return cfg, append(ds, more...)
}

func codes(ds diag.List) (list []string) {
	for _, d := range ds {
		list = append(list, fmt.Sprintf("%s@%d", d.Code, d.Span.Position().Line))
	}
	slices.Sort(list)
	return list
}
