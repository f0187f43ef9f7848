package mauicfg

import (
	"bytes"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

func seeds(f *testing.F) {
	for _, c := range pages.In("maui") {
		f.Add([]byte(c.Example()))
	}
	for _, text := range []string{
		"", "\n", "\\", "\\\n\n", "A\\\nB", "#", "#INCLUDE x", "USERCFG[", "USERCFG[]", "USERCFG[a]b=1", "USERCFG[a] =b=1",
		"A==1", "A=B=C D=E",
		"\ufeffFSDEPTH 7\r\n", "  USERCFG[x] MAXJOB='1 2' # c", "FSDEPTH 7\\ # x", "NODECFG[n] PRIORITYF='A", "\x00", "[x]",
		"USERCFG[a]\tMAXJOB+5 MAXJOB[X]=,", "FSINTERVAL 1:2:3:4:5",
		"NODESETLIST a b c\nNODESETLIST d\nNODESETLIST", "SIMSTARTTIME 1_2/3/4", "MEMWEIGHT 99999999999999999999",
		"FSDECAY 1e999", "LOGFILE a#b #c",
	} {
		f.Add([]byte(text))
	}
}

// FuzzParse: any text parses, prints back identically, and each token's span
// covers its text.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		file, _ := Parse(source.NewFile("a", text))
		if got := file.Print(); !bytes.Equal(got, text) {
			t.Errorf("%q prints as %q", text, got)
		}
		for i := range file.Lines {
			for _, token := range file.Lines[i].Tokens {
				if token.Span.Text() != token.Text {
					t.Errorf("%v covers %q", token, token.Span.Text())
				}
			}
		}
		checkGrammar(t, string(text))
		if n := Sniff(text); n < 0 || n > 100 {
			t.Errorf("Sniff is %d", n)
		}
	})
}

// FuzzEvaluate: any text evaluates, with spans inside it; formatting keeps the
// meaning and is its own fixed point.
func FuzzEvaluate(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, opt := range []Options{{}, manual()} {
			file, _ := Parse(source.NewFile("a", text))
			_, diags := Evaluate(file, opt)
			for _, d := range diags {
				if int(d.Span.End) > len(text) || d.Span.Start > d.Span.End || d.Span.Start < 0 {
					t.Errorf("%s: span %d-%d of %d bytes", d.Code, d.Span.Start, d.Span.End, len(text))
				}
			}
		}
		checkFormat(t, text)
	})
}
