package slurmconf

import (
	"bytes"
	"slices"
	"strings"
	"testing"

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
		tree, ds := Parse(source.NewFile("slurm.conf", text))
		cfg, more := Evaluate(tree.Lines, Options{})
		if got := strings.Join(codes(append(ds, more...)), " "); got != "slurm-too-large@1" || len(cfg.Params) > 0 {
			t.Errorf("%s: %s", name, got)
		}
		if !bytes.Equal(tree.Print(), text) {
			t.Errorf("%s: the text prints differently", name)
		}
		if name == "bytes" && !bytes.Equal(Format(tree), text) {
			t.Errorf("%s: the text is formatted", name)
		}
	}
	if bounds.Exceeded(source.NewFile("slurm.conf", bytes.Repeat([]byte("\n"), bounds.Lines))) {
		t.Error("the limit itself is too large")
	}
}

// TestManyFindings: the parser's and the evaluator's findings of a file are
// bounded together, those of another file for themselves.
func TestManyFindings(t *testing.T) {
	text := head + strings.Repeat("x\n", 150) + strings.Repeat("Foo=1\n", 150) + "PartitionName=p\n"
	_, ds := evaluateText(t, text, Options{})
	if n := len(ds); n != dialect.MaxFindings+1 {
		t.Fatalf("%d findings", n)
	}
	last := ds[0]
	for _, d := range ds {
		if d.Code == "slurm-more-findings" {
			last = d
		}
	}
	if last.Message != "100 more findings in this file" || last.Span.Position().Line != 2+150+50+1 {
		t.Errorf("%s at line %d", last.Message, last.Span.Position().Line)
	}
	// A line of more settings than are read is one finding, too.
	_, ds = evaluateText(t, head+strings.Repeat("A=1 ", dialect.MaxLineTokens/3+1)+"\n", Options{})
	if got := strings.Join(codes(ds), " "); got != "slurm-syntax@3" {
		t.Errorf("a very long line: %s", got)
	}
}

// TestOneTooMany: whatever is found after as many findings as are kept is counted.
func TestOneTooMany(t *testing.T) {
	texts := []string{head + "PartitionName=a " +
		"Shared=NO\nFastSchedule=0\nMemLimitEnforce=no\nJobAcctFrequency=5\nNodeName=n1 Procs=2\n"}
	for _, c := range pages.In("slurm") {
		if c.Code != "slurm-template" { // such a file is not read
			texts = append(texts, c.Example())
		}
	}
	for _, text := range texts {
		for _, version := range []string{"2.2", "18.08", "20.02", "22.05", Versions[len(Versions)-1]} {
			lines, few := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(text)))
			_, more := Evaluate(lines, Options{Version: version})
			if len(few)+len(more) == 0 {
				continue
			}
			full := strings.Repeat("x\n", dialect.MaxFindings) + text
			lines, many := Load(nil, "slurm.conf", source.NewFile("slurm.conf", []byte(full)))
			_, rest := Evaluate(lines, Options{Version: version})
			if got := codes(append(many, rest...)); !slices.ContainsFunc(got,
				func(c string) bool { return strings.HasPrefix(c, "slurm-more-findings@") }) {
				t.Errorf("%s: %q behind %d findings gives no slurm-more-findings", version, text, dialect.MaxFindings)
			}
		}
	}
}
