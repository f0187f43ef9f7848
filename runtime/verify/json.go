package verify

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/report/encode"
)

// differenceReport is a difference for programs.
type differenceReport struct {
	Check       string `json:"check"`
	Job         string `json:"job" form:"ornull"`
	Partition   string `json:"partition" form:"ornull"`
	Association string `json:"association" form:"ornull"`
	Field       string `json:"field"`
	Recorded    any    `json:"recorded"` // a number or a word
	Computed    any    `json:"computed"`
	Off         any    `json:"off"` // null between words
	Cause       string `json:"cause" form:"ornull"`
	Benign      bool   `json:"benign"`
	Why         string `json:"why" form:"ornull"`
}

// WriteJSON writes a report for programs. The findings are what reading the inputs found.
func WriteJSON(w io.Writer, r *Report, findings diag.List) error {
	p := r.Result.Program
	out := struct {
		FormatVersion int                `json:"format_version"`
		Policy        string             `json:"policy"`
		Version       string             `json:"version"`
		Semantics     string             `json:"semantics"`
		CapturedAt    int64              `json:"captured_at"`
		Clean         bool               `json:"clean"`
		Checks        []Check            `json:"checks"`
		Differences   []differenceReport `json:"differences"`
		Findings      encode.Raw         `json:"findings"`
	}{1, p.Policy, p.Version, p.Semantics, r.CapturedAt, r.Clean(), r.Checks, nil, nil}
	for i := range r.Differences {
		out.Differences = append(out.Differences, r.Differences[i].report())
	}
	var list, text, lines bytes.Buffer
	if err := diag.WriteJSON(&list, findings); err != nil {
		return err
	}
	var own struct{ Findings json.RawMessage }
	if err := json.Unmarshal(list.Bytes(), &own); err != nil {
		return err
	}
	out.Findings = encode.Raw(own.Findings)
	err := encode.Write(&text, out)
	if err == nil {
		err = json.Indent(&lines, text.Bytes(), "", "  ")
	}
	if err == nil {
		_, err = lines.WriteTo(w)
	}
	return err
}

func (d *Difference) report() differenceReport {
	x := differenceReport{Check: d.Check, Job: d.Job, Partition: d.Partition, Association: d.Association,
		Field:    d.Field,
		Recorded: d.Recorded, Computed: d.Computed, Off: d.Computed - d.Recorded, Benign: d.Benign(), Why: d.Why}
	if d.Words != [2]string{} {
		x.Recorded, x.Computed, x.Off = d.Words[0], d.Words[1], nil
	}
	if d.Cause != nil {
		x.Cause = d.Cause.Name
	}
	return x
}
