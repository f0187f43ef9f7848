package attack

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/draws"
)

const exampleKey = "a key that only this test has, 1234567890"

// exampleLines are command lines of all verbs and text formats over a folder that has a copy of all examples. OUT is a
// file that is written, KEY one with exampleKey. What is left out is what writes input that Fairway reads back.
var exampleLines = []string{
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
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z -o csv --spreadsheet",
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z --dump=lower",
	"eval slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z --dump=fuse",
	"expr job.procs*2 -s maui-queue --policy maui-queue/maui.cfg --where job.procs>4 -o json",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue -u ana --now " +
		"2026-11-20T12:00:00Z -o markdown",
	"eval policy-from-scratch/lab.fairway.hcl -s policy-from-scratch --now 2026-11-20T12:00:00Z",
	"eval site-component/site.fairway.hcl -s site-component/queue.json",
	"explain slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z 5004 5008",
	"explain slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z 5006",
	"explain maui-queue/maui.cfg -s maui-queue 903",
	"eval maui-limits/maui.cfg -s maui-limits --view checkjob",
	"plan maui-queue/maui.cfg -s maui-queue --view showstart",
	"plan maui-queue/maui.cfg -s maui-queue",
	"plan maui-queue/maui.cfg -s maui-queue -o csv --gantt OUT.svg",
	"plan slurm-plan/slurm.conf -s slurm-plan --now 2026-11-20T12:00:00Z -o json",
	"desk slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z --no-open",
	"plan slurm-plan/slurm.conf -s slurm-plan --now 2026-11-20T12:00:00Z --view squeue-start --gantt OUT.svg",
	"plan slurm-plan/slurm.conf -s slurm-plan --now 2026-11-20T12:00:00Z --view why",
	"replay replay/maui.cfg -w replay/week.swf -n replay/nodes.json --to 1795406400 -o json",
	"replay replay/easy.fairway.hcl -w replay/week.swf --procs 32 --to 1795406400 -o csv=OUT",
	"sweep plan replay/study.hcl -o OUT",
	"estimate score replay/ledger.jsonl replay/played.swf -o json",
	"init --stdout slurm-queue",
	"init slurm-queue",
	"check maui-queue/mistakes.cfg",
	"check slurm-queue/slurm.conf slurm-queue/assoc.cfg",
	"lint maui-queue/maui.cfg",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o json",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o github",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o sarif",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o junit",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o checkstyle",
	"lint policy-from-scratch/lab.fairway.hcl",
	"diff slurm-queue/slurm.conf slurm-fairshare/slurm.conf --with slurm-queue/assoc.cfg",
	"diff slurm-queue/slurm.conf slurm-fairshare/slurm.conf --with slurm-queue/assoc.cfg -o json",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue --now " +
		"2026-11-20T12:00:00Z -o html",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue --now " +
		"2026-11-20T12:00:00Z -o text",
	"convert maui-queue/maui.cfg --to hcl",
	"convert maui-queue/maui.cfg --to slurm -o json=OUT --accounts OUT2",
	"convert slurm-queue/slurm.conf slurm-queue/assoc.cfg --to maui",
	"fmt --diff slurm-queue/slurm.conf",
	"verify slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot",
	"verify slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot -o json",
	"push slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot --to slurm",
	"push slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot --to slurm -o json",
	"push maui-queue/maui.cfg -s maui-queue --to file=OUT",
	"test policy-from-scratch -v --junit OUT",
	"test site-component -v",
	"usage maui-fairshare/accounting --policy maui-fairshare/maui.cfg",
	"usage slurm-fairshare/sacct.txt --policy slurm-fairshare/slurm.conf --policy slurm-fairshare/assoc.cfg",
	"snapshot info slurm-verify/snapshot",
	"snapshot info maui-queue -o json",
	"snapshot convert maui-queue -o json",
	"snapshot anonymize slurm-verify/snapshot -o json=OUT",
	"snapshot synth maui-queue --jobs 20 --seed 4 -o json",
	"eval maui-queue/maui.cfg -s maui-queue -o json -o csv=OUT",
	"eval slurm-verify/slurm.conf slurm-verify/assoc.cfg -s slurm-verify/snapshot -o json -o prom=OUT",
	"explain slurm-queue/slurm.conf slurm-queue/assoc.cfg -s slurm-queue --now 2026-11-20T12:00:00Z 5004 5005",
	"plan slurm-plan/slurm.conf -s slurm-plan --now 2026-11-20T12:00:00Z -o json --gantt OUT",
	"diff slurm-queue/slurm.conf slurm-change/slurm.conf --with slurm-queue/assoc.cfg -s slurm-queue --now " +
		"2026-11-20T12:00:00Z -o json -o html=OUT",
	"diff maui-queue/maui.cfg slurm-queue/slurm.conf",
	"lint slurm-queue/slurm.conf slurm-queue/assoc.cfg -o json -o sarif=OUT",
	"convert maui-queue/maui.cfg --to slurm --accounts OUT",
	"convert slurm-verify/slurm.conf slurm-verify/assoc.cfg --to hcl",
	"fmt --diff maui-queue/maui.cfg",
	"snapshot convert slurm-verify/snapshot -o json=OUT",
	"snapshot convert slurm-plan --now 1700000000 -o json",
	"snapshot anonymize slurm-verify/snapshot --stable --key-file KEY -o json=OUT",
	"snapshot synth slurm-verify/snapshot --jobs 200 --seed 4 -o json=OUT",
	"snapshot synth slurm-verify/snapshot --jobs 200 --nodes 40 --seed 4 -o json=OUT",
	"doc params slurm",
	"doc columns",
	"doc verbs",
}

