package diff_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/diff"
	"github.com/fairway-sched/fairway/compiler/ir"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/lang/source"
)

var update = flag.Bool("update", false, "rewrite golden files")

// policy compiles texts; nil if there are errors.
func policy(t testing.TB, version string, files ...*source.File) *compiler.Output {
	t.Helper()
	in := compiler.Input{Files: files}
	in.Version = version
	out := compiler.Compile(in)
	if out.Program == nil {
		return nil
	}
	return out
}

// Golden: each archive has the files old/… and new/… of the two sides and what is reported of them.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d cases: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var sides [2][]*source.File
			want, version := -1, ""
			for i, f := range a.Files {
				switch {
				case strings.HasPrefix(f.Name, "old/"):
					sides[0] = append(sides[0], source.NewFile(f.Name, f.Data))
				case strings.HasPrefix(f.Name, "new/"):
					sides[1] = append(sides[1], source.NewFile(f.Name, f.Data))
				case f.Name == "version":
					version = strings.TrimSpace(string(f.Data))
				case f.Name == "want":
					want = i
				}
			}
			x, y := policy(t, version, sides[0]...), policy(t, version, sides[1]...)
			if x == nil || y == nil || want < 0 {
				t.Fatal("a side does not compile, or nothing is wanted")
			}
			r := diff.Policies(x.Policy, y.Policy)
			var b bytes.Buffer
			b.WriteString(r.Verdict() + "\n\n")
			if err := r.WriteText(&b); err != nil {
				t.Fatal(err)
			}
			if *update {
				a.Files[want].Data = b.Bytes()
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got := b.String(); got != string(a.Files[want].Data) {
				t.Errorf("got\n%s\nwant\n%s", got, a.Files[want].Data)
			}
		})
	}
}

// samples are all policies of the compiler's own tests and of the examples that compile.
func samples(t *testing.T) map[string]*source.File {
	out := map[string]*source.File{}
	archives, _ := filepath.Glob("../testdata/*.txtar")
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if name := filepath.Base(path) + "/" + f.Name; !strings.HasPrefix(f.Name, "want/") {
				out[name] = source.NewFile(name, f.Data)
			}
		}
	}
	for _, pattern := range []string{"../../examples/*/*.conf", "../../examples/*/maui.cfg",
		"../../examples/*/*.fairway.hcl"} {
		files, _ := filepath.Glob(pattern)
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out[path] = source.NewFile(path, text)
		}
	}
	if len(out) < 20 {
		t.Fatalf("only %d samples", len(out))
	}
	return out
}

// diff(P, P) is empty, also where the two were read from files of other names.
func TestSame(t *testing.T) {
	compiled := 0
	for name, f := range samples(t) {
		x := policy(t, "", f)
		if x == nil {
			continue
		}
		compiled++
		y := policy(t, "", source.NewFile("other", f.Text))
		if r := diff.Policies(x.Policy, y.Policy); len(r.Differences) > 0 || r.Verdict() != "no effect: both mean the same" {
			t.Errorf("%s: %s: %+v", name, r.Verdict(), r.Differences[0])
		}
	}
	if compiled < 15 {
		t.Fatalf("only %d samples compile", compiled)
	}
}

var numeral = regexp.MustCompile(`[0-9]+`)

