package diag

import (
	"io"

	"github.com/fairway-sched/fairway/lang/source"
)

// Place is a part of a file as JSON shows it: lines and columns count from 1, and the end is after its last sign.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// PlaceOf converts a span; nil for the zero span.
func PlaceOf(s source.Span) *Place {
	if s.IsZero() {
		return nil
	}
	p, end := s.Position(), s.File.Position(int(s.End))
	return &Place{s.File.Name, p.Line, p.Column, end.Line, end.Column}
}

type jsonDiagnostic struct {
	Code     string     `json:"code"`
	Rules    []string   `json:"rules,omitempty"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Place    *Place     `json:"place"`
	Notes    []jsonNote `json:"notes"`
	Fix      *jsonFix   `json:"fix"`
}

type jsonNote struct {
	Text  string `json:"text"`
	Place *Place `json:"place"`
}

type jsonFix struct {
	Place   *Place `json:"place"`
	Old     string `json:"old"`
	NewText string `json:"new"`
}

// WriteJSON prints the list as {"format_version": 1, "findings": […]}.
func WriteJSON(w io.Writer, list List) error { return WriteJSONRules(w, list, nil) }

// WriteJSONRules prints with each finding the numbers of its rules.
func WriteJSONRules(w io.Writer, list List, rules func(code string) []string) error {
	out := struct {
		FormatVersion int              `json:"format_version"`
		Findings      []jsonDiagnostic `json:"findings"`
	}{1, []jsonDiagnostic{}}
	for _, d := range list {
		j := jsonDiagnostic{Code: d.Code, Severity: d.Severity.String(), Message: d.Message, Place: PlaceOf(d.Span),
			Notes: []jsonNote{}}
		if rules != nil {
			j.Rules = rules(d.Code)
		}
		for _, n := range d.Notes {
			j.Notes = append(j.Notes, jsonNote{n.Text, PlaceOf(n.Span)})
		}
		if d.Fix != nil && d.Fix.Shown() == d.Fix.NewText { // who reads this makes the edit
			j.Fix = &jsonFix{PlaceOf(d.Fix.Span), d.Fix.Span.Shown(), d.Fix.NewText}
		}
		out.Findings = append(out.Findings, j)
	}
	return source.WriteJSON(w, out)
}
