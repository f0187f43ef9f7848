package estimate

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestJudge: each start is before, in or after its interval, and errs as it does.
func TestJudge(t *testing.T) {
	entries := []Entry{
		{At: 100, Job: "in", Plan: 400, P10: 150, P50: 200, P90: 300},
		{At: 100, Job: "early", Plan: 160, P10: 150, P50: 200, P90: 300},
		{At: 100, Job: "late", Plan: 300, P10: 150, P50: 200, P90: 300},
		{At: 100, Job: "no end", P10: 150},
		{At: 100, Job: "waits", P10: 150, P50: 200, P90: 300},
		{At: 100, Job: "another of this id", P10: 150, P50: 200, P90: 300},
		{At: 100, Job: "never in a draw"},
	}
	s := Judge(entries, map[string]int64{"in": 210, "early": 140, "late": 500, "no end": 9000, "another of this id": 50,
		"never in a draw": 700})
	if s.Entries != 4 || s.Open != 2 || s.NoInterval != 1 || s.Held != 2 || s.Early != 1 || s.Late != 1 {
		t.Errorf("%+v", s)
	}
	if s.Median != (Errors{3, (10 + 60 + 300) / 3.0, 60}) || s.Plan != (Errors{3, (190 + 20 + 200) / 3.0, 190}) {
		t.Errorf("the median errs by %+v, the plan by %+v", s.Median, s.Plan)
	}
}

func FuzzLedger(f *testing.F) {
	f.Add([]byte(`{"at":1,"job":"1","plan":5,"p10":2,"p50":3,"p90":4}` + "\n\n" + `{"at":1,"job":"2"}`))
	f.Add([]byte(`{"at":-1,"job":"1"}`))
	f.Add([]byte("; Version: 2.2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, diags, err := Read("l", bytes.NewReader(text))
		if err != nil || diags.HasErrors() {
			if len(entries) > 0 {
				t.Error("a ledger that cannot be read has entries")
			}
			return
		}
		var out strings.Builder
		if err := Write(&out, entries); err != nil {
			t.Fatal(err)
		}
		again, diags, err := Read("l", strings.NewReader(out.String()))
		if err != nil || diags.HasErrors() || !slices.Equal(again, entries) {
			t.Errorf("%q is read as %v, and what is written of it as %v", text, entries, again)
		}
		Judge(entries, map[string]int64{"1": 3})
	})
}
