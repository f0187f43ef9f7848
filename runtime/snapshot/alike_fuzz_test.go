package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// spaced puts other blanks between the tokens of each part of a text, so that nothing in it is written like what is
// before it: readers that compare with the record before then read token by token.
func spaced(text []byte) []byte {
	var out bytes.Buffer
	quoted, escaped, n := false, false, 0
	for _, b := range text {
		switch {
		case quoted:
			out.WriteByte(b)
			quoted, escaped = escaped || b != '"', !escaped && b == '\\'
			continue
		case b == '"':
			quoted = true
		case b == ' ' || b == '\n' || b == '\t' || b == '\r':
			continue // between words it would matter, but then the text is no JSON
		}
		out.WriteByte(b)
		if strings.IndexByte(",:{[", b) >= 0 {
			n++
			for i := range 9 { // the bits of a number that no other place has
				out.WriteByte(" \n"[n>>i&1])
			}
		}
	}
	return out.Bytes()
}

// seen is all that was read of a text, or the refusal.
func seen(text []byte) string {
	s, diags, err := Read(fstest.MapFS{"q.json": {Data: text}}, []string{"q.json"}, format.Options{})
	var b strings.Builder
	fmt.Fprintln(&b, err)
	for _, d := range diags {
		fmt.Fprintln(&b, d.Code, d.Severity)
	}
	if s == nil {
		return b.String()
	}
	fmt.Fprintln(&b, s.Now, s.Family, s.Version)
	for _, t := range []*column.Table{s.Jobs, s.Nodes, s.Reservations, s.Licenses} {
		if t == nil {
			continue
		}
		fmt.Fprintln(&b, t.Name, t.Rows)
		for _, c := range t.Columns() {
			fmt.Fprint(&b, c.ID)
			for row := range t.Rows {
				fmt.Fprint(&b, " ", c.Value(row))
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

// FuzzJSONAlike: what is read quickly, by comparison with the record before, is what is read token by token: the same
// tables and findings, or the same refusal. Several copies of a record make sure that there is something to compare.
func FuzzJSONAlike(f *testing.F) {
	job := `{"job_id": 7, "job_state": ["PENDING"], "user_name": "amy", "priority": {"set": true, "infinite": false, ` +
		`"number": 5}, "time_limit": {"set": true, "infinite": false, "number": 60}, "tres_req_str": "cpu=2,mem=4G", ` +
		`"job_resources": null, "submit_time": {"set": true, "infinite": false, "number": 1700000000}}`
	for _, record := range []string{job, `{"job_id": 1, "job_id": 2}`, `{"job_id": 1e999, "nice": 00}`,
		`{"job_id": 3, "name": "\ud800\xff", "priority": 99999999999999999999999}`, `{"job_id": 4, "x": [[[[{"y": {}}]]]]}`,
		strings.Repeat("[", 10_001), job[:100]} {
		f.Add([]byte(`{"jobs": [`), []byte(record), []byte(`], "meta": {"slurm": {"release": "24.11"}}}`))
	}
	f.Add([]byte(`{"format_version": 1, "jobs": [`),
		[]byte(`{"id": "1", "procs": 4, "tres": {"cpu": 1.5, "gres/gpu": 2}, `+
			`"partitions": ["a", "b"], "held": false}`), []byte(`], "now": 1700000000}`))
	f.Fuzz(func(t *testing.T, before, record, after []byte) {
		if len(before)+len(record)+len(after) > 50_000 {
			return
		}
		again := bytes.ReplaceAll(bytes.ReplaceAll(record, []byte(`"amy"`), []byte(`"bob"`)), []byte("7"), []byte("8"))
		records := bytes.Join([][]byte{record, record, again, record}, []byte(",\n"))
		text := bytes.Join([][]byte{before, records, after}, nil)
		if !json.Valid(text) {
			at := len(before) + len(record)
			for _, cut := range [][]byte{text, text[:at]} { // whatever is refused is reported
				if got := seen(cut); !strings.Contains(got, " error") && !strings.Contains(got, "snapshot-") {
					t.Fatalf("%q is no JSON, and is read as\n%s", cut, got)
				}
			}
			return
		}
		if want, got := seen(spaced(text)), seen(text); want != got {
			t.Fatalf("%q is read as\n%s\nand token by token as\n%s", text, got, want)
		}
	})
}
