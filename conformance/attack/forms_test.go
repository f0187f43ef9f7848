package attack

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// formsOf are the forms that a command line asks for by the files that they go to; "" is standard output, if one goes
// there.
func formsOf(words []string) map[string]string {
	forms := map[string]string{}
	put := func(name, form string) {
		if _, ok := forms[name]; ok {
			form = "" // two in one place: the program says what it makes of that
		}
		forms[name] = form
	}
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "-o") && len(w) > 2:
			name, value = "-o", strings.TrimPrefix(w[2:], "=")
		case !ok && i+1 < len(words):
			name, value = w, words[i+1]
		}
		switch name {
		case "-o", "--output":
			if form, file, _ := strings.Cut(value, "="); words[0] != "convert" || file != "" { // its list goes to standard error
				put(strings.TrimPrefix(file, "-"), form)
			}
		case "--gantt":
			put(value, "svg")
		case "--junit":
			put(value, "junit")
		}
	}
	return forms
}

// metric is a line of Prometheus' text format.
var metric = regexp.MustCompile(`^(#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-zA-Z_][a-zA-Z0-9_]*="(\\.|[^"\\])*",?)*\})? (NaN|[+-]?Inf|[-+0-9.eE]+)( \d+)?)$`)

// torn says why an output is not whole, or not what other programs can read.
func torn(form, name string, text []byte) string {
	if strings.HasSuffix(name, ".zst") && bytes.HasPrefix(text, []byte("\x28\xb5\x2f\xfd")) { // only snapshots are packed
		in, err := zstd.NewReader(nil)
		if err != nil {
			return err.Error()
		}
		defer in.Close()
		if text, err = in.DecodeAll(text, nil); err != nil {
			return "cannot be unpacked: " + err.Error()
		}
	}
	switch form {
	case "json", "sarif":
		if !json.Valid(text) {
			return "is no JSON"
		}
	case "jsonl":
		for line := range bytes.Lines(text) {
			if !json.Valid(line) {
				return "has a line that is no JSON: " + firstLines(line, 1)
			}
		}
	case "csv":
		if _, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil {
			return "is no CSV: " + err.Error()
		}
	case "prom":
		for line := range bytes.Lines(text) {
			if !metric.Match(bytes.TrimSuffix(line, []byte("\n"))) {
				return "has a line that is no metric: " + firstLines(line, 1)
			}
		}
	case "svg", "junit", "checkstyle":
		in := xml.NewDecoder(bytes.NewReader(text))
		for {
			if _, err := in.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return "is no XML: " + err.Error()
			}
		}
	case "html":
		if !bytes.HasSuffix(text, []byte("</html>\n")) {
			return "has no end"
		}
	}
	return ""
}

// readBack runs what reads the output of an assault: a translation is a policy, and a snapshot is one in its new form,
// too.
func (p *place) readBack(program string, verbs []verb, a *assault, o *outcome) ([]fault, error) {
	then := &assault{title: a.title, files: map[string][]byte{"back": o.stdout}}
	form, line := formsOf(a.words)[""], strings.Join(a.words[:min(2, len(a.words))], " ")
	to := slices.IndexFunc(a.words, func(w string) bool { return w == "--to" || strings.HasPrefix(w, "--to=") })
	switch {
	case o.Code > 1 || len(o.stdout) == 0 || slices.Contains(a.words, "--help") || slices.Contains(a.words, "-h"):
		return nil, nil
	case a.words[0] == "convert" && to > 0:
		lang := strings.TrimPrefix(a.words[to], "--to=")
		if lang == "--to" {
			lang = a.words[to+1]
		}
		then.words = []string{"check", "back", "--lang", lang}
	case slices.Contains([]string{"snapshot convert", "snapshot anonymize", "snapshot synth"}, line) &&
		(form == "json" || form == "jsonl"):
		then.words = []string{"snapshot", "info", "back"}
	default:
		return nil, nil
	}
	again, err := p.run(program, then, 1)
	if err != nil {
		return nil, err
	}
	faults := p.wrong(verbOf(verbs, then.words), then, again)
	if again.Code > 1 {
		faults = append(faults, fault{"back",
			strings.Join(then.words, " ") + " cannot read the output: " + firstLines(again.stderr, 4)})
	}
	return faults, nil
}

// TestForms: what a command line asks for is known, and each form is read as others read it.
func TestForms(t *testing.T) {
	forms := formsOf(strings.Fields("plan -o json -o csv=a/b --gantt=c.svg --junit d -ojsonl=e --output=html=f"))
	for name, form := range map[string]string{"": "json", "a/b": "csv", "c.svg": "svg", "d": "junit", "e": "jsonl",
		"f": "html"} {
		if forms[name] != form {
			t.Errorf("%q is %q", name, forms[name])
		}
	}
	if forms := formsOf(strings.Fields("convert a -o json -o json=b")); len(forms) != 1 || forms["b"] != "json" {
		t.Errorf("%v", forms)
	}
	for form, texts := range map[string][2]string{
		"json": {"{}\n", "{}}"}, "sarif": {"{}", "{"}, "jsonl": {"{}\n1\n", "{}\n{\n"},
		"csv": {"a,b\n\"c\nd\",e\n", "a,b\nc\n"}, "html": {"</html>\n", "</html>"},
		"prom": {"# HELP a b\na{b=\"c\\\"\",d=\"\"} 1e+09\nx NaN 12\n", "a{b=\"c\"d\"} 1\n"},
		"svg":  {"<svg></svg>\n", "<svg>"}, "junit": {"<a/>", "<a>\x01</a>"},
		"checkstyle": {"<a b=\"&#xA;\"/>", "<a b='>"},
	} {
		if why := torn(form, path.Join("x", form), []byte(texts[0])); why != "" {
			t.Errorf("%s: %s", form, why)
		}
		if torn(form, "x", []byte(texts[1])) == "" {
			t.Errorf("%s: %q is whole", form, texts[1])
		}
	}
}