// TestExampleLines: nothing is wrong with the command lines that attacks begin from, and every verb has one.
func TestExampleLines(t *testing.T) {
	binary := buildFairway(t)
	verbs := verbsOf(t, binary)
	examples := readExamples(t)
	attacked := map[string]bool{}
	for i, line := range exampleLines {
		a := exampleAssault(line, examples)
		if v := verbOf(verbs, a.words); v != nil {
			attacked[v.Name] = true
		}
		if !draws.InSample(i, 2) {
			continue
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			p, err := newPlace(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			faults, o, err := p.judge(binary, verbs, a)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Error(f)
			}
			if o.Code > 2 || len(o.stdout) == 0 && len(o.stderr) == 0 && maps.Equal(o.before, o.after) {
				t.Errorf("exit code %d, and nothing to see: %s", o.Code, o.stderr)
			}
		})
	}
	for _, v := range verbs {
		if !attacked[v.Name] && !slices.Contains(unlined, v.Name) {
			t.Errorf("no line has the verb %q: give it one, so that attacks begin from it", v.Name)
		}
	}
}

// unlined are verbs without a line: those that ask a scheduler, which the command line's own scripts have commands
// for, those over the folder of a sweep that the same program has planned, one that an editor speaks with, whose
// messages cmd/lsp attacks, one that reads a git repository, and those that print the same whatever they are given.
var unlined = []string{"bisect", "estimate", "lsp", "sweep", "sweep run", "sweep resume", "sweep status", "sweep merge",
	"sweep report", "sweep tasks", "sweep work", "sweep suggest", "snapshot capture", "snapshot", "version", "doc man",
	"completion bash", "completion zsh", "completion fish", "completion powershell"}

// exampleAssault is a line with the files that it needs.
func exampleAssault(line string, examples map[string][]byte) *assault {
	a := &assault{title: "example: " + line, words: strings.Fields(line), files: needed(examples, strings.Fields(line))}
	a.files["KEY"] = []byte(exampleKey)
	return a
}

// readExamples reads all examples.
func readExamples(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	root := filepath.Join("..", "..", "examples")
	if err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		below, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(below)], err = os.ReadFile(name)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// needed are the files in the folders that words name.
func needed(files map[string][]byte, words []string) map[string][]byte {
	some := map[string][]byte{}
	for name, text := range files {
		top, _, _ := strings.Cut(name, "/")
		if slices.ContainsFunc(words, func(w string) bool { return w == top || strings.Contains(w, top+"/") }) {
			some[name] = text
		}
	}
	return some
}
