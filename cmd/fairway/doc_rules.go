package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/lang/diag"
)

// lintCodes are lint's own rules as the tables of codes have them.
func lintCodes() []diag.CodeDoc {
	var list []diag.CodeDoc
	for _, r := range lint.Rules() {
		list = append(list, r.CodeDoc)
	}
	return list
}

// docRules prints every diagnostic, or those of one code or of one number.
func docRules(w io.Writer, args []string) error {
	if len(args) > 0 {
		return docPages(w, args)
	}
	m := newMarkdown(w, "Rules")
	m.para("Every diagnostic has a stable code. `fairway doc rule CODE` prints one; `fairway doc rule M201` finds it by a number that lint's rules have.")
	m.para(lint.Precision)
	for _, t := range codeTables {
		m.heading(t.title)
		for _, c := range t.codes {
			m.rule(c)
		}
	}
	m.heading("Numbers")
	m.para("M are rules about maui.cfg, SL about slurm.conf and dumps, P about policy files and lint itself, Q about recorded queues, U about upgrades.")
	m.head("number", "code")
	for _, n := range ruleNumbers() {
		m.row(n.id, strings.Join(n.codes, ", "))
	}
	return m.err
}

// docPages prints the pages of codes, each once, and of all codes under a number.
func docPages(w io.Writer, rules []string) error {
	var all, codes []string
	for _, t := range codeTables {
		for _, c := range t.codes {
			all = append(all, c.Code)
		}
	}
	for _, name := range rules {
		found := lint.Codes(name)
		if slices.Contains(all, name) {
			found = append(found, name)
		}
		if len(found) == 0 {
			hint := ""
			if near := diag.Nearest(name, all); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return failf(exitUsage, "there is no rule %q%s", name, hint)
		}
		for _, code := range found {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	m := &markdown{w: w}
	for _, code := range codes {
		for _, t := range codeTables {
			for _, c := range t.codes {
				if c.Code == code {
					m.rule(c)
				}
			}
		}
	}
	return m.err
}

// rule prints one page.
func (m *markdown) rule(c diag.CodeDoc) {
	severity := c.Severity.String()
	if inLint := lint.SeverityOf(c); inLint != c.Severity {
		severity = fmt.Sprintf("%s in lint, %s elsewhere", inLint, c.Severity)
	}
	m.printf("### %s\n\n%s. %s\n\n", c.Code, severity, c.What)
	if c.Varies != "" {
		m.printf("Severity: %s\n\n", c.Varies)
	}
	if c.Why != "" {
		m.printf("Why: %s\n\n", c.Why)
	}
	if c.Example != "" {
		m.printf("Example:\n\n    %s\n\n", strings.ReplaceAll(strings.TrimRight(visible(c.Example), " \n"), "\n", "\n    "))
	}
	if c.Example == "" && c.Case != "" {
		m.printf("Example: %s\n\n", c.Case)
	}
	if c.Instead != "" {
		m.printf("Instead: %s\n\n", c.Instead)
	}
	m.printf("Source: %s\n\n", strings.Join(sourcesOf(c.Code), "; "))
	if ids := lint.IDs(c.Code); len(ids) > 0 {
		m.printf("Number: %s\n\n", strings.Join(ids, ", "))
	}
	if lint.OnDemand(c.Code) {
		m.printf("Reported with --all only.\n\n")
	}
}

type ruleNumber struct {
	id    string
	codes []string
}

// ruleNumbers lists the numbers in their order, each with its codes.
func ruleNumbers() []ruleNumber {
	var ids []string
	for _, k := range lint.KnownRules() {
		ids = append(ids, k.ID)
	}
	for _, r := range lint.Rules() {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	var list []ruleNumber
	for _, id := range slices.Compact(ids) {
		list = append(list, ruleNumber{id, lint.Codes(id)})
	}
	return list
}
