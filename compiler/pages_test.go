package compiler_test

import (
	"slices"
	"testing"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestPages: the examples on the pages of lowering and checks give what the page is about, as severe as it says.
func TestPages(t *testing.T) {
	runs := 0
	for _, p := range slices.Concat(pages.In("lowering"), pages.In("checks")) {
		for _, c := range p.Cases() {
			if c.Kind != "example" && c.Kind != "fires" {
				continue
			}
			runs++
			in := compiler.Input{Options: lower.Options{Version: c.Version}}
			for _, f := range c.Files {
				in.Files = append(in.Files, source.NewFile(f.Name, []byte(f.Text)))
			}
			if len(in.Files) == 1 { // some are too short to be recognised
				in.Lang = map[string]lower.Lang{"maui.cfg": lower.Maui, "slurm.conf": lower.Slurm}[in.Files[0].Name]
			}
			_, out, _ := compiler.Dump(in, "codegen")
			i := slices.IndexFunc(out.Diags, func(d *diag.Diagnostic) bool { return d.Code == p.Code })
			if i < 0 {
				t.Errorf("%s is not reported, but %s, for\n%s", p.Code, codesOf(out.Diags), c.Files[0].Text)
			} else if out.Diags[i].Severity != p.Severity && p.Varies == "" {
				t.Errorf("%s is reported as %s", p.Code, out.Diags[i].Severity)
			}
		}
	}
	if runs < 50 {
		t.Errorf("only %d examples", runs)
	}
}

func codesOf(list diag.List) (codes []string) {
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	return codes
}
