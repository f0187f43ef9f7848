package mauicfg

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestTooLarge: one finding, nothing read, and the text stays what it is.
func TestTooLarge(t *testing.T) {
	for name, text := range map[string][]byte{
		"bytes": bytes.Repeat([]byte("#234567\n"), dialect.MaxBytes/8+1),
		"lines": bytes.Repeat([]byte("\n"), bounds.Lines+1),
	} {
		file, diags := Parse(source.NewFile("maui.cfg", text))
		cfg, more := Evaluate(file, Options{})
		if len(diags) != 1 || diags[0].Code != "maui-too-large" || len(more) > 0 || len(cfg.Params) > 0 {
			t.Errorf("%s: %d and %d findings", name, len(diags), len(more))
		}
		if !bytes.Equal(file.Print(), text) || !bytes.Equal(Format(file), text) {
			t.Errorf("%s: the text changes", name)
		}
	}
	if bounds.Exceeded(source.NewFile("maui.cfg", bytes.Repeat([]byte("\n"), bounds.Lines))) {
		t.Error("the limit itself is too large")
	}
}

// TestManyFindings: the parser's and the evaluator's findings of a file are
// bounded together.
func TestManyFindings(t *testing.T) {
	_, diags := evaluateText(strings.Repeat("!x\n", 150)+strings.Repeat("FOO 1\n",
		100)+strings.Repeat("USERCFG[a] FOO=1 VMEM=2\n", 100), Options{})
	counts := map[string]int{}
	last := (*diag.Diagnostic)(nil)
	for _, d := range diags {
		counts[d.Code]++
		if d.Code == "maui-more-findings" {
			last = d
		}
	}
	if len(diags) != dialect.MaxFindings+1 || counts["maui-unrecognised-line"] != 150 || last == nil ||
		last.Severity != diag.Warning {
		t.Errorf("%d findings, %v", len(diags), counts)
	}
}

// A moab.cfg of any length is called one.
func TestLongMoabFile(t *testing.T) {
	_, diags := evaluateText(strings.Repeat("NODECATCREDLIST x\n", 2*dialect.MaxFindings), Options{})
	moab := 0
	for _, d := range diags {
		if d.Code == "maui-moab-file" && strings.Contains(d.Message, "400") {
			moab++
		}
	}
	if len(diags) > dialect.MaxFindings+2 {
		t.Errorf("%d findings", len(diags))
	}
	if moab != 1 {
		t.Errorf("not called a moab.cfg: %s", diags[0].Message)
	}
}

// TestOneTooMany: whatever is found after as many findings as are kept is counted, but for what is said of
// the file as a whole.
func TestOneTooMany(t *testing.T) {
	for _, c := range pages.In("maui") {
		_, diags := evaluateText(strings.Repeat("!x\n", dialect.MaxFindings)+c.Example(), Options{})
		if _, alone := evaluateText(c.Example(), Options{}); len(diags) > dialect.MaxFindings+1+len(alone) {
			t.Errorf("%s: %q behind %d findings gives %d", c.Code, c.Example(), dialect.MaxFindings, len(diags))
		}
	}
}
