package lint

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/diag/pages"
)

// Severities are a site's own severities, in order: the last one that fits a finding counts.
type Severities []severity

type severity struct {
	pattern string // a code, a number such as M016, or either with * and ?
	level   diag.Severity
	off     bool
}

// AddSeverity reads NAME=LEVEL, where LEVEL is error, warning, info or off.
func (s *Severities) AddSeverity(text string) error {
	name, level, ok := strings.Cut(text, "=")
	one := severity{pattern: strings.TrimSpace(name)}
	if !ok || one.pattern == "" {
		return fmt.Errorf("%q is not RULE=error|warning|info|off", text)
	}
	switch strings.TrimSpace(level) {
	case "error":
		one.level = diag.Error
	case "warning":
		one.level = diag.Warning
	case "info":
		one.level = diag.Info
	case "off":
		one.off = true
	default:
		return fmt.Errorf("a severity is error, warning, info or off, not %q", level)
	}
	if _, err := path.Match(one.pattern, ""); err != nil {
		return fmt.Errorf("%q: %v", one.pattern, err)
	}
	if !strings.ContainsAny(one.pattern, "*?[") && len(Codes(one.pattern)) == 0 {
		err := fmt.Errorf("there is no rule %q", one.pattern)
		if near := diag.Nearest(one.pattern, pages.Codes()); near != "" {
			err = fmt.Errorf("there is no rule %q; did you mean %q?", one.pattern, near)
		}
		return err
	}
	*s = append(*s, one)
	return nil
}

// ReadSeverities reads a file of them: RULE LEVEL on each line, # before comments.
func ReadSeverities(r io.Reader) (Severities, error) {
	var list Severities
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(strings.Replace(text, "=", " ", 1))
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: write RULE LEVEL, such as maui-octal off", n)
		}
		if err := list.AddSeverity(words[0] + "=" + words[1]); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return list, lines.Err()
}

// Apply changes the severities of findings and takes out those that are off.
func (s Severities) Apply(list diag.List) diag.List {
	if len(s) == 0 {
		return list
	}
	var kept diag.List
	decided := map[string]*severity{} // by code; nil: none fits
	for _, d := range list {
		one, ok := decided[d.Code]
		if !ok {
			one = s.of(d.Code)
			decided[d.Code] = one
		}
		if one != nil && one.off {
			continue
		}
		if one != nil {
			other := *d // the caller's stays as it is
			other.Severity = one.level
			d = &other
		}
		kept = append(kept, d)
	}
	return kept
}

// of is the last one that fits a code, or nil.
func (s Severities) of(code string) *severity {
	ids := IDs(code)
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].fits(code, ids) {
			return &s[i]
		}
	}
	return nil
}

func (s severity) fits(code string, ids []string) bool {
	for _, name := range append(ids, code) {
		if ok, _ := path.Match(strings.ToLower(s.pattern), strings.ToLower(name)); ok {
			return true
		}
	}
	return false
}

// Fits reports whether a rule's name, which may be a number and hold *, stands for a code.
func Fits(rule, code string) bool { return severity{pattern: rule}.fits(code, IDs(code)) }

// Precision says how often lint is right about files that other people wrote. A test counts testdata/corpus.golden,
// which lists every finding, and testdata/corpus.judged, which says what a reader thinks of them.
const Precision = "Lint finds 513 things in 75 configurations that other people wrote, which were read one by one: " +
	"0 are false, 106 are true but of little use, about a text that is not quite a configuration or about what was " +
	"meant so, and 407 are true, keys among them that only a newer version calls old."
