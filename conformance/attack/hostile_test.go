package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
)

// hostile are texts that a terminal obeys, that turn the direction of writing, that XML cannot hold, and that are no
// UTF-8.
var hostile = []string{"\x1b[2J\u202e\x7f\ufffe\u009b", "\u2066\x1b]0;t\a\xff\ufeff", "x\r\x08\u202d\u2028"}

// TestHostileText: no text of an input reaches a terminal, a page or a log with a character that is not shown. In each
// round every third word (of configurations, dumps, snapshots, policies, tests, and the folder's name) ends in a
// hostile text, alike in all files, so that names still meet.
func TestHostileText(t *testing.T) {
	binary := buildFairway(t)
	const parts = 12
	var reached sync.Map // command lines that show what a hostile text became
	t.Cleanup(func() {
		for _, line := range exampleLines {
			verb, _, _ := strings.Cut(line, " ")
			// which show no text of an input
			if _, ok := reached.Load(line); !ok && draws.Long() && verb != "doc" && verb != "init" && verb != "estimate" {
				t.Errorf("%s: shows none of the hostile texts, so that nothing is tested", line)
			}
		}
	})
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			bad := hostile[part%len(hostile)]
			dir := filepath.Join(t.TempDir(), "queue"+strings.ToValidUTF8(bad, ""))
			mutate := func(word string) bool {
				h := fnv.New32a()
				h.Write([]byte(word))
				return int(h.Sum32()>>8)%parts == part
			}
			hostileCopy(t, dir, mutate, bad)
			if err := os.WriteFile(filepath.Join(dir, "KEY"), []byte(exampleKey), 0o600); err != nil {
				t.Fatal(err)
			}
			for i, line := range exampleLines {
				if !draws.InSample(i+part/len(hostile), 4) {
					continue // another part runs it with this text
				}
				out := filepath.Join(t.TempDir(), "out")
				words := strings.Fields(strings.NewReplacer("OUT", out, "KEY", filepath.Join(dir, "KEY")).Replace(line))
				for i, w := range words {
					if len(w) > 2 && strings.Trim(w, "0123456789") == "" && mutate(w) {
						words[i] = w + bad
					}
				}
				cmd := exec.Command(binary, words...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "NO_COLOR=1", "TZ=UTC", "SLURM_VERSION=24.05"+bad)
				printed, _ := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); code == 4 && !slices.Contains(words, bad) &&
					bytes.Contains(printed, []byte("there is no flag")) {
					t.Errorf("%s: %s", line, printed)
				}
				checkShown(t, line, printed)
				if bytes.ContainsAny(printed, "\ufffd␛␈␍") || bytes.Contains(printed, []byte(`\u20`)) {
					reached.Store(line, true)
				}
				files, _ := filepath.Glob(out + "*")
				for _, name := range files {
					if text, err := os.ReadFile(name); err == nil {
						checkShown(t, line+" ("+filepath.Base(name)+")", text)
						if bytes.ContainsAny(text, "\ufffd␛␈␍") || bytes.Contains(text, []byte(`\u20`)) {
							reached.Store(line, true)
						}
					}
				}
			}
		})
	}
}

func checkShown(t *testing.T, line string, text []byte) {
	t.Helper()
	if at := hidden(text); at != "" {
		t.Errorf("%s: %s", line, at)
	}
}

var hostileWord = regexp.MustCompile(`[A-Za-z0-9_]+`)

// hostileCopy copies the examples. In JSON only what is within a string changes.
func hostileCopy(t *testing.T, dir string, mutate func(string) bool, bad string) {
	t.Helper()
	err := filepath.WalkDir("../../examples", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, _ := filepath.Rel("../../examples", path)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, below), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		insert := bad
		isJSON := json.Valid(text)
		if isJSON {
			quoted, _ := json.Marshal(bad)
			insert = strings.Trim(string(quoted), `"`)
		}
		var b strings.Builder
		last := 0
		for _, at := range hostileWord.FindAllIndex(text, -1) {
			within := !isJSON || bytes.Count(text[:at[0]], []byte(`"`))%2 == 1
			if within && mutate(string(text[at[0]:at[1]])) {
				b.Write(text[last:at[1]])
				b.WriteString(insert)
				last = at[1]
			}
		}
		b.Write(text[last:])
		return os.WriteFile(filepath.Join(dir, below), []byte(b.String()), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
