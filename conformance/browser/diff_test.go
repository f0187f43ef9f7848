//go:build browser

package browser_test

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The page of diff finds rows by words, sorts by a head, and is printed with all its rows and all their cells, those
// that a search has hidden too.
func TestDiffPage(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	text, err := os.ReadFile(meadow[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("PriorityWeightAge=1000", "PriorityWeightAge=90000", "MaxTime=2-0", "MaxTime=1:00").
		Replace(string(text))
	if err := os.WriteFile(at("new.conf"), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"snapshot", "convert", examples + "slurm-queue", "--now", "2026-11-20T12:00:00Z", "-o", "json=" + at("one.json")},
		{"snapshot", "synth", at("one.json"), "--jobs", "300", "-o", "json=" + at("long.json")},
		{"diff", meadow[0] + "," + meadow[1], at("new.conf") + "," + meadow[1], "-s", at("long.json"), "--procs", "512",
			"-o", "html=" + at("page.html")},
	} {
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	p := newPage(t)
	p.size(1200, 900, "light")
	p.open("file://" + at("page.html"))
	const shown = `[...document.querySelectorAll('#moves ~ .wide tbody tr')].filter(r => r.offsetHeight > 0).length`
	var rows [][]string
	p.run(&rows, `return [...document.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent))`)
	if len(rows) < 150 {
		t.Fatalf("only %d rows", len(rows))
	}
	var all, found int
	p.run(&all, `return `+shown)
	p.fill("#moves ~ .find", "ana urgent")
	p.run(&found, `return `+shown)
	if found == 0 || found >= all {
		t.Errorf("%d of %d rows have the words", found, all)
	}
	p.click(`#moves ~ .wide th:nth-child(8) button`)
	p.picture("diff")
	var pdf string
	p.post("/print", map[string]any{}, &pdf)
	document, err := base64.StdEncoding.DecodeString(pdf)
	if err == nil {
		err = os.WriteFile(at("page.pdf"), document, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command("pdftotext", "-raw", at("page.pdf"), "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := func(text string) string { return strings.Join(strings.Fields(strings.ReplaceAll(text, "\f", " ")), "") }
	paper, lost := words(string(printed)), 0
	for _, cells := range rows {
		if row := words(strings.Join(cells, " ")); !strings.Contains(paper, row) {
			if lost++; lost < 4 {
				t.Errorf("the paper lacks the row %q", cells)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d rows are lost", lost, len(rows))
	}
	p.quiet("file://" + folder)
}
