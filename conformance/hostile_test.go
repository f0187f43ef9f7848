package conformance_test

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
	"unicode/utf8"

	"github.com/fairway-sched/fairway/lang/source"
)

// hostile are texts that a terminal obeys, that turn the direction of writing, that XML cannot hold, and that are no UTF-8.
var hostile = []string{"\x1b[2J\u202e\x7f\ufffe\u009b", "\u2066\x1b]0;t\a\xff\ufeff", "x\r\x08\u202d\u2028"}

// hostileLines are command lines of all verbs and text formats over a folder that has a copy of all examples; OUT is
// a file that is read too, JOB a word that a hostile text may be part of. What is left out: fmt without --diff, convert and
// snapshot convert -o csv, which write input that Fairway reads back.
var hostileLines = []string{
	"eval maui-queue/maui.cfg -s maui-queue",
	"eval maui-queue/maui.cfg -s maui-queue -o json",
	"eval maui-queue/maui.cfg -s maui-queue -o csv",
	"eval maui-queue/maui.cfg -s maui-queue -o prom",
	"eval maui-queue/maui.cfg -s maui-queue --view showq",
	"eval maui-queue/maui.cfg -s maui-queue --view diagnose-p",
	"eval maui-queue/maui.cfg -s maui-queue --view diagnose-q",
	"eval maui-fairshare/maui.cfg -s maui-fairshare --view diagnose-f",
	"eval slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot",
	"eval slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot --view sprio",
	"eval slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot --view sshare",
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue -o csv --spreadsheet",
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --dump=lower",
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --dump=fuse",
	"eval policy-from-scratch/lab.fairway.hcl -s policy-from-scratch",
	"eval site-component/site.fairway.hcl -s site-component/queue.json",
	"explain slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue 5004 5008",
	"explain slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue 5006",
	"explain maui-queue/maui.cfg -s maui-queue 903",
	"eval maui-limits/maui.cfg -s maui-limits --view checkjob",
	"plan maui-queue/maui.cfg -s maui-queue --view showstart",
	"plan maui-queue/maui.cfg -s maui-queue",
	"plan maui-queue/maui.cfg -s maui-queue -o csv --gantt OUT.svg",
	"plan slurm-plan/slurm.conf -s slurm-plan -o json",
	"plan slurm-plan/slurm.conf -s slurm-plan --view squeue-start --gantt OUT.svg",
	"plan slurm-plan/slurm.conf -s slurm-plan --view why",
	"check maui-queue/mistakes.cfg",
	"check slurm-queue/slurm.conf slurm-queue/assoc.cfg",
	"lint maui-queue/maui.cfg",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o json",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o github",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o sarif",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o junit",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o checkstyle",
	"lint policy-from-scratch/lab.fairway.hcl",
	"diff slurm-queue/slurm.conf slurm-fairshare/slurm.conf --with slurm-queue/assoc.cfg",
	"diff slurm-queue/slurm.conf slurm-fairshare/slurm.conf --with slurm-queue/assoc.cfg -o json",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue -o html",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue -o text",
	"convert maui-queue/maui.cfg --to hcl",
	"convert maui-queue/maui.cfg --to slurm -o json=OUT --accounts OUT2",
	"convert slurm-queue/slurm.conf slurm-queue/assoc.cfg --to maui",
	"fmt --diff slurm-queue/slurm.conf",
	"verify slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot",
	"verify slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot -o json",
	"push slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --to slurm",
	"push slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --to slurm -o json",
	"push maui-queue/maui.cfg -s maui-queue --to maui",
	"test policy-from-scratch -v --junit OUT",
	"test site-component -v",
	"usage maui-fairshare/accounting --policy maui-fairshare/maui.cfg",
	"usage slurm-fairshare/sacct.txt --policy slurm-fairshare/slurm.conf --policy slurm-fairshare/assoc.cfg",
	"snapshot info slurm-verify/snapshot",
	"snapshot info maui-queue -o json",
	"snapshot convert maui-queue -o json",
	"snapshot anonymize slurm-verify/snapshot -o json=OUT",
	"snapshot synth maui-queue --jobs 20 --seed 4 -o json",
}

// TestHostileText: no text of an input reaches a terminal, a page or a log with a character that is not shown. In each
// round every third word (of configurations, dumps, snapshots, policies, tests, and the folder's name) ends in a hostile
// text, alike in all files, so that names still meet.
func TestHostileText(t *testing.T) {
	binary := buildFairway(t)
	const parts = 12
	var reached sync.Map // command lines that show what a hostile text became
	t.Cleanup(func() {
		for _, line := range hostileLines {
			if _, ok := reached.Load(line); !ok {
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
			for _, line := range hostileLines {
				out := filepath.Join(t.TempDir(), "out")
				words := strings.Fields(strings.ReplaceAll(line, "OUT", out))
				for i, w := range words {
					if len(w) > 2 && strings.Trim(w, "0123456789") == "" && mutate(w) {
						words[i] = w + bad
					}
				}
				cmd := exec.Command(binary, words...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "NO_COLOR=1", "TZ=UTC", "SLURM_VERSION=24.05"+bad)
				printed, _ := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); code == 4 && !slices.Contains(words, bad) && bytes.Contains(printed, []byte("unknown flag")) {
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
	for i, rest := 0, text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 || !source.Shown(r) && r != '\n' && r != '\t' {
			t.Errorf("%s: %q at %d: %q", line, r, i, text[max(0, i-120):min(len(text), i+60)])
			return
		}
		i, rest = i+size, rest[size:]
	}
}

var hostileWord = regexp.MustCompile(`[A-Za-z0-9_]+`)

// hostileCopy copies the examples. In JSON only what is within a string changes.
func hostileCopy(t *testing.T, dir string, mutate func(string) bool, bad string) {
	t.Helper()
	err := filepath.WalkDir("../examples", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, _ := filepath.Rel("../examples", path)
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
