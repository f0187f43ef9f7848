package replay_test

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/replay"
	"github.com/fairway-sched/fairway/runtime/report"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// mauiUnprinted names reports that are not compared, and why.
var mauiUnprinted = map[string]string{
	"p37-setspri diagnose-p": "after an administrator had set priorities it was printed in the order before",
	"p37-setspri showq":      "likewise",
}

// TestRecordedViews: what the views print of the first iteration is what Maui's clients printed.
func TestRecordedViews(t *testing.T) {
	c := compared{}
	for _, r := range recordedtest.Copies(t, "maui") {
		played := recordedtest.OpenMaui(t, r.Name, r.Files)
		for p, err := range played.Play() {
			if err != nil {
				t.Fatal(err)
			}
			for _, command := range mauiReports {
				want, ok, err := played.Report(command, p.Index)
				if err != nil {
					t.Fatal(err)
				}
				if ok && mauiUnprinted[r.Name+" "+command] == "" {
					c[command]++
					t.Run(r.Name+" "+command, func(t *testing.T) { checkView(t, p, command, want) })
				}
			}
			break // of later iterations the copies have no text
		}
	}
	c.atLeast(t, map[string]int{"diagnose-f": 100, "diagnose-p": 75, "showq": 100})
}

func checkView(t *testing.T, p *replay.Played, command, want string) {
	t.Helper()
	var b strings.Builder
	for _, v := range report.Views {
		if v.Name == command {
			if err := v.Write(&b, p.Seen, eval.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, got := p.Comparable(command, want, b.String())
	if got != want {
		t.Errorf("\n%s", diff.Diff("recorded", []byte(want), "printed", []byte(got)))
	}
}
