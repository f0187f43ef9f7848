package sacctmgr

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestTooLarge: one finding, nothing read, and the text stays what it is.
func TestTooLarge(t *testing.T) {
	for name, text := range map[string][]byte{
		"bytes": bytes.Repeat([]byte("Cluster - 'c'\n"), dialect.MaxBytes/14+1),
		"lines": bytes.Repeat([]byte("\n"), bounds.Lines+1),
	} {
		tree, dump, ds := evaluate("x.cfg", text)
		if len(ds) != 1 || ds[0].Code != "sacctmgr-too-large" || dump.Cluster != "" {
			t.Errorf("%s: %d findings, cluster %q", name, len(ds), dump.Cluster)
		}
		if !bytes.Equal(tree.Print(), text) || !bytes.Equal(Format(tree), text) {
			t.Errorf("%s: the text changes", name)
		}
	}
	if bounds.Exceeded(source.NewFile("x.cfg", bytes.Repeat([]byte("\n"), bounds.Lines))) {
		t.Error("the limit itself is too large")
	}
}

// TestManyFindings: the parser's and the evaluator's findings are bounded
// together, and an overlong line is one of them.
func TestManyFindings(t *testing.T) {
	text := "Cluster - 'c'\n" + strings.Repeat("x\n", 150) + strings.Repeat("Account - 'a':Foo=1\n", 100)
	if _, _, ds := evaluate("x.cfg", []byte(text)); len(ds) != dialect.MaxFindings+1 {
		t.Errorf("%d findings", len(ds))
	}
	_, _, ds := evaluate("x.cfg", []byte("Cluster - 'c'"+strings.Repeat(":a", dialect.MaxLineTokens)+"\n"))
	if len(ds) != 2 || ds[0].Code != "sacctmgr-cluster" || ds[1].Code != "sacctmgr-syntax" {
		t.Errorf("%d findings of a long line", len(ds))
	}
}

// TestOneTooMany: whatever is found after as many findings as are kept is counted.
func TestOneTooMany(t *testing.T) {
	for _, c := range pages.In("sacctmgr") {
		_, _, ds := evaluate("x.cfg", []byte(strings.Repeat("x\n", dialect.MaxFindings)+c.Example()))
		if len(ds) > dialect.MaxFindings+2 { // and that there is no cluster
			t.Errorf("%s: %q behind %d findings gives %d", c.Code, c.Example(), dialect.MaxFindings, len(ds))
		}
	}
}
