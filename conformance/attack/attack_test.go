//go:build attack

package attack

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	seedFlag = flag.Uint64("seed", 1, "another number gives other attacks; with FAIRWAY_ATTACK the clock gives one")
	oneFlag  = flag.Int("one", -1, "only the attack of this number")
	keepFlag = flag.String("keep", "", "folder in which each fault is kept as a text (default: a new one)")
)

// shortAttack is for how long attacks go on unless FAIRWAY_ATTACK says otherwise.
const shortAttack = 75 * time.Second

// mostFaults ends an attack that finds more: something general is wrong.
const mostFaults = 25

// TestAttack attacks for some time and reports each fault once, as a text that testdata/faults can hold.
func TestAttack(t *testing.T) {
	binary := buildFairway(t)
	all := gather(t, binary)
	p, err := newPlace(filepath.Join(t.TempDir(), "root"))
	if err != nil {
		t.Fatal(err)
	}
	length, seed := shortAttack, *seedFlag
	if text := os.Getenv("FAIRWAY_ATTACK"); text != "" {
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatalf("FAIRWAY_ATTACK is a time such as 2h: %v", err)
		}
		given := false
		flag.Visit(func(f *flag.Flag) { given = given || f.Name == "seed" })
		if !given {
			seed = uint64(time.Now().Unix())
		}
	}
	lines := 0
	for _, list := range all.from {
		lines += len(list)
	}
	fmt.Printf("attack: -seed %d for %s, from %d command lines\n", seed, length, lines)
	if *oneFlag >= 0 {
		oneAttack(t, p, binary, all, seed, uint64(*oneFlag))
		return
	}
	end, number, found := time.Now().Add(length), uint64(0), map[string]bool{}
	codes := map[int]int{}
	var slowest, largest string
	most, size := 0.0, int64(0)
	for ; time.Now().Before(end) && len(found) < mostFaults; number++ {
		a := all.attack(seed, number)
		faults, o, err := p.judge(binary, all.verbs, a)
		if err != nil {
			t.Fatalf("attack %d: %v", number, err)
		}
		codes[o.Code]++
		if o.Seconds > most {
			most, slowest = o.Seconds, fmt.Sprintf("%d, %.1f s", number, o.Seconds)
		}
		if o.Resident > size {
			size, largest = o.Resident, fmt.Sprintf("%d, %d MB", number, o.Resident>>20)
		}
		for _, f := range faults {
			if like := likeness(a, f); !found[like] {
				found[like] = true
				report(t, p, binary, all, a, f, fmt.Sprintf("-seed %d -one %d", seed, number))
			}
		}
	}
	fmt.Printf("attack: %d attacks; exit codes %v; the slowest is %s, the largest %s\n", number, codes, slowest, largest)
	if number < 50 {
		t.Errorf("only %d attacks in %s", number, length)
	}
	if codes[0] == 0 || codes[3] == 0 {
		t.Errorf("attacks do not reach what is behind the parsers, or never a refusal: exit codes %v", codes)
	}
}

// TestAttacksAreTheSame: a seed and a number are one attack, whatever the process.
func TestAttacksAreTheSame(t *testing.T) {
	binary := buildFairway(t)
	one, other := gather(t, binary), gather(t, binary)
	for number := range uint64(200) {
		if a, b := one.attack(3, number), other.attack(3, number); !bytes.Equal(a.text(), b.text()) {
			t.Fatalf("attack %d is\n%.1000s\nand\n%.1000s", number, a.text(), b.text())
		}
	}
}

// oneAttack attacks once and says all about it.
func oneAttack(t *testing.T, p *place, binary string, all *seeds, seed, number uint64) {
	t.Helper()
	a := all.attack(seed, number)
	faults, o, err := p.judge(binary, all.verbs, a)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s\nexit code %d, %.1f s, %d MB\n%s\n%s", a.title, strings.Join(a.words, " "), o.Code, o.Seconds,
		o.Resident>>20, firstLines(o.stdout, 10), firstLines(o.stderr, 20))
	for _, f := range faults {
		report(t, p, binary, all, a, f, fmt.Sprintf("-seed %d -one %d", seed, number))
	}
}

var frame = regexp.MustCompile(`(?m)^github\.com/fairway-sched/fairway/[^\s(]+`)

// likeness is the same for faults that are likely one.
func likeness(a *assault, f fault) string {
	if f.kind == "trace" {
		return f.kind + " " + frame.FindString(f.seen)
	}
	seen, _, _ := strings.Cut(f.seen, "\n")
	return f.kind + " " + a.words[0] + " " +
		numbers.ReplaceAllString(seen, "0")[:min(40, len(numbers.ReplaceAllString(seen, "0")))]
}

// report keeps a fault, made small, and fails the test.
func report(t *testing.T, p *place, binary string, all *seeds, a *assault, f fault, again string) {
	t.Helper()
	small := smaller(p, binary, all.verbs, a, f.kind)
	small.title = f.String()
	dir := *keepFlag
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "fairway-attack-"); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, fmt.Sprintf("%s-%s-%s.txtar", small.words[0], f.kind,
		strings.Trim(strings.ReplaceAll(again, " ", ""), "-")))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, small.text(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s\n%s\nfrom %s\nagain: %s\nkept: %s", strings.Join(small.words, " "), f, a.title, again, name)
}

// smaller leaves out files, words and lines as long as the fault is of the same kind.
func smaller(p *place, binary string, verbs []verb, a *assault, kind string) *assault {
	tries, end := 250, time.Now().Add(40*time.Second)
	still := func(b *assault) bool {
		tries--
		if tries < 0 || len(b.words) == 0 || time.Now().After(end) {
			return false
		}
		faults, _, err := p.judge(binary, verbs, b)
		return err == nil && slices.ContainsFunc(faults, func(f fault) bool { return f.kind == kind })
	}
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		b := *a
		b.files = maps.Clone(a.files)
		delete(b.files, name)
		if name != a.stdin && still(&b) {
			a = &b
		}
	}
	for i := len(a.words) - 1; i > 0; i-- {
		b := *a
		b.words = slices.Delete(slices.Clone(a.words), i, i+1)
		if still(&b) {
			a = &b
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		for size := len(lines(a.files[name])); size > 0; size /= 2 {
			for at := 0; at < len(lines(a.files[name])); {
				l := lines(a.files[name])
				b := *a
				b.files = maps.Clone(a.files)
				b.files[name] = bytes.Join(slices.Delete(l, at, min(len(l), at+size)), nil)
				if len(b.files[name]) < len(a.files[name]) && still(&b) {
					a = &b
				} else {
					at += size
				}
			}
		}
	}
	return a
}

// paramNames are the parameters of a dialect, from the program's own reference.
func paramNames(t *testing.T, program, dialect string) (names []string) {
	t.Helper()
	text, err := exec.Command(program, "doc", "params", dialect).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
