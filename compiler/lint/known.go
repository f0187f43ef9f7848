package lint

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// Raise gives findings of earlier stages the severity that they have in lint.
func Raise(list diag.List) {
	for _, d := range list {
		if p := pages.Of(d.Code); p != nil && p.InLint != p.Severity && p.InLint < d.Severity {
			d.Severity = p.InLint
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
