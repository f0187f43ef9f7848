package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// docRules prints every diagnostic, or those of one code or of one number.
func docRules(w io.Writer, args []string) error {
	if len(args) > 0 {
		return docPages(w, args)
	}
	m := newMarkdown(w, "Rules")
	m.para("Every diagnostic has a stable code. `fairway doc rule CODE` prints one; `fairway doc rule M201` finds it " +
		"by a number that lint's rules have.")
	m.para(lint.Precision)
	for _, a := range pages.Areas {
		m.heading(a.Title)
		for _, p := range pages.In(a.Folder) {
			m.rule(p)
		}
	}
	m.heading("Numbers")
	m.para("M are rules about maui.cfg, SL about slurm.conf and dumps, P about policy files and lint itself, Q about " +
		"recorded queues, U about upgrades.")
	m.head("number", "code")
	var numbers []string
	for _, p := range pages.In("") {
		numbers = append(numbers, p.AllNumbers()...)
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		m.row(n, strings.Join(lint.Codes(n), ", "))
	}
	return m.err
}

// docPages prints the pages of codes, each once, and of all codes under a number.
func docPages(w io.Writer, rules []string) error {
	m := &markdown{w: w}
	var printed []string
	for _, name := range rules {
		found := lint.Codes(name)
		if len(found) == 0 {
			hint := ""
			if near := diag.Nearest(name, pages.Codes()); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return failf(exitUsage, "there is no rule %q%s", name, hint)
		}
		for _, code := range found {
			if !slices.Contains(printed, code) {
				printed = append(printed, code)
			}
		}
	}
	for _, code := range printed {
		m.rule(pages.Of(code))
	}
	return m.err
}

// rule prints one page.
func (m *markdown) rule(p *pages.Page) {
	severity := p.Severity.String()
	if p.InLint != p.Severity {
		severity = fmt.Sprintf("%s in lint, %s elsewhere", p.InLint, p.Severity)
	}
	m.printf("### %s\n\n%s. %s\n\n", p.Code, severity, p.What)
	example := ""
	if p.Case != "" {
		example = " " + p.Case
	}
	if text := p.Example(); text != "" {
		example = "\n\n    " + strings.ReplaceAll(strings.TrimRight(visible(text), " \n"), "\n", "\n    ")
	}
	for _, part := range []struct{ title, text string }{
		{"Severity: ", p.Varies}, {"Why: ", p.Why}, {"Example:", example}, {"Instead: ", p.Instead},
		{"Source: ", p.Source}, {"Number: ", strings.Join(p.AllNumbers(), ", ")},
	} {
		if part.text != "" {
			m.printf("%s%s\n\n", part.title, part.text)
		}
	}
	if p.OnDemand == "yes" {
		m.printf("Reported with --all only.\n\n")
	}
}
