package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every verb has a page with all sections, each option on it, and no line that roff would take for a macro
// but those that are meant.
func TestManualPages(t *testing.T) {
	macros := map[string]bool{".TH": true, ".SH": true, ".PP": true, ".TP": true, ".B": true, ".BR": true, ".nf": true,
		".fi": true, ".nh": true, ".ad": true}
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
		onlyMacros(t, verb.CommandPath(), page, macros)
	}
}

// Every guide is in the list, in plain Markdown that its manual page can show, and says first what it is for.
func TestGuidePages(t *testing.T) {
	files, err := guideFiles.ReadDir("guides")
	if err != nil || len(files) != len(guides) {
		t.Fatalf("%d guides, %d of them in the list: %v", len(files), len(guides), err)
	}
	macros := map[string]bool{".TH": true, ".SH": true, ".SS": true, ".PP": true, ".TP": true, ".IP": true, ".BR": true,
		".nf": true, ".fi": true, ".nh": true, ".ad": true}
	for _, name := range guides {
		g, err := guideOf(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(g.text, "# ") || len(g.about) < 40 || strings.ContainsAny(g.about[:1], "#`|-") {
			t.Errorf("%s does not begin with a title and what the guide is for", name)
		}
		var text strings.Builder
		if err := g.writeManual(&text, "2026-11-20"); err != nil {
			t.Fatal(err)
		}
		onlyMacros(t, name, text.String(), macros)
		if strings.Contains(text.String(), "```") {
			t.Errorf("%s: a fence is left on the page", name)
		}
	}
}

func onlyMacros(t *testing.T, of, page string, macros map[string]bool) {
	t.Helper()
	for line := range strings.Lines(page) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if (line[0] == '.' || line[0] == '\'') && !macros[word] {
			t.Errorf("%s: a macro %q", of, line)
		}
	}
}
