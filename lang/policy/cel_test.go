package policy

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fairway-sched/fairway/lang/source"
)

// factorOf evaluates a policy with one term and returns its factor.
func factorOf(t *testing.T, literal string) *CEL {
	t.Helper()
	text := "policy \"p\" {\n  component \"c\" {\n    term \"t\" {\n      factor = " + literal + "\n    }\n  }\n}\n"
	f, diags := Parse(source.NewFile("x.fairway.hcl", []byte(text)))
	if len(diags) > 0 {
		t.Fatalf("%s: %s", literal, diags[0].Message)
	}
	d, diags := f.Policies[0].Evaluate(Scope{})
	if len(diags) > 0 || d.Components[0].Terms[0].Factor.CEL == nil {
		t.Fatalf("%s: %v %+v", literal, diags, d.Components[0].Terms[0])
	}
	return d.Components[0].Terms[0].Factor.CEL
}

// A word of the CEL text must be found at the same word of the file, whatever
// stands before it.
func TestCELPlaces(t *testing.T) {
	for _, c := range []struct{ literal, word, want string }{
		{"\"job.nope > 1\"", "nope", "4:21"},
		{"\"'größe' == job.nope\"", "nope", "4:32"},
		{"\"\\\"a\\\" == job.nope\"", "nope", "4:30"},
		{"\"\\u00e9 == job.nope\"", "nope", "4:31"},
		{"<<-CEL\n        'ß' == job.name &&\n          job.nope\n      CEL", "nope", "6:15"},
		{"<<-CEL\n        'ß' == 'ö' && job.nope\n      CEL", "nope", "5:27"},
		{"<<CEL\njob.name ==\n\t'größe' || job.nope\nCEL", "nope", "6:17"},
		{"<<-CEL\n        '$${x}' == job.nope\n      CEL", "nope", "5:24"},
		{"<<-CEL\r\n        1 == 1 &&\r\n        job.nope\r\n      CEL", "nope", "6:13"},
		{"(\n  \"job.nope\" )", "nope", "5:8"},
	} {
		cel := factorOf(t, c.literal)
		i := strings.Index(cel.Text, c.word)
		span := cel.At(i, i+len(c.word))
		p := span.Position()
		got := source.Position{Line: p.Line, Column: p.Column}
		if at := span.String(); !strings.HasSuffix(at, ":"+c.want) || span.Text() != c.word {
			t.Errorf("%q: %q at %v, want %s", c.literal, span.Text(), got, c.want)
		}
	}
}

// The decoding of quoted text must give what HCL gives, which decodes slowly
// and loses the places.
func TestUnescapeIsHCLs(t *testing.T) {
	for _, literal := range quotedSeeds {
		checkUnescape(t, literal)
	}
}

var quotedSeeds = []string{`a`, `a\nb\r\t\"\\`, `\u00e9\U0001F600`, `$${x} %%{y} $x %y $$ %%`, `'größe'`, `$$${x}`,
	`\\$${`}

func checkUnescape(t *testing.T, inner string) {
	t.Helper()
	src := []byte(`"` + inner + `"`)
	x, diags := hclsyntax.ParseExpression(src, "", hcl.InitialPos)
	tmpl, ok := x.(*hclsyntax.TemplateExpr)
	if diags.HasErrors() || !ok || tmpl.SrcRange.End.Byte != len(src) || len(tmpl.Parts) != 1 {
		return
	}
	lit, ok := tmpl.Parts[0].(*hclsyntax.LiteralValueExpr)
	if !ok {
		return
	}
	text, offsets := unescape(inner, true)
	// cty brings text to Unicode's composed form; CEL gets the bytes as they are.
	if want := lit.Val.AsString(); cty.StringVal(text).AsString() != want {
		t.Errorf("%q: %q, HCL says %q", inner, text, want)
	}
	if offsets != nil && len(offsets) != len(text)+1 {
		t.Errorf("%q: %d offsets for %d bytes", inner, len(offsets), len(text))
	}
}