// No difference goes unseen: a number of the text is changed, and if the program or the meaning of the policy
// is another one, something is reported; and the other way round the same of both sides.
func TestUnseen(t *testing.T) {
	changes, seen := 0, 0
	all := samples(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		if !draws.InSample(i, 2) || len(f.Text) > 8000 {
			continue
		}
		x := policy(t, "", f)
		if x == nil {
			continue
		}
		places := numeral.FindAllIndex(f.Text, -1)
		for k := 0; k < len(places); k += 1 + len(places)/6 {
			at := places[k]
			text := slices.Concat(f.Text[:at[0]], []byte("1"), f.Text[at[0]:])
			y := policy(t, "", source.NewFile(f.Name, text))
			if y == nil {
				continue
			}
			changes++
			r, back := diff.Policies(x.Policy, y.Policy), diff.Policies(y.Policy, x.Policy)
			if len(r.Differences) > 0 {
				seen++
			}
			if r.Effective() != back.Effective() {
				t.Errorf("%s: %d differences, and %d the other way, at %q", name, r.Effective(), back.Effective(),
					around(text, at[0]))
			}
			same := withoutPlaces(x.Program.String()) == withoutPlaces(y.Program.String())
			idle := slices.ContainsFunc(r.Differences, func(d diff.Difference) bool { return d.Reason != "" })
			if !same && r.Effective() == 0 && !idle {
				t.Errorf("%s: the programs differ, and nothing is reported, at %q", name, around(text, at[0]))
			}
			if x.Policy.Meaning() != y.Policy.Meaning() && len(r.Differences) == 0 && x.Policy.Name == y.Policy.Name {
				t.Errorf("%s: the meanings differ, and nothing is reported, at %q", name, around(text, at[0]))
			}
		}
	}
	if changes < 60 || seen < changes/4 {
		t.Errorf("%d changes, %d seen: the test tests little", changes, seen)
	}
}

var placeInProgram = regexp.MustCompile(`(?m)\s*; .*$`)

func withoutPlaces(s string) string { return placeInProgram.ReplaceAllString(s, "") }

func around(text []byte, at int) string {
	return string(text[max(0, at-30):min(len(text), at+30)])
}

// Every field of what slurmctld does has a name that a reader knows, or is reported elsewhere.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		of    reflect.Type
		names []string
	}{{reflect.TypeFor[ir.Enforced](), diff.EnforcedFields()}, {reflect.TypeFor[ir.SlurmPlan](), diff.PlanFields()}} {
		for _, f := range reflect.VisibleFields(c.of) {
			if !f.Anonymous && !slices.Contains(c.names, f.Name) {
				t.Errorf("%s.%s is not compared", c.of, f.Name)
			}
		}
	}
}

// Versions are compared with their defaults.
func TestVersions(t *testing.T) {
	conf := source.NewFile("slurm.conf",
		[]byte("ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\nNodeName=n1 CPUs=4\nPartitionName=p "+
			"Nodes=n1\n"))
	x, y := policy(t, "21.08", conf), policy(t, "25.05", conf)
	r := diff.Policies(x.Policy, y.Policy)
	var names []string
	for _, d := range r.Differences {
		if d.Group != diff.Other {
			names = append(names, d.Name)
		}
	}
	for _, want := range []string{"version", "memory is shared out"} {
		if !slices.Contains(names, want) {
			t.Errorf("%q is missing in %q", want, names)
		}
	}
}

// Other semantics are one difference: a number is not another one because the manual lets it have a fraction, and what
// follows from a parameter's default is reported once.
func TestDocumented(t *testing.T) {
	conf := source.NewFile("maui.cfg",
		[]byte("QUEUETIMEWEIGHT 10\nXFACTORWEIGHT 1\nXFACTORCAP 20\nFSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT "+
			"1\nUSERCFG[amy] FSTARGET=10\n"))
	x := policy(t, "", conf)
	in := compiler.Input{Files: []*source.File{conf}}
	in.Semantics = "documented"
	y := compiler.Compile(in)
	if x == nil || y.Program == nil {
		t.Fatal("a side does not compile")
	}
	r := diff.Policies(x.Policy, y.Policy)
	times := map[string]int{}
	for i := range r.Differences {
		d := &r.Differences[i]
		times[strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(d.Name, "fairshare "), "FS"))]++
		if d.Group == diff.Scheduler && d.Name != "semantics" {
			t.Errorf("%s is said beside the semantics", d.Name)
		}
		if d.Name == "XFACTORCAP" || d.Name == "QUEUETIMECAP" {
			t.Errorf("%s: %s and %s are the same number", d.Name, d.Old.Value, d.New.Value)
		}
	}
	for _, name := range []string{"depth", "interval"} {
		if times[name] != 1 {
			t.Errorf("the %s of the windows is said %d times", name, times[name])
		}
	}
}
