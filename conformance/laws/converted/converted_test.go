package converted_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/convert"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/conformance/draws"
	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/impact"
	"github.com/fairway-sched/fairway/runtime/program"
)

// converted compiles files, and the policy in HCL that they become.
func converted(t *testing.T, opt lower.Options, files ...*source.File) (before, after *compiler.Output) {
	t.Helper()
	in := compiler.Input{Files: files, Options: opt}
	before = compiler.Compile(in)
	if before.Program == nil {
		t.Fatal(recordedtest.Text(before.Diags))
	}
	var units []lower.Unit
	for _, f := range files {
		u, _ := lower.Parse(f, "", lower.Files{})
		units = append(units, u)
	}
	text, found := convert.HCL(units, opt)
	if found.HasErrors() {
		t.Fatal(recordedtest.Text(found))
	}
	after = compiler.Compile(compiler.Input{Files: []*source.File{source.NewFile("converted.fairway.hcl", text)}})
	if after.Program == nil {
		t.Fatalf("%s\n%s", recordedtest.Text(after.Diags), text)
	}
	places := regexp.MustCompile(`(?m) *; [^;\n]*$`)
	if a, b := places.ReplaceAllString(before.Program.String(), ""),
		places.ReplaceAllString(after.Program.String(), ""); a != b {
		left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
		i := 0
		for i < min(len(left), len(right))-1 && left[i] == right[i] {
			i++
		}
		t.Errorf("the program differs:\n%s\n%s", left[i], right[i])
	}
	u, _ := lower.Parse(source.NewFile("converted.fairway.hcl", text), "", lower.Files{})
	_, found = convert.To(lower.Lang(before.Policy.Family), []lower.Unit{u}, lower.Options{})
	for _, d := range found {
		if d.Code == "convert-not-said" || d.Severity == diag.Error {
			t.Errorf("and back: %s %v", d.Message, d.Notes)
		}
	}
	return before, after
}

func sameResults(t *testing.T, a, b *evaluation.Result) {
	t.Helper()
	c, err := impact.Results(impact.Side{Result: a}, impact.Side{Result: b})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Same() {
		t.Errorf("the results differ: %+v", c.Summary)
	}
}

// TestConvertedMaui: what a recorded maui.cfg becomes in HCL computes the same in every iteration.
func TestConvertedMaui(t *testing.T) {
	for _, r := range recordedtest.Copies(t, "maui") {
		t.Run(r.Name, func(t *testing.T) {
			first, again := recordedtest.OpenMaui(t, r.Name, r.Files), recordedtest.OpenMaui(t, r.Name, r.Files)
			again.Program = convertedMaui(t, r)
			var played []*replay.Played
			for p, err := range first.Play() {
				if err != nil {
					t.Fatal(err)
				}
				played = append(played, p)
			}
			i := 0
			for p, err := range again.Play() {
				if err != nil {
					t.Fatal(err)
				}
				sameResults(t, played[i].Result, p.Result)
				i++
			}
		})
	}
}

// TestFullConvertedMaui compares the programs of the full set, from which equal results follow.
func TestFullConvertedMaui(t *testing.T) {
	for _, r := range recordedtest.Full(t, "maui", "") {
		t.Run(r.Name, func(t *testing.T) { convertedMaui(t, r) })
	}
}

func convertedMaui(t *testing.T, r recordedtest.Case) *program.Program {
	conf, err := fs.ReadFile(r.Files, "maui.cfg")
	if err != nil {
		t.Fatal(err)
	}
	_, after := converted(t, lower.Options{}, source.NewFile("maui.cfg", conf))
	return after.Program
}

// TestConvertedSlurm: likewise of a recorded slurm.conf with its dump of accounts.
func TestConvertedSlurm(t *testing.T) {
	runs := 0
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), func(t *testing.T, r *slurmrun.Run) {
		if runs++; !draws.InSample(runs, 2) {
			return
		}
		for k := range r.Snapshots {
			if !draws.InSample(k, 3) {
				continue // most snapshots of a run share their configuration
			}
			s := &r.Snapshots[k]
			before, after := convertedSlurm(t, r, s)
			snap, err := r.Read(s, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			sameResults(t, recordedtest.Evaluate(t, before, snap), recordedtest.Evaluate(t, after, snap))
		}
	})
}

func TestFullConvertedSlurm(t *testing.T) {
	recordedtest.EachSlurm(t, recordedtest.Full(t, "slurm", ""),
		func(t *testing.T, r *slurmrun.Run) { convertedSlurm(t, r, &r.Snapshots[0]) })
}

func convertedSlurm(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot) (before, after *program.Program) {
	conf, err := r.Conf(s)
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := r.Dump()
	if err != nil {
		t.Fatal(err)
	}
	x, y := converted(t, lower.Options{Version: r.Branch()}, conf, accounts)
	return x.Program, y.Program
}
