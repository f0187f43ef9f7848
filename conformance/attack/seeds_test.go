//go:build attack

package attack

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/tools/txtar"
)

// seeds are what attacks begin from: command lines with their files, and texts to take parts of.
type seeds struct {
	from  map[string][]*assault // command lines by where they are from
	texts map[string][][]byte   // by the kind of file
	verbs []verb
}

const longestSeed = 300 << 10

// kindOf is the kind of a file by its name: the grammar that has mutators of its own, or its ending.
func kindOf(name string) string {
	for _, g := range grammars {
		if g.of.MatchString(path.Base(name)) {
			return g.of.String()
		}
	}
	return path.Ext(name)
}

// gather reads all seeds of the checkout, and the corpus where it is beside it.
func gather(t *testing.T, program string) *seeds {
	t.Helper()
	s := &seeds{from: map[string][]*assault{}, texts: map[string][][]byte{}, verbs: verbsOf(t, program)}
	examples := s.folder(t, "../../examples")
	for _, line := range exampleLines {
		s.from["example"] = append(s.from["example"], exampleAssault(line, examples))
	}
	s.scripts(t, examples)
	s.suite(t)
	s.recordings(t)
	shared := cmp.Or(os.Getenv("FAIRWAY_SHARED"), "../../../shared")
	for _, dir := range []string{filepath.Join(shared, "corpus"), "../../runtime/snapshot/testdata"} {
		if _, err := os.Stat(dir); err == nil {
			s.corpus(s.folder(t, dir), examples)
		}
	}
	parameters.slurm, parameters.maui = paramNames(t, program, "slurm"), paramNames(t, program, "maui")
	if len(parameters.slurm) < 100 || len(parameters.maui) < 100 {
		t.Fatalf("only %d and %d parameters", len(parameters.slurm), len(parameters.maui))
	}
	return s
}

func (s *seeds) line(from, title string, words []string, files map[string][]byte) {
	if len(words) > 0 {
		s.from[from] = append(s.from[from], &assault{title: title, words: words, files: files})
	}
}

func (s *seeds) text(name string, text []byte) {
	if len(text) > 0 && len(text) <= longestSeed && !bytes.HasPrefix(text, []byte("#!")) {
		s.texts[kindOf(name)] = append(s.texts[kindOf(name)], text)
	}
}

// folder reads all files below a folder.
func (s *seeds) folder(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		below, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if len(text) <= longestSeed && path.Ext(name) != ".md" && path.Ext(name) != ".golden" {
			files[filepath.ToSlash(below)] = text
			s.text(below, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	scriptLine = regexp.MustCompile(`^(?:\[[^]]*\] *)?(?:! *|exitcode \d+ +)?fairway (.*)$`)
	scriptWord = regexp.MustCompile(`(?:'(?:[^']|'')*'|[^\s'])+`)
)

// scripts takes the command lines of the command line's own tests: every verb with most of its flags.
func (s *seeds) scripts(t *testing.T, examples map[string][]byte) {
	t.Helper()
	all := archives(t, "../../cmd/fairway/testdata/script/*.txtar")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		archive := all[name]
		files := map[string][]byte{}
		for _, f := range archive.Files {
			files[f.Name] = f.Data
			s.text(f.Name, f.Data)
		}
		for line := range strings.Lines(string(archive.Comment)) {
			match := scriptLine.FindStringSubmatch(strings.TrimSpace(line))
			if match == nil || strings.HasSuffix(match[1], "&") {
				continue
			}
			var words []string
			own := maps.Clone(files)
			for _, w := range scriptWord.FindAllString(match[1], -1) {
				w = strings.ReplaceAll(strings.ReplaceAll(w, "''", "\x00"), "'", "")
				words = append(words, strings.ReplaceAll(strings.ReplaceAll(w, "\x00", "'"), "$EXAMPLES", "$WORK/examples"))
			}
			if strings.Contains(match[1], "$EXAMPLES") {
				for name, text := range needed(examples, words) {
					own["examples/"+name] = text
				}
			}
			s.line("script", name+": "+strings.TrimSpace(line), words, own)
		}
	}
}

// suite runs each file of the suite alone.
func (s *seeds) suite(t *testing.T) {
	files := s.folder(t, "../suite")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".fairwaytest.hcl") {
			s.line("suite", "suite: "+name, []string{"test", name, "-v"}, map[string][]byte{name: files[name]})
		}
	}
}

