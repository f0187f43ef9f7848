package conformance_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/compiler/editor"
)

// TestEditorSettings: the settings for editors call the languages as the server does, and start it as it is started.
func TestEditorSettings(t *testing.T) {
	var want []string
	for id := range editor.LanguageIDs() {
		want = append(want, id)
	}
	slices.Sort(want)
	for _, c := range []struct{ file, languages, command string }{
		{"neovim/fairway.lua", `(?s)local languages = \{(.*?)\}`, `{ "fairway", "lsp" }`},
		{"helix/languages.toml", `name = ("\w+")`, "command = \"fairway\"\nargs = [\"lsp\"]"},
		{"emacs/fairway.el", `:language-id ("\w+")`, `'("fairway" "lsp")`},
		{"vscode/src/extension.ts", `(?s)const languages = \[(.*?)\]`, `const args = ["lsp"]`},
	} {
		text := readExample(t, "editors/"+c.file)
		var got []string
		for _, m := range regexp.MustCompile(c.languages).FindAllStringSubmatch(text, -1) {
			for _, word := range strings.Split(m[1], ",") {
				got = append(got, strings.Trim(word, " \""))
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s has the languages %q, the server %q", c.file, got, want)
		}
		if !strings.Contains(text, c.command) {
			t.Errorf("%s does not start the server by %s", c.file, c.command)
		}
	}
}

// TestEditorExtension: the manifest of the extension for VS Code names the server's languages, the settings that its
// source reads, and the file that its build writes.
func TestEditorExtension(t *testing.T) {
	var manifest struct {
		Main        string
		Scripts     map[string]string
		Contributes struct {
			Languages []struct {
				ID            string
				Configuration string
				FileNames     []string
				Patterns      []string `json:"filenamePatterns"`
				FirstLine     string
			}
			Configuration struct {
				Properties map[string]struct{ Default string }
			}
		}
		Dependencies, DevDependencies map[string]string
	}
	if err := json.Unmarshal([]byte(readExample(t, "editors/vscode/package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	source := readExample(t, "editors/vscode/src/extension.ts")
	seen := map[string]bool{}
	for _, l := range manifest.Contributes.Languages {
		seen[l.ID] = true
		if _, ok := editor.LanguageIDs()[l.ID]; !ok {
			t.Errorf("the server does not know the language %s", l.ID)
		}
		if len(l.FileNames)+len(l.Patterns) == 0 && l.FirstLine == "" {
			t.Errorf("no file is in the language %s", l.ID)
		}
		readExample(t, "editors/vscode/"+l.Configuration)
	}
	for id := range editor.LanguageIDs() {
		if !seen[id] {
			t.Errorf("the manifest lacks the language %s", id)
		}
	}
	read := regexp.MustCompile(`settings\.get<string>\("(\w+)", "(\w*)"\)`).FindAllStringSubmatch(source, -1)
	for _, m := range read {
		p, ok := manifest.Contributes.Configuration.Properties["fairway."+m[1]]
		if !ok || p.Default != m[2] {
			t.Errorf("the source reads the setting %s with the default %q, the manifest has %q", m[1], m[2], p.Default)
		}
	}
	if n := len(manifest.Contributes.Configuration.Properties); n != len(read) || n == 0 {
		t.Errorf("the manifest has %d settings, the source reads %d", n, len(read))
	}
	if out := strings.TrimPrefix(manifest.Main, "./"); !strings.Contains(manifest.Scripts["build"], "--outfile="+out) {
		t.Errorf("the build does not write %s", out)
	}
	for _, m := range regexp.MustCompile(`from "([^"/]+)`).FindAllStringSubmatch(source, -1) {
		if _, ok := manifest.Dependencies[m[1]]; !ok && m[1] != "vscode" {
			t.Errorf("the source imports %s, which is no dependency", m[1])
		}
	}
	for _, tool := range []string{"typescript", "esbuild", "@types/vscode"} {
		if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(manifest.DevDependencies[tool]) {
			t.Errorf("the manifest does not name one version of %s", tool)
		}
	}
}

func readExample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
