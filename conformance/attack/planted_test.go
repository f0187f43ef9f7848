package attack

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPlantedFaults: every kind of fault is seen. The program that has it is a script.
func TestPlantedFaults(t *testing.T) {
	documented := []exit{{0}, {3}}
	verbs := []verb{{Name: "eval", Exits: documented}, {Name: "convert", Exits: documented},
		{Name: "check", Exits: documented}, {Name: "lint", Exits: documented}, {Name: "fmt", Exits: documented},
		{Name: "snapshot convert", Exits: documented}, {Name: "snapshot info", Exits: documented}}
	for _, c := range []struct {
		kind, script string
		words        string
	}{
		{"", "echo fine; echo '{}' > out.json", "eval in -o json=out.json"},
		{"", "echo fine > made/x; echo fine > at.lock", "eval in --state-dir made --state at"},
		{"trace", "printf 'goroutine 1 [running]:\\nmain.main()\\n' >&2", "eval in"},
		{"trace", "printf 'x\\npanic: index out of range\\n' >&2; exit 2", "eval in"},
		{"exit", "echo wrong >&2; exit 2", "eval in"},
		{"exit", "echo wrong >&2; exit 3", "unknown in"},
		{"signal", "kill -9 $$", "eval in"},
		{"silent", "exit 3", "eval in"},
		{"shown", `printf 'a\033[2J'`, "eval in"},
		{"shown", `printf 'a\177' >&2`, "eval in"},
		{"torn", "echo '{'", "eval in -o json"},
		{"torn", "echo '{' > out.json", "eval in -o json=out.json"},
		{"torn", "echo '<svg>' > out.svg", "eval in --gantt out.svg"},
		{"torn", "echo x > out.json.zst", "eval in -o json=out.json.zst"},
		{"torn", "printf 'a,b\\nc\\n'", "eval in -o csv"},
		{"back", `[ $1 = convert ] && echo x || { echo no >&2; exit 3; }`, "convert in --to hcl"},
		{"back", `[ $2 = info ] && { echo no >&2; exit 3; } || echo "{}"`, "snapshot convert in -o json"},
		{"refused", "echo '{}' > out.json; echo no >&2; exit 3", "eval in -o json=out.json"},
		{"input", "echo more >> in", "eval in"},
		{"input", "rm in", "eval in"},
		{"", "echo 1 > in", "lint other --fix"},
		{"", "echo 1 > in", "check in --fix"},
		{"", "echo 1 > in", "fmt ."},
		{"", "echo 1 > in", "fmt i*"},
		{"input", "echo 1 > in", "check in --fix --diff"},
		{"input", "echo 1 > in", "check in"},
		{"input", "echo 1 > in", "fmt in --check"},
		{"input", "echo 1 > in", "fmt other"},
		{"shown", `printf 'a\r\n'`, "fmt in --diff"},
		{"shown", `printf 'a\r\n'`, "lint in --fix"},
		{"outside", "echo more > other", "eval in -o json=out.json"},
		{"outside", "echo more > ../../x", "eval in"},
		{"outside", "echo more > $HOME/x", "eval in"},
		{"outside", "mkdir $TMPDIR/x", "eval in"},
		{"left", "echo x > .out.json123456789", "eval in -o json=out.json"},
		{"unlike", "echo $GOMAXPROCS", "eval in"},
		{"unlike", "echo $GOMAXPROCS >&2", "eval in"},
		{"unlike", "echo $GOMAXPROCS > out", "eval in -o csv=out"},
		{"unlike", "echo no >&2; [ $GOMAXPROCS = 1 ] || exit 3", "eval in"},
	} {
		t.Run(c.kind+"/"+c.script, func(t *testing.T) {
			p, err := newPlace(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			program := p.root + ".sh"
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Remove(program) })
			a := &assault{words: strings.Fields(c.words), files: map[string][]byte{"in": []byte("x\n"), "made/y": nil}}
			faults, _, err := p.judge(program, verbs, a)
			if err != nil {
				t.Fatal(err)
			}
			if c.kind == "" && len(faults) > 0 || c.kind != "" &&
				!slices.ContainsFunc(faults, func(f fault) bool { return f.kind == c.kind }) {
				t.Errorf("found %v", faults)
			}
		})
	}
}

// TestPlantedWaste: memory, time of the processor and standing still are seen in what a run leaves.
func TestPlantedWaste(t *testing.T) {
	p := &place{}
	for kind, o := range map[string]*outcome{
		"memory": {ending: ending{Resident: mostResident + 1}},
		"time":   {ending: ending{Seconds: mostSeconds + 1}},
		"still":  {ending: ending{Still: true, Code: -1}},
	} {
		faults := p.wrong(&verb{Exits: []exit{{0}}}, &assault{words: []string{"eval"}}, o)
		if len(faults) != 1 || faults[0].kind != kind {
			t.Errorf("%s: %v", kind, faults)
		}
	}
}