// recordings takes small recorded queues of both schedulers.
func (s *seeds) recordings(t *testing.T) {
	lines := map[string][]string{
		"maui": {"eval maui.cfg -s jobs.json --now 1700000000 -s nodes.json -o json",
			"plan maui.cfg -s jobs.json --now 1700000000 -s nodes.json -o json --gantt out.svg",
			"lint maui.cfg -s jobs.json --now 1700000000",
			"eval maui.cfg -s jobs.json --now 1700000000 -s nodes.json --view showq",
			"plan maui.cfg -s jobs.json --now 1700000000 -s nodes.json --view why",
			"push maui.cfg -s jobs.json --now 1700000000 -s nodes.json --to maui", "snapshot synth jobs.json --jobs 50 -o json"},
		"slurm": {"eval inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw -o json",
			"plan inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw -o json",
			"verify inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw",
			"eval inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw --view sshare",
			"plan inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw --view why",
			"push inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw --to slurm",
			"diff inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw -o json", "snapshot anonymize raw -o json=out.json",
			"snapshot convert raw -o json", "eval inputs/slurm.conf raw/sacctmgr_dump.cfg -s raw --pass printed"},
	}
	for _, kind := range slices.Sorted(maps.Keys(lines)) {
		recorded := archives(t, "../recorded/"+kind+"/*.txtar")
		for _, name := range slices.Sorted(maps.Keys(recorded)) {
			archive := recorded[name]
			files, size := map[string][]byte{}, 0
			for _, f := range archive.Files {
				if f.Name != "expected.json" {
					files[f.Name] = f.Data
					size += len(f.Data)
				}
			}
			if size > longestSeed/2 || files["inputs/slurm.conf"] == nil && files["maui.cfg"] == nil {
				continue
			}
			for _, f := range archive.Files {
				s.text(f.Name, f.Data)
			}
			for _, l := range lines[kind] {
				s.line("recorded", "recorded: "+name+": "+l, strings.Fields(l), files)
			}
		}
	}
}

// corpus gives real files of sites to the verbs that take them.
func (s *seeds) corpus(files, examples map[string][]byte) {
	lines := map[string][]string{
		"slurm/": {"lint FILE", "check FILE", "convert FILE --to hcl", "convert FILE --to maui -o json=out.json", "fmt FILE",
			"diff FILE slurm-queue/slurm.conf", "eval FILE -s slurm-queue -o json",
			"plan FILE -s slurm-plan", "lint FILE -s slurm-queue", "lint FILE --upgrade-to 25.05"},
		"maui/": {"lint FILE", "check FILE", "convert FILE --to hcl", "convert FILE --to slurm --accounts out.cfg",
			"fmt FILE", "diff FILE maui-queue/maui.cfg", "eval FILE -s maui-queue -o json", "plan FILE -s maui-queue"},
		"sacctmgr/": {"check FILE slurm-queue/slurm.conf", "lint FILE slurm-queue/slurm.conf", "fmt FILE",
			"eval slurm-queue/slurm.conf FILE -s slurm-queue"},
		"": {"snapshot info FILE", "snapshot convert FILE -o json", "snapshot anonymize FILE -o json=out.json",
			"snapshot synth FILE --jobs 30 -o json", "eval slurm-queue/slurm.conf -s FILE",
			"plan maui-queue/maui.cfg -s FILE --procs 64", "usage FILE --policy maui-fairshare/maui.cfg"},
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		dir, text := name[:strings.LastIndexByte(name, '/')+1], files[name]
		all, ok := lines[dir]
		if !ok {
			all = lines[""]
		}
		for _, l := range all {
			words := strings.Fields(strings.ReplaceAll(l, "FILE", path.Base(name)))
			own := needed(examples, words)
			own[path.Base(name)] = text
			s.line("corpus", "corpus: "+name+": "+l, words, own)
		}
	}
}

