package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lint"
	"github.com/fairway-sched/fairway/compiler/lint/report"
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
	"github.com/fairway-sched/fairway/lang/source"
)

// decide leaves what the site has not silenced; accepted counts what the baseline takes out,
// gone what it has besides.
func (s site) decide(found *compiler.Linted) (list diag.List, accepted, gone int) {
	list = lint.Ignore(found.Diags, found.Files, s.asked, s.today)
	if s.only != nil {
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return !s.only(d.Span.File) })
	}
	list = s.severities.Apply(s.project.ignores(list, s.today))
	if s.baseline != nil {
		list, accepted, gone = s.baseline.Filter(list, beside(s.baselineFile))
	}
	return list, accepted, gone
}

// show applies the site's decisions, writes every output, and gives the exit code.
func (f *lintFlags) show(found *compiler.Linted, s site, targets []target[lintWriter]) error {
	if f.accept != "" {
		list, _, _ := site{severities: s.severities, today: s.today, asked: s.asked, project: s.project}.decide(found)
		if err := writeOutput(f.accept, lint.NewBaseline(list, beside(f.accept)).Write); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "fairway: %s accepts %s\n", f.accept, count(len(list), "finding"))
		return nil
	}
	list, accepted, gone := s.decide(found)
	list = lint.Fold(list)
	if f.failing {
		list = slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return !f.fails(d) })
	}
	if err := f.write(targets, list, found.Files); err != nil {
		return err
	}
	if accepted > 0 {
		fmt.Fprintf(stderr, "fairway: %s in the baseline\n", count(accepted, "more finding"))
	}
	if gone > 0 {
		fmt.Fprintf(stderr, "fairway: %s of the baseline found no more, mended or in other files; --write-baseline writes "+
			"it anew\n", count(gone, "finding"))
	}
	return f.verdict(list)
}

// verdict fails where a finding is as severe as --fail-on says.
func (f *lintFlags) verdict(list diag.List) error {
	if slices.ContainsFunc(list, f.fails) {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (f *lintFlags) fails(d *diag.Diagnostic) bool {
	least, ok := map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "info": diag.Info}[f.failOn]
	return ok && d.Severity <= least
}

// lintWriter writes findings.
type lintWriter func(io.Writer, report.Input) error

func lintFormat(name string) (lintWriter, error) {
	switch i := slices.IndexFunc(report.Formats, func(r report.Format) bool { return r.Name == name }); {
	case name == "text":
		return nil, nil // for people, with colours on a terminal
	case name == "json":
		return func(w io.Writer, in report.Input) error { return diag.WriteJSONRules(w, in.Findings, lint.IDs) }, nil
	case i >= 0:
		return report.Formats[i].Write, nil
	}
	return nil, failf(exitUsage, "-o is one of %s, not %q", strings.Join(lintFormats(), ", "), name)
}

// reportRule is what the reports say of a code's rule.
func reportRule(code string) report.Rule {
	p := pages.Of(code)
	if p == nil {
		return report.Rule{}
	}
	return report.Rule{IDs: p.AllNumbers(), What: p.What, Why: p.Why, Instead: p.Instead}
}

// report writes the outputs that were asked for where the files are no policy: what keeps them from being
// one is then all there is to find. On standard error it has been reported.
func (f *lintFlags) report(found *compiler.Linted, targets []target[lintWriter], err *exitError) error {
	if len(f.outputs) > 0 && err.code == exitUnreadable {
		if failed := f.write(targets, found.Diags, found.Files); failed != nil {
			return failed
		}
	}
	return err
}

func (f *lintFlags) write(targets []target[lintWriter], list diag.List, files []*source.File) error {
	read := reads{f.levels, f.baseline}
	for _, file := range files {
		read.note(file.Name, nil)
	}
	if err := nothingWritten(writtenTo(targets), slices.Concat(read.uses(), f.snap.uses())); err != nil {
		return err
	}
	in := report.Input{Findings: list, Files: files, Version: programVersion(), Rule: reportRule}
	for _, t := range targets {
		err := writeOutput(t.path, func(w io.Writer) error {
			if t.format == nil {
				return writeFindings(w, in.Findings, t.colour())
			}
			return t.format(w, in)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
