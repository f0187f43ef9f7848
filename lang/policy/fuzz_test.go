package policy

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
)

func addSeeds(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name != "golden" {
				f.Add(file.Data)
			}
		}
	}
	for _, c := range pages.In("policy") {
		f.Add([]byte(c.Example()))
	}
}

// checkSpans requires every place to lie in the file.
func checkSpans(t *testing.T, list diag.List, size int) {
	for _, d := range list {
		if d.Span.IsZero() || d.Span.Start < 0 || int(d.Span.End) > size || d.Message == "" {
			t.Errorf("%s at %v: %s", d.Code, d.Span, d.Message)
		}
	}
}

func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		_, diags := Parse(source.NewFile("x", text))
		checkSpans(t, diags, len(text))
		Sniff(text)
	})
}

func FuzzFormat(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		once := Format(text)
		if _, diags := Parse(source.NewFile("x", text)); diags.HasErrors() {
			return // what cannot be read need not settle
		}
		if twice := Format(once); !bytes.Equal(once, twice) {
			t.Errorf("not idempotent:\n%q\n%q", once, twice)
		}
		if _, diags := Parse(source.NewFile("x", once)); diags.HasErrors() {
			t.Errorf("formatting broke it: %s\n%s", diags[0].Message, once)
		}
	})
}

func FuzzEvaluate(f *testing.F) {
	addSeeds(f)
	scope := Scope{
		Params: map[string]schema.Value{
			"W": schema.DoubleValue(2.5), "X": schema.IntValue(3), "TRES": schema.StringValue("cpu=1,mem=2G"),
			"flags": schema.ListValue([]string{"a", "b"}), "none": {},
		},
		Documented: map[string]bool{"xfactor": true},
		Version:    2205,
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, _ := Parse(source.NewFile("x", text))
		for _, p := range file.Policies {
			d, diags := p.Evaluate(scope)
			checkSpans(t, diags, len(text))
			all, _ := Merge(nil, d)
			again, _ := Apply(all, d, false)
			if got, want := dumpDocument(again, false), dumpDocument(all, false); got != want && !diags.HasErrors() &&
				!hasRemoval(d.root) {
				t.Errorf("a document over itself changes:\n%s\n%s", got, want)
			}
			for _, c := range d.Components {
				checkCEL(t, c.Weight)
				for _, term := range c.Terms {
					checkCEL(t, term.Factor)
				}
			}
		}
	})
}

func hasRemoval(n *node) bool {
	if n.remove {
		return true
	}
	return slices.ContainsFunc(n.blocks, hasRemoval)
}

// checkCEL requires that the whole text is found where it is reported to be.
func checkCEL(t *testing.T, s Scalar) {
	if s.CEL == nil {
		return
	}
	span := s.CEL.At(0, len(s.CEL.Text))
	if s.CEL.Offsets == nil && span.Text() != s.CEL.Text {
		t.Errorf("text %q is %q in the file", s.CEL.Text, span.Text())
	}
	if span.Start != s.CEL.Span.Start || span.End != s.CEL.Span.End {
		t.Errorf("the whole of %q is %v, not %v", s.CEL.Text, span, s.CEL.Span)
	}
}

func FuzzUnescape(f *testing.F) {
	for _, s := range quotedSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inner string) { checkUnescape(t, inner) })
}