func archives(t *testing.T, pattern string) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files: %v", pattern, err)
	}
	all := map[string]*txtar.Archive{}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = archive
	}
	return all
}

// attack makes the attack of a number: the same in every process.
func (s *seeds) attack(seed, number uint64) *assault {
	r := newRandom(seed, number)
	from := one(r, s.from[one(r, []string{"example", "example", "script", "script", "script", "suite", "recorded",
		"recorded", "corpus"})])
	a := &assault{title: from.title, words: slices.Clone(from.words), stdin: from.stdin, files: maps.Clone(from.files),
		brief: number%4 > 0}
	if r.IntN(12) == 0 {
		s.anyLine(r, a)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(a.files)),
		func(name string) bool { return bytes.HasPrefix(a.files[name], []byte("#!")) })
	if len(names) > 0 {
		for range one(r, []int{1, 1, 1, 2, 3}) {
			name := s.read(r, a, names)
			kin := s.texts[kindOf(name)]
			if len(kin) == 0 {
				kin = [][]byte{a.files[name]}
			}
			if r.IntN(5) == 0 {
				a.files[name] = one(r, kin)
			}
			a.files[name] = mutated(r, name, a.files[name], [][]byte{one(r, kin), one(r, kin), a.files[one(r, names)]})
		}
	}
	s.garble(r, a)
	if r.IntN(8) == 0 {
		pack(r, a)
	}
	s.mutateWords(r, a)
	return a
}

// read is a file that the words name, mostly.
func (s *seeds) read(r *rand.Rand, a *assault, names []string) string {
	line := strings.Join(a.words, " ")
	named := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.Contains(line, path.Base(name)) &&
			(path.Dir(name) == "." || !strings.Contains(line, path.Base(path.Dir(name))))
	})
	if len(named) == 0 || r.IntN(10) == 0 {
		return one(r, names)
	}
	return one(r, named)
}

// anyLine is a verb with any files, so that a verb that no seed has is attacked, too.
func (s *seeds) anyLine(r *rand.Rand, a *assault) {
	a.words = strings.Fields(one(r, s.verbs).Name)
	names := slices.Sorted(maps.Keys(a.files))
	for range r.IntN(4) {
		if len(names) > 0 {
			if r.IntN(3) == 0 {
				a.words = append(a.words, "-s")
			}
			a.words = append(a.words, one(r, names))
		}
	}
	if r.IntN(4) == 0 && len(names) > 0 {
		a.words, a.stdin = append(a.words, "-"), one(r, names)
	}
}

// mutateWords adds flags of the verb's table, and changes words.
func (s *seeds) mutateWords(r *rand.Rand, a *assault) {
	v := verbOf(s.verbs, a.words)
	for r.IntN(5) == 0 && v != nil && len(v.Flags) > 0 {
		f := one(r, v.Flags)
		word := "--" + f.Name
		if f.Type != "bool" || r.IntN(10) == 0 {
			word += "=" + s.flagValue(r, a, f)
		}
		a.words = append(a.words, word)
	}
	if at := 1 + r.IntN(len(a.words)); r.IntN(25) == 0 && at < len(a.words) {
		switch r.IntN(4) {
		case 0:
			a.words = slices.Delete(a.words, at, at+1)
		case 1:
			a.words = slices.Insert(a.words, at, a.words[at])
		case 2:
			a.words[at] = strings.ReplaceAll(one(r, nasty), "\x00", "")
		default:
			a.words[at] = string(extreme(r))
		}
	}
}

