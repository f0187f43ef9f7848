package lint_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// FuzzDecisions: no text of a site's decisions breaks their readers; a baseline that can be read is
// written as it was read; and comments take out findings, or add their own, but lose none.
func FuzzDecisions(f *testing.F) {
	f.Add("maui-octal off\n# why\nmaui-* = info", `{"format_version":1,"findings":[{"code":"maui-octal","file":"maui.cfg","text":"MEMWEIGHT 010","count":1}]}`,
		"# fairway:ignore maui-octal until=2027-01-01 why\nMEMWEIGHT 010\n")
	f.Add("[ off", "{}", "x # fairway:ignore-file M016 why # fairway:ignore\r\n// fairway:ignore ,, x")
	f.Fuzz(func(t *testing.T, severities, baseline, text string) {
		var list diag.List
		file := source.NewFile("maui.cfg", []byte(text))
		list.Warnf("maui-octal", file.Span(len(text)/2, len(text)), "octal")
		if s, err := lint.ReadSeverities(bytes.NewReader([]byte(severities)), known); err == nil {
			s.Apply(list)
		}
		if b, err := lint.ReadBaseline(bytes.NewReader([]byte(baseline))); err == nil {
			var first, second bytes.Buffer
			if err := b.Write(&first); err != nil {
				t.Fatal(err)
			}
			again, err := lint.ReadBaseline(bytes.NewReader(first.Bytes()))
			if err != nil || again.Write(&second) != nil || first.String() != second.String() {
				t.Fatalf("%q is read as\n%s and then as\n%s (%v)", baseline, first.String(), second.String(), err)
			}
			b.Filter(list)
		}
		kept := lint.Ignore(list, []*source.File{file}, known, time.Unix(1800000000, 0))
		if len(kept) == 0 && !bytes.Contains([]byte(text), []byte("fairway:ignore")) {
			t.Fatalf("%q silences a finding", text)
		}
	})
}
