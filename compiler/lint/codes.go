package lint

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// Raise gives findings of earlier stages the severity that they have in lint.
func Raise(list diag.List) {
	for _, d := range list {
		p := pages.Of(d.Code)
		if p != nil && p.InLint != p.Severity && (p.InLint < d.Severity || d.Severity == p.Severity) {
			d.Severity = p.InLint
		}
	}
}

// ForMoab makes notes of what Maui makes of a file that is Moab's, which may do there what it says. A line that sets
// nothing, and hosts as regular expressions, are the same in both.
func ForMoab(list diag.List) {
	if !slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Code == "maui-moab-file" && d.Severity == diag.Info
	}) {
		return
	}
	for _, d := range list {
		if strings.HasPrefix(d.Code, "maui-") && d.Code != "maui-unrecognised-line" && d.Code != "maui-host-pattern" {
			d.Severity = diag.Info
		}
	}
}

// Codes finds a code, and the codes of a number, without regard to case.
func Codes(name string) []string {
	if p := pages.Of(strings.ToLower(name)); p != nil {
		return []string{p.Code}
	}
	var list []string
	for _, p := range pages.Numbered(name) {
		list = append(list, p.Code)
	}
	return list
}

// IDs are the numbers of a code.
func IDs(code string) []string {
	if p := pages.Of(code); p != nil {
		return p.AllNumbers()
	}
	return nil
}

// Unread reports an included file that is missing, or a line that ends before its author meant: what
// it sets is then not known.
func Unread(d *diag.Diagnostic) bool {
	switch d.Code {
	case "slurm-more-findings", "maui-more-findings", "slurm-template", "maui-template":
		return true
	case "slurm-syntax", "slurm-missing-value":
		key, _, ok := strings.Cut(d.Span.File.Line(d.Span.Position().Line), "=")
		return !ok || slices.ContainsFunc([]string{"PartitionName", "NodeName", "NodeSet"}, func(record string) bool {
			return strings.EqualFold(strings.TrimSpace(key), record)
		})
	}
	return strings.HasPrefix(d.Code, "slurm-include") || strings.HasPrefix(d.Code, "maui-include")
}
