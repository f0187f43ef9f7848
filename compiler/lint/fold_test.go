package lint_test

import (
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// TestFold: one finding of each old key, one of all partitions without a limit; nothing else is folded.
func TestFold(t *testing.T) {
	f := source.NewFile("slurm.conf", []byte("Shared\nShared\nPriority\nShared\nShared\n"))
	var list diag.List
	for _, at := range [][2]int{{0, 6}, {7, 13}, {14, 22}, {23, 29}} {
		list.Infof("slurm-deprecated-key", f.Span(at[0], at[1]), "old")
	}
	list.Infof("slurm-no-time-limit", f.Span(0, 6), "a")
	list.Infof("slurm-no-time-limit", f.Span(14, 22), "b")
	list.Warnf("slurm-two-defaults", f.Span(0, 6), "c")
	list.Warnf("slurm-two-defaults", f.Span(7, 13), "c")
	var got []string
	for _, d := range lint.Fold(list) {
		line := d.Code + " " + d.Span.Text()
		for _, n := range d.Notes {
			line += " (" + n.Text + ")"
		}
		got = append(got, line)
	}
	want := "slurm-deprecated-key Shared (it is so 2 more times: lines 2, 4)\nslurm-deprecated-key Priority\n" +
		"slurm-no-time-limit Shared (it is so once more: line 3)\nslurm-two-defaults Shared\nslurm-two-defaults Shared"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if len(list[0].Notes) > 0 {
		t.Error("the list itself is changed")
	}
}
