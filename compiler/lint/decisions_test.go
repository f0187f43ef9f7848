package lint_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// shown lints a maui.cfg on a day and lists what is left after its comments.
func shown(t *testing.T, text, day string) string {
	t.Helper()
	today, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	l := lintFiles("", source.NewFile("maui.cfg", []byte(text)))
	var codes []string
	for _, d := range lint.Ignore(l.Diags, l.Files, nil, today) {
		if strings.HasPrefix(d.Code, "ignore-") || d.Code == "maui-octal" || d.Code == "maui-overridden" {
			codes = append(codes, d.Code)
		}
	}
	return strings.Join(codes, " ")
}

// TestIgnore: a comment with a reason silences what it names, in its line or the next, until its day
// has passed; whatever else it says is a finding of its own.
func TestIgnore(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"without", "MEMWEIGHT 010\n", "maui-octal"},
		{"before", "# fairway:ignore maui-octal read as 8 on purpose\nMEMWEIGHT 010\n", ""},
		{"before, with a comment between", "# fairway:ignore maui-octal read as 8 on purpose\n# memory\nMEMWEIGHT 010\n", ""},
		{"behind", "MEMWEIGHT 010 # fairway:ignore maui-octal read as 8 on purpose\n", ""},
		{"by number", "# fairway:ignore M016 read as 8 on purpose\nMEMWEIGHT 010\n", ""},
		{"other line", "# fairway:ignore maui-octal read as 8 on purpose\nPROCWEIGHT 1\nMEMWEIGHT 010\n",
			"ignore-unused maui-octal"},
		{"whole file", "# fairway:ignore-file maui-octal read as 8 on purpose\nPROCWEIGHT 1\nMEMWEIGHT 010\n", ""},
		{"two codes, a blank between",
			"# fairway:ignore maui-octal, maui-overridden it is meant\nMEMWEIGHT 010\nMEMWEIGHT 8\n", ""},
		{"two codes, a blank before the comma",
			"# fairway:ignore maui-octal , M009 it is meant\nMEMWEIGHT 010\nMEMWEIGHT 8\n", ""},
		{"a colon", "# fairway:ignore maui-octal: it is meant\nMEMWEIGHT 010\n", ""},
		{"a comma too many", "# fairway:ignore maui-octal,, it is meant\nMEMWEIGHT 010\n", "ignore-malformed maui-octal"},
		{"no reason", "# fairway:ignore maui-octal\nMEMWEIGHT 010\n", "ignore-malformed maui-octal"},
		{"date, no reason", "# fairway:ignore maui-octal until=2027-01-01\nMEMWEIGHT 010\n", "ignore-malformed maui-octal"},
		{"no code", "# fairway:ignore\nMEMWEIGHT 010\n", "ignore-malformed maui-octal"},
		{"unknown code", "# fairway:ignore maui-octel it is meant\nMEMWEIGHT 010\n", "ignore-malformed maui-octal"},
		{"wrong date", "# fairway:ignore maui-octal until=tomorrow it is meant\nMEMWEIGHT 010\n",
			"ignore-malformed maui-octal"},
		{"not yet expired", "# fairway:ignore maui-octal until=2026-06-01 it is meant\nMEMWEIGHT 010\n", ""},
		{"expired", "# fairway:ignore maui-octal until=2026-05-31 it is meant\nMEMWEIGHT 010\n", "ignore-expired maui-octal"},
		{"two codes", "# fairway:ignore maui-octal,maui-overridden it is meant\nMEMWEIGHT 010\nMEMWEIGHT 8\n", ""},
		{"continued", "# fairway:ignore M009 it is meant\nMEMWEIGHT \\\n  10\nMEMWEIGHT 8\n", ""},
		{"behind a continued line", "# fairway:ignore maui-octal it is meant\nPROCWEIGHT \\\n  1\nMEMWEIGHT 010\n",
			"ignore-unused maui-octal"},
		{"on the last line of a continued one", "MEMWEIGHT \\\n  010 # fairway:ignore maui-octal it is meant\n", ""},
		{"before a continued line", "# fairway:ignore maui-octal it is meant\nMEMWEIGHT \\\n  010\n", ""},
		{"a backslash in a comment", "# fairway:ignore maui-octal it is meant\nPROCWEIGHT 1 # \\\nMEMWEIGHT 010\n",
			"ignore-unused maui-octal"},
		{"unused", "# fairway:ignore maui-octal it is meant\nMEMWEIGHT 8\n", "ignore-unused"},
	} {
		if got := shown(t, c.text, "2026-06-01"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func octals(n int) diag.List {
	text := strings.Repeat("MEMWEIGHT 010\n", n)
	f := source.NewFile("maui.cfg", []byte(text))
	var list diag.List
	for i := range n {
		list.Warnf("maui-octal", f.Span(14*i+10, 14*i+13), "octal")
	}
	return list
}

// TestSeverities: the last one that fits counts, by code, number or pattern.
func TestSeverities(t *testing.T) {
	for _, c := range []struct {
		config, want string
	}{
		{"", "warning"}, {"maui-octal=error", "error"}, {"M016 = info", "info"}, {"maui-*=off", "off"},
		{"maui-* off\nmaui-octal error # but this", "error"},
		{"maui-octal error\nmaui-* info", "info"}, {"maui-octal purple", "!"}, {"maui-octel off", "!"}, {"maui-octal", "!"},
		{"[ off", "!"},
	} {
		s, err := lint.ReadSeverities(strings.NewReader(c.config))
		if err != nil {
			if c.want != "!" {
				t.Errorf("%q: %v", c.config, err)
			}
			continue
		}
		got := "off"
		if list := s.Apply(octals(1)); len(list) > 0 {
			got = list[0].Severity.String()
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.config, got, c.want)
		}
	}
}

// TestBaseline: what was accepted is not shown, one more of it is, and the text read is the text
// written.
func TestBaseline(t *testing.T) {
	var b bytes.Buffer
	if err := lint.NewBaseline(octals(2), nil).Write(&b); err != nil {
		t.Fatal(err)
	}
	base, err := lint.ReadBaseline(&b)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []int{0, 0, 0, 1} {
		kept, taken, gone := base.Filter(octals(n), nil)
		if len(kept) != want || taken != n-want || gone != max(0, 2-n) {
			t.Errorf("of %d findings %d are shown and %d are not, %d are gone", n, len(kept), taken, gone)
		}
	}
	for _, text := range []string{"", "{}", `{"format_version": 2, "findings": []}`,
		`{"format_version": 1, "finding": []}`,
		`{"format_version": 1, "findings": []} more`,
		`{"format_version": 1, "findings": [{"code": "maui-octal", "count": -1}]}`} {
		if _, err := lint.ReadBaseline(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a baseline", text)
		}
	}
}
