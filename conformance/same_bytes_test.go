package conformance_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sameBytes are command lines of all verbs that print; OUT is a file that is compared too.
var sameBytes = []string{
	"eval examples/maui-queue/maui.cfg -s examples/maui-queue -o json -o csv=OUT",
	"eval examples/slurm-verify/slurm.conf examples/slurm-verify/assoc.cfg -s examples/slurm-verify/snapshot -o json -o prom=OUT",
	"eval examples/slurm-verify/slurm.conf examples/slurm-verify/assoc.cfg -s examples/slurm-verify/snapshot --view sshare",
	"eval examples/maui-fairshare/maui.cfg -s examples/maui-fairshare --view diagnose-f",
	"eval examples/slurm-queue/slurm.conf examples/slurm-queue/assoc.cfg -s examples/slurm-queue --now 2026-11-20T12:00:00Z --dump=fuse",
	"explain examples/slurm-queue/slurm.conf examples/slurm-queue/assoc.cfg -s examples/slurm-queue --now 2026-11-20T12:00:00Z 5004 5005",
	"plan examples/slurm-plan/slurm.conf -s examples/slurm-plan --now 2026-11-20T12:00:00Z -o json --gantt OUT",
	"plan examples/maui-queue/maui.cfg -s examples/maui-queue --view showstart",
	"verify examples/slurm-verify/slurm.conf examples/slurm-verify/assoc.cfg -s examples/slurm-verify/snapshot",
	"diff examples/slurm-queue/slurm.conf examples/slurm-change/slurm.conf --with examples/slurm-queue/assoc.cfg -s examples/slurm-queue --now 2026-11-20T12:00:00Z -o json -o html=OUT",
	"diff examples/maui-queue/maui.cfg examples/slurm-queue/slurm.conf",
	"lint examples/maui-queue/mistakes.cfg -o json -o sarif=OUT",
	"convert examples/maui-queue/maui.cfg --to slurm --accounts OUT",
	"convert examples/slurm-queue/slurm.conf examples/slurm-queue/assoc.cfg --to maui",
	"convert examples/slurm-verify/slurm.conf examples/slurm-verify/assoc.cfg --to hcl",
	"fmt --diff examples/maui-queue/maui.cfg",
	"test examples/site-component -v",
	"snapshot info examples/slurm-verify/snapshot",
	"snapshot convert examples/slurm-verify/snapshot -o json=OUT",
	"snapshot convert examples/slurm-plan --now 1700000000 -o json",
	"snapshot anonymize examples/slurm-verify/snapshot --stable --key-file KEY -o json=OUT",
	"snapshot synth examples/slurm-verify/snapshot --jobs 200 --seed 4 -o json=OUT",
	"doc params slurm",
	"doc columns",
}

// TestSameBytes: whatever is printed or written is the same in every process, on any number of processors.
func TestSameBytes(t *testing.T) {
	binary := buildFairway(t)
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("a key that only this test has, 1234567890"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range sameBytes {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			first := outputsOf(t, binary, key, line, "1")
			if first == "" {
				t.Fatal("nothing is printed")
			}
			for _, processors := range []string{"2", "1", "2"} {
				if again := outputsOf(t, binary, key, line, processors); again != first {
					t.Fatalf("on %s processors:\n%s\nbefore:\n%s", processors, again, first)
				}
			}
		})
	}
}

// outputsOf runs a command line in the checkout and returns all that it printed and wrote.
func outputsOf(t *testing.T, binary, key, line, processors string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	words := strings.Fields(strings.NewReplacer("OUT", out, "KEY", key).Replace(line))
	if words[0] == "plan" && strings.Contains(line, "--gantt OUT") {
		words[len(words)-1] += ".svg"
		out += ".svg"
	}
	cmd := exec.Command(binary, words...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TZ=UTC", "GOMAXPROCS="+processors)
	printed, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 2) {
		t.Fatalf("%v\n%s", err, printed)
	}
	written, err := os.ReadFile(out)
	if err != nil && strings.Contains(line, "OUT") {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(printed)+string(written), out, "OUT")
}
