package report

import (
	"io"
	"net/url"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
)

// The types are the part of SARIF 2.1.0 that findings need. There is a library; it brings an HTTP
// client and a schema validator, which cost every run of the program two milliseconds at its start.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool       `json:"tool"`
		ColumnKind string          `json:"columnKind"`
		Artifacts  []sarifArtifact `json:"artifacts,omitempty"`
		Results    []sarifResult   `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		Version         string      `json:"version,omitempty"`
		SemanticVersion string      `json:"semanticVersion,omitempty"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string           `json:"id"`
		Short      sarifText        `json:"shortDescription"`
		Full       sarifText        `json:"fullDescription"`
		Help       sarifText        `json:"help"`
		HelpURI    string           `json:"helpUri"`
		Properties *sarifProperties `json:"properties,omitempty"`
	}
	sarifProperties struct {
		Tags []string `json:"tags"`
	}
	sarifArtifact struct {
		Location sarifURI `json:"location"`
	}
	sarifURI struct {
		URI string `json:"uri"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	}
	sarifLocation struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI    `json:"artifactLocation"`
		Region   sarifRegion `json:"region"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifURI           `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// rulePages is the reference of rules, which has a heading for each code.
const rulePages = "https://github.com/fairway-sched/fairway/blob/main/lang/RULES.md#"

// RulePage is where a person reads what a code means.
func RulePage(code string) string { return rulePages + code }

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

// SARIF writes one run with its rules, results, other places and fixes. Columns count code points,
// as everywhere in this program.
func SARIF(w io.Writer, in Input) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, Tool: sarifTool{sarifDriver{
		Name: "fairway", Version: in.Version, Rules: []sarifRule{}}}}
	for _, f := range in.Files {
		run.Artifacts = append(run.Artifacts, sarifArtifact{sarifURI{uri(f.Name)}})
	}
	index := map[string]int{}
	for _, d := range in.Findings {
		i, ok := index[d.Code]
		if !ok {
			i = len(run.Tool.Driver.Rules)
			index[d.Code] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(d.Code, in.Rule(d.Code)))
		}
		run.Results = append(run.Results, sarifResultOf(d, i))
	}
	return source.WriteJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifRuleOf(code string, r Rule) sarifRule {
	full := r.What
	if r.Why != "" {
		full += ": " + r.Why
	}
	help := r.Instead
	if help == "" {
		help = r.Why
	}
	out := sarifRule{ID: code, Short: sarifText{or(r.What, code)}, Full: sarifText{or(full, code)},
		Help:    sarifText{or(help, code)},
		HelpURI: RulePage(code)}
	if len(r.IDs) > 0 {
		out.Properties = &sarifProperties{Tags: slices.Clone(r.IDs)}
	}
	return out
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func sarifResultOf(d *diag.Diagnostic, rule int) sarifResult {
	r := sarifResult{RuleID: d.Code, RuleIndex: rule, Level: [...]string{"error", "warning", "note"}[d.Severity]}
	text := d.Message
	for _, n := range d.Notes {
		if n.Span.IsZero() {
			text += "; " + n.Text
			continue
		}
		id := len(r.Related)
		r.Related = append(r.Related, sarifLocation{ID: &id, Physical: physical(n.Span), Message: &sarifText{n.Text}})
	}
	r.Message.Text = text
	if d.Span.IsZero() {
		return r
	}
	r.Locations = []sarifLocation{{Physical: physical(d.Span)}}
	r.Fingerprints = map[string]string{"fairway/v1": lint.Fingerprint(d)}
	if d.Fix != nil && d.Fix.Shown() == d.Fix.NewText { // who reads this makes the edit
		place := physical(d.Fix.Span)
		r.Fixes = []sarifFix{{Description: sarifText{or("write "+d.Fix.NewText, "delete")}, Changes: []sarifChange{{
			Artifact: place.Artifact, Replacements: []sarifReplacement{{Deleted: place.Region,
				Inserted: sarifText{d.Fix.NewText}}}}}}}
	}
	return r
}

func physical(s source.Span) sarifPhysical {
	from, to := s.Position(), s.File.Position(int(s.End))
	return sarifPhysical{Artifact: sarifURI{uri(s.File.Name)},
		Region: sarifRegion{from.Line, from.Column, to.Line, to.Column}}
}

// uri is a file's name as a reference: relative names stay relative, so that a code host finds them
// in its repository.
func uri(name string) string {
	if !utf8.ValidString(name) {
		name = source.Plain(name)
	}
	if path.IsAbs(name) {
		return (&url.URL{Scheme: "file", Path: name}).String()
	}
	return (&url.URL{Path: name}).EscapedPath()
}
