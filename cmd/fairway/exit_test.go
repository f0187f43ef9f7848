package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExitCodesOfVerbs: where help has words of its own about exit codes, they are those of the table, which speaks
// of verbs that exist.
func TestExitCodesOfVerbs(t *testing.T) {
	names, paragraphs := map[string]bool{}, 0
	number := regexp.MustCompile(`\b\d+\b`)
	for _, verb := range withPages(newRoot()) {
		names[verbName(verb)] = true
		_, own := parted(verb.Long)
		if own == "" {
			continue
		}
		paragraphs++
		documented := number.FindAllString(own, -1)
		for _, e := range exitsOf(verb) {
			// Only verbs that work long speak of interruption; it ends any of them.
			if code := fmt.Sprint(e.code); !slices.Contains(documented, code) && e.code != exitInterrupted {
				t.Errorf("%s: nothing is said of exit code %s", verb.CommandPath(), code)
			}
			documented = slices.DeleteFunc(documented, func(code string) bool { return code == fmt.Sprint(e.code) })
		}
		if len(documented) > 0 {
			t.Errorf("%s: exit codes that are not in the table: %s", verb.CommandPath(), strings.Join(documented, ", "))
		}
	}
	if paragraphs < 4 {
		t.Errorf("only %d verbs speak of exit codes", paragraphs)
	}
	for _, e := range exits {
		for _, name := range e.of {
			if !names[name] {
				t.Errorf("exit code %d: there is no verb %q", e.code, name)
			}
		}
	}
}
