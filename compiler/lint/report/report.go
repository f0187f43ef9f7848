// Package report writes findings in the formats that other programs read: SARIF 2.1.0 for code
// scanning, JUnit and Checkstyle XML for build servers, and GitHub's workflow commands.
//
// In comes a list of diagnostics, already sorted; out go bytes. Called by fairway lint. Text and
// JSON are of lang/diag, which owns diagnostics.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// Input is what a report is about.
type Input struct {
	Findings diag.List
	Files    []*source.File // those that were read, also where nothing was found
	Version  string         // of this program
	Rule     func(code string) Rule
}

// Rule is what a report says of a rule beside its code.
type Rule struct {
	IDs                []string // its numbers
	What, Why, Instead string
}

// Format is one way to write findings.
type Format struct {
	Name  string
	Write func(io.Writer, Input) error
}

// Formats lists those of this package.
var Formats = []Format{{"sarif", SARIF}, {"junit", JUnit}, {"checkstyle", Checkstyle}, {"github", GitHub}}

// files groups the findings by file, in the order of the files; those without a place are the first
// file's.
func (in Input) files() (names []string, found map[string]diag.List) {
	found = map[string]diag.List{}
	for _, f := range in.Files {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	for _, d := range in.Findings {
		name := "policy"
		if len(names) > 0 {
			name = names[0]
		}
		if !d.Span.IsZero() {
			name = d.Span.File.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		found[name] = append(found[name], d)
	}
	return names, found
}

// whole is a message with its notes, for formats that have one text.
func whole(d *diag.Diagnostic, between string) string {
	parts := []string{d.Message}
	for _, n := range d.Notes {
		text := n.Text
		if !n.Span.IsZero() {
			text = n.Span.String() + ": " + text
		}
		parts = append(parts, text)
	}
	if d.Fix != nil && strings.TrimSpace(d.Fix.Shown()) != "" {
		parts = append(parts, "write "+d.Fix.Shown())
	}
	return source.PlainLines(strings.Join(parts, between))
}

// GitHub writes workflow commands, which GitHub shows at the lines of a change.
func GitHub(w io.Writer, in Input) error {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	for _, d := range in.Findings {
		place := ""
		if p := diag.PlaceOf(d.Span); p != nil {
			place = fmt.Sprintf("file=%s,line=%d,col=%d,", property.Replace(p.File), p.Line, p.Column)
			if p.EndLine == p.Line { // columns of two lines are refused
				place += fmt.Sprintf("endColumn=%d,", p.EndColumn)
			}
		}
		command := [...]string{"error", "warning", "notice"}[d.Severity]
		if _, err := fmt.Fprintf(w, "::%s %stitle=%s::%s\n", command, place, property.Replace(d.Code),
			message.Replace(whole(d, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
