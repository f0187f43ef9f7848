package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every verb has a page with all sections, each option on it, and no line that roff would take for a macro
// but those that are meant.
func TestManualPages(t *testing.T) {
	macros := map[string]bool{".TH": true, ".SH": true, ".PP": true, ".TP": true, ".B": true, ".BR": true, ".nf": true, ".fi": true, ".nh": true, ".ad": true}
	for _, verb := range withPages(newRoot()) {
		var text strings.Builder
		if err := writeManual(&text, verb, "2026-11-20"); err != nil {
			t.Fatal(err)
		}
		page := text.String()
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"} {
			if strings.Count(page, "\n.SH "+section+"\n") != 1 {
				t.Errorf("%s: no section %s, or more than one", verb.CommandPath(), section)
			}
		}
		if verb.Example == "" && !verb.HasSubCommands() {
			t.Errorf("%s has no example", verb.CommandPath())
		}
		verb.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(page, `\fB`+escaped("--"+f.Name)+`\fR`) {
				t.Errorf("%s: nothing on --%s", verb.CommandPath(), f.Name)
			}
		})
		for line := range strings.Lines(page) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if (line[0] == '.' || line[0] == '\'') && !macros[word] {
				t.Errorf("%s: a macro %q", verb.CommandPath(), line)
			}
		}
	}
}
