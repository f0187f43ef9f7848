package snapshot

import (
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// TestJSONSyntax: what begins like JSON and does not parse is reported as such, at
// the exact place, whether or not the format could be told before it.
func TestJSONSyntax(t *testing.T) {
	for _, c := range []struct{ text, place, message string }{
		{`{"jobs":[{"job_id":1,}]}`, "f:1:22", `a key in double quotes is missing before '}'`},
		{`{"jobs":[{"job_id":1,"job_state":"PENDING","user_name":"a"},]}`, "f:1:61", `a value is missing before ']'`},
		{`{`, "f:1:2", "the text ends where a key in double quotes is expected"},
		{"  [\n", "f:2:1", "the text ends where a value is expected"},
		{`{"jo`, "f:1:5", "the text ends within a string"},
		{`[{"id"`, "f:1:7", "the text ends where a colon after the key is expected"},
		{`{job_id: 1}`, "f:1:2", "a key in double quotes is missing before 'j'"},
		{`{'jobs': []}`, "f:1:2", `a key in double quotes is missing before '\''`},
		{`{"a": tru`, "f:1:10", "the text ends within true"},
		{`{"a": tru}`, "f:1:7", "true is missing before 't'"},
		{"{\"a\": 1}\n{\"b\": 2\n{\"c\": 3}\n", "f:3:1", `a comma or "}" is missing before '{'`},
		{`{"format_version": 1} x`, "f:1:23", "the text goes on with 'x' where it should end"},
		{`{"format_version": 1, "jobs": [{"id": "1", "user": "a"} {"id": "2"}]}`, "f:1:57",
			`a comma or "]" is missing before '{'`},
	} {
		_, diags := readText(t, "f", c.text)
		diags = except(diags, "snapshot-job-without-user")
		if len(diags) != 1 || diags[0].Severity != diag.Error || diags[0].Code != "snapshot-broken-file" ||
			diags[0].Span.String() != c.place || diags[0].Message != "JSON syntax error: "+c.message {
			t.Errorf("%s: %v, want %s %s", c.text, texts(diags), c.place, c.message)
		}
	}
}

// TestCutJSONInDirectory: beside the snapshot's other files it is an error, not
// a foreign file; logs, settings in brackets and what others call JSON are foreign.
func TestCutJSONInDirectory(t *testing.T) {
	_, diags, err := Read(mapFS{"d/squeue.json": `{"jo`, "d/log": "[2026-01-31T12:00:00] {started",
		"d/site.ini": "[global]\n", "d/other.json": `{"a": [1, 2]}`, "d/result.json": `{"a": Infinity}`}.open(),
		[]string{"d"}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := texts(diags)
	want := []string{
		" snapshot-file-skipped d: 4 files in no known snapshot format left out: log, other.json, result.json, site.ini",
		"d/squeue.json:1:5 snapshot-broken-file JSON syntax error: the text ends within a string",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestUnknownFormatNote: each origin of formats has a line of its own, and
// every format is of one.
func TestUnknownFormatNote(t *testing.T) {
	_, diags := readText(t, "f", "hello")
	if len(diags) != 1 || len(diags[0].Notes) != 1+len(format.Origins) {
		t.Fatal(texts(diags))
	}
	for i, o := range format.Origins {
		if line := diags[0].Notes[1+i].Text; !strings.HasPrefix(line, o.Name+": ") || len(line) > 200 {
			t.Errorf("%q", line)
		}
		if !slices.ContainsFunc(formats, func(f format.Format) bool { return f.Origin == o }) {
			t.Errorf("%s has no format", o.Name)
		}
	}
	for _, f := range formats {
		if !slices.Contains(format.Origins, f.Origin) {
			t.Errorf("%s is of no origin", f.Name)
		}
	}
}
