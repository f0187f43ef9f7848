package verify

import (
	"bytes"
	"encoding/json"
	"io"
	"math"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// The JSON form of a report. Times are epoch seconds.
type reportJSON struct {
	FormatVersion int              `json:"format_version"`
	Policy        string           `json:"policy"`
	Version       string           `json:"version"`
	Semantics     string           `json:"semantics"`
	CapturedAt    int64            `json:"captured_at"`
	Clean         bool             `json:"clean"`
	Checks        []checkJSON      `json:"checks"`
	Differences   []differenceJSON `json:"differences"`
	Findings      json.RawMessage  `json:"findings"`
}

type checkJSON struct {
	Name        string        `json:"name"`
	Of          string        `json:"of"`
	Compared    int           `json:"compared"`
	Equal       int           `json:"equal"`
	Explained   int           `json:"explained"`
	Different   int           `json:"different"`
	NotCompared []skippedJSON `json:"not_compared"`
	Pass        *passJSON     `json:"pass"` // null where it does not matter when the numbers were computed
}

type skippedJSON struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

type passJSON struct {
	Time    int64 `json:"time"`
	From    int64 `json:"from"` // this and all moments up to To explain the numbers as well
	To      int64 `json:"to"`
	Sought  bool  `json:"sought"` // from the numbers themselves
	Votes   int   `json:"votes"`
	Telling int   `json:"telling"`
}

type differenceJSON struct {
	Check       string  `json:"check"`
	Job         *string `json:"job"`
	Partition   *string `json:"partition"`
	Association *string `json:"association"`
	Field       string  `json:"field"`
	Recorded    any     `json:"recorded"` // a number or a word
	Computed    any     `json:"computed"`
	Off         any     `json:"off"` // null between words
	Cause       *string `json:"cause"`
	Benign      bool    `json:"benign"`
	Why         *string `json:"why"`
}

// WriteJSON writes a report for programs. The findings are what reading the inputs found.
func WriteJSON(w io.Writer, r *Report, findings diag.List) error {
	p := r.Result.Program
	out := reportJSON{FormatVersion: 1, Policy: p.Policy, Version: p.Version, Semantics: p.Semantics, CapturedAt: r.CapturedAt, Clean: r.Clean(),
		Checks: []checkJSON{}, Differences: []differenceJSON{}}
	for i := range r.Checks {
		k := &r.Checks[i]
		j := checkJSON{Name: k.Name, Of: k.Of, Compared: k.Compared, Equal: k.Equal, Explained: k.Explained, Different: k.Different, NotCompared: []skippedJSON{}}
		for _, s := range k.Skipped {
			j.NotCompared = append(j.NotCompared, skippedJSON(s))
		}
		if k.Pass != (Pass{}) {
			pass := passJSON(k.Pass)
			j.Pass = &pass
		}
		out.Checks = append(out.Checks, j)
	}
	for i := range r.Differences {
		out.Differences = append(out.Differences, r.Differences[i].json())
	}
	var err error
	if out.Findings, err = findingsJSON(findings); err != nil {
		return err
	}
	e := json.NewEncoder(source.PlainJSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func (d *Difference) json() differenceJSON {
	j := differenceJSON{Check: d.Check, Job: orNull(d.Job), Partition: orNull(d.Partition), Association: orNull(d.Association),
		Field: d.Field, Recorded: finite(d.Recorded), Computed: finite(d.Computed), Off: finite(d.Computed - d.Recorded), Benign: d.Benign(), Why: orNull(d.Why)}
	if d.Words != [2]string{} {
		j.Recorded, j.Computed, j.Off = d.Words[0], d.Words[1], nil
	}
	if d.Cause != nil {
		j.Cause = &d.Cause.Name
	}
	return j
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// finite writes infinite numbers as words and what is no number as null.
func finite(x float64) any {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsNaN(x):
		return nil
	}
	return x
}

func findingsJSON(list diag.List) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := diag.WriteJSON(&b, list); err != nil {
		return nil, err
	}
	var out struct{ Findings json.RawMessage }
	err := json.Unmarshal(b.Bytes(), &out)
	return out.Findings, err
}