var flagWord = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]+`)

func (s *seeds) flagValue(r *rand.Rand, a *assault, f option) string {
	switch r.IntN(8) {
	case 0:
		return strings.ReplaceAll(one(r, nasty), "\x00", "")
	case 1:
		return string(extreme(r))
	case 2:
		if names := slices.Sorted(maps.Keys(a.files)); len(names) > 0 {
			return one(r, names)
		}
	case 3:
		return "out." + one(r, []string{"json", "svg", "html", "csv", "json.zst"})
	}
	if len(f.Words) > 0 {
		return one(r, f.Words)
	}
	if words := flagWord.FindAllString(f.Usage, -1); len(words) > 0 && f.Type != "int" {
		word := one(r, words)
		if f.Name == "output" && r.IntN(2) == 0 {
			word += "=out." + word
		}
		return word
	}
	return cmp.Or(f.Default, "1")
}

// garble lets scripts that stand for a scheduler's commands print something else.
func (s *seeds) garble(r *rand.Rand, a *assault) {
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		if bytes.HasPrefix(a.files[name], []byte("#!")) && r.IntN(4) == 0 {
			a.files[name+".whole"] = a.files[name]
			a.files[name] = fmt.Appendf(nil, "#!/bin/sh\n%s=%d exec \"$%s\" \"$0.whole\" \"$@\"\n", garbledVariable,
				1+r.Uint32(), selfVariable)
		}
	}
}

// pack puts files that are read into an archive, which may be damaged, too.
func pack(r *rand.Rand, a *assault) {
	at := slices.IndexFunc(a.words, func(w string) bool {
		return a.files[w] != nil || slices.ContainsFunc(slices.Collect(maps.Keys(a.files)),
			func(name string) bool { return strings.HasPrefix(name, w+"/") })
	})
	for i := len(a.words) - 1; i > at && at >= 0; i-- { // a snapshot comes after the policy
		if w := a.words[i]; a.files[w] != nil ||
			slices.ContainsFunc(slices.Collect(maps.Keys(a.files)),
				func(name string) bool { return strings.HasPrefix(name, w+"/") }) {
			at = i
			break
		}
	}
	if at < 0 {
		return
	}
	word := a.words[at]
	text, form := a.files[word], one(r, []string{".gz", ".zst"})
	if text == nil || r.IntN(3) == 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(a.files)) {
			if name == word || strings.HasPrefix(name, word+"/") {
				names = append(names, name)
			}
		}
		text, form = tarOf(r, a, names), ".tar"+one(r, []string{"", form, form})
	}
	if r.IntN(6) == 0 {
		text = append(text, bytes.Repeat([]byte(one(r, nasty)), 1<<22)...) // it unpacks to far more than it is
	}
	switch path.Ext(form) {
	case ".gz":
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(text) // to memory
		_ = w.Close()
		text = b.Bytes()
	case ".zst":
		to, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err)
		}
		text = to.EncodeAll(text, nil)
	}
	if r.IntN(2) == 0 {
		text = one(r, []mutator{flip, cutOff, leaveOut})(r, text, nil)
	}
	a.words[at] = "packed" + form
	a.files["packed"+form] = text
}

// tarOf is an archive of files, some under names and kinds that no snapshot has.
func tarOf(r *rand.Rand, a *assault, names []string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		h := &tar.Header{Name: path.Base(name), Mode: 0o644, Size: int64(len(a.files[name]))}
		switch r.IntN(12) {
		case 0:
			h.Name = one(r, []string{"../../x", "/tmp/x", "a/../../../x", "manifest.json", strings.Repeat("d/", 2000) + "x", "",
				".", "a\x00b", "C:\\x"})
		case 1:
			h.Typeflag, h.Linkname, h.Size = one(r,
				[]byte{tar.TypeSymlink, tar.TypeLink, tar.TypeDir, tar.TypeFifo, tar.TypeChar}), "/etc/passwd", 0
		case 2:
			h.PAXRecords = map[string]string{"GNU.sparse.size": "99999999999", "comment": strings.Repeat("x", 70_000)}
		}
		if w.WriteHeader(h) == nil && h.Size > 0 {
			_, _ = w.Write(a.files[name])
		}
	}
	_ = w.Close()
	return b.Bytes()
}
