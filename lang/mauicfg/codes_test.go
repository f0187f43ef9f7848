package mauicfg

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/dialect"
	"github.com/fairway-sched/fairway/lang/source"
)

// longExamples stand for those too long to document.
var longExamples = map[string]string{
	"maui-more-findings":  strings.Repeat("PRIORITYWEIGHT 1\n", dialect.MaxFindings+1),
	"maui-line-truncated": "SRCFG[a] HOSTLIST=" + strings.Repeat("n1,", 400) + "\n",
	"maui-too-large":      strings.Repeat("\n", bounds.Lines+1),
}

// TestCodes proves that each documented code is reported with its severity, for
// its own example.
func TestCodes(t *testing.T) {
	for _, c := range pages.In("maui") {
		if strings.HasPrefix(c.Code, "maui-include-") {
			continue // TestLoad
		}
		example := c.Example()
		if example == "" {
			example = longExamples[c.Code]
		}
		_, diags := evaluateText(example,
			Options{ManualNames: c.Code == "maui-not-modelled", OldSwitches: c.Code == "maui-policy-off"})
		found := slices.ContainsFunc(diags,
			func(d *diag.Diagnostic) bool { return d.Code == c.Code && d.Severity == c.Severity })
		if !found {
			t.Errorf("%s is not reported for %q", c.Code, c.Example())
		}
	}
}

// TestMessages holds every diagnostic the examples cause to the house style.
func TestMessages(t *testing.T) {
	known := map[string]bool{}
	for _, c := range pages.In("maui") {
		known[c.Code] = true
	}
	for _, c := range pages.In("maui") {
		_, diags := evaluateText(c.Example(), Options{})
		for _, d := range diags {
			if !known[d.Code] || d.Message == "" || strings.HasSuffix(d.Message, ".") || len(d.Notes) == 0 || d.Span.IsZero() {
				t.Errorf("%q: %s %q has no documentation, place or note, or ends in a full stop", c.Example(), d.Code, d.Message)
			}
		}
	}
}

// TestFixes applies each fix offered for an example: the fault must be gone.
func TestFixes(t *testing.T) {
	fixed := 0
	for _, c := range pages.In("maui") {
		_, diags := evaluateText(c.Example(), Options{})
		for _, d := range diags {
			if d.Fix == nil || d.Code != c.Code {
				continue
			}
			at := d.Fix.Span
			text := c.Example()[:at.Start] + d.Fix.NewText + c.Example()[at.End:]
			_, after := evaluateText(text, Options{})
			if slices.ContainsFunc(after, func(x *diag.Diagnostic) bool { return x.Code == c.Code }) {
				t.Errorf("%s: %q is still wrong as %q", c.Code, c.Example(), text)
			}
			fixed++
		}
	}
	if fixed < 8 {
		t.Errorf("only %d fixes", fixed)
	}
}

func TestLoad(t *testing.T) {
	many := fstest.MapFS{}
	many["maui.cfg"] = &fstest.MapFile{Data: []byte(strings.Repeat("#INCLUDE a.cfg\n", maxIncludes+1))}
	many["a.cfg"] = &fstest.MapFile{Data: []byte("FSDEPTH 9\n")}
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		code  string
		depth string
	}{
		{"appended at the end, in order", fstest.MapFS{
			"etc/maui.cfg":  {Data: []byte("#INCLUDE a.cfg\nFSDEPTH 1\n # see #INCLUDE\n#INCLUDE sub/b.cfg\n")},
			"etc/a.cfg":     {Data: []byte("FSDEPTH 2\n#INCLUDE c.cfg\n")},
			"etc/sub/b.cfg": {Data: []byte("FSDEPTH 3\n")},
			"etc/c.cfg":     {Data: []byte("FSDEPTH 4\n")},
		}, "", "4"},
		{"absolute", fstest.MapFS{
			"etc/maui.cfg": {Data: []byte("FSDEPTH 1\n#INCLUDE /opt/x.cfg\n")},
			"opt/x.cfg":    {Data: []byte("FSDEPTH 2")},
		}, "", "2"},
		{"missing", fstest.MapFS{"etc/maui.cfg": {Data: []byte("FSDEPTH 1\n#INCLUDE x.cfg\n")}}, "maui-include-missing", "1"},
		{"cycle", fstest.MapFS{
			"etc/maui.cfg": {Data: []byte("FSDEPTH 1\n#INCLUDE a.cfg\n")},
			"etc/a.cfg":    {Data: []byte("FSDEPTH 2\n#INCLUDE maui.cfg\n")},
		}, "maui-include-cycle", "2"},
		{"too many", many, "maui-include-limit", "9"},
		{"no folder", nil, "maui-include-unread", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, text := "etc/maui.cfg", []byte("FSDEPTH 1\n#INCLUDE a.cfg\n")
			if c.files["maui.cfg"] != nil {
				name = "maui.cfg"
			}
			var file *File
			var diags diag.List
			if c.files == nil {
				file, diags = Load(nil, name, source.NewFile(name, text))
			} else {
				file, diags = Load(c.files, name, source.NewFile(name, c.files[name].Data))
			}
			cfg, _ := Evaluate(file, Options{})
			if got := effective(cfg, "FSDEPTH", ""); got != c.depth {
				t.Errorf("FSDEPTH is %s, want %s", got, c.depth)
			}
			code := ""
			if len(diags) > 0 {
				code = diags[0].Code
			}
			if code != c.code || len(diags) > 1 {
				t.Errorf("reported %v, want %q", diags, c.code)
			}
		})
	}
}
