package conformance_test

import (
	"bufio"
	"go/scanner"
	"go/token"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wordsToAvoid are the words of stilted sentences, as regular expressions, with what to write instead.
const wordsToAvoid = `
pass(es|ed|ing)? over | ignore, skip
whom                  | who, or another sentence
nobody                | no job, no user, no one; unknown, unset
of which              | a sentence of its own, where, whose
stands?               | is, comes, is written, has
behind                | after
told                  | reported, known
said                  | reported, written
one or the other      | give only one of
`

// wordsAllowed are good uses of those words, as regular expressions of the text around them.
const wordsAllowed = `
convert-not-said                  | a code of a diagnostic
fairshare-pass-behind             | a code of a diagnostic
(?i:clocks?) .{0,60}behind        | a clock is behind another one
told apart                        | kept apart by a reader
stands?( in)? for                 | an id stands for the tasks of an array, a default stands in for a value
stands? still                     | a clock that does not run
as (it|they) stands?              | a text as it is
stands? (alone|by itself)         | works without others
(all|any|each|one|two) of which   | parts of a number of things
(leaves?|left) behind|behind a link | what remains, and where a link leads
\.(Told|Said)\b                  | a name in code
lags .{0,20}behind                | the same of a pass over usage
(munge, |as |SlurmUser=)nobody|"nobody" | the system's user
the pass over                     | the noun: a pass over the queue
`

// Law: messages, help, docs and comments keep clear of the words to avoid.
func TestPlainWordsLaw(t *testing.T) {
	avoid := regexp.MustCompile(`(?i)\b(?:` + strings.Join(firstCells(wordsToAvoid), "|") + `)\b`)
	allowed := regexp.MustCompile(strings.Join(firstCells(wordsAllowed), "|"))
	all := sentences(t)
	if len(all) < 10_000 {
		t.Fatalf("only %d sentences are read", len(all))
	}
	for _, s := range all {
		uses := avoid.FindAllStringIndex(s.text, -1)
		good := allowed.FindAllStringIndex(s.text, -1)
		uses = slices.DeleteFunc(uses, func(use []int) bool {
			return slices.ContainsFunc(good, func(g []int) bool { return g[0] <= use[0] && use[1] <= g[1] })
		})
		if len(uses) == 0 {
			continue
		}
		t.Errorf("%s:%d: %q is a word to avoid (wordsToAvoid says what to write instead): %s",
			s.file, s.line, s.text[uses[0][0]:uses[0][1]], s.text)
	}
}

// lines are those of a table that say something.
func lines(table string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(table) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
}

// firstCells are the first cells of a table of words.
func firstCells(table string) (cells []string) {
	for line := range lines(table) {
		cut := strings.LastIndex(line, "|")
		cells = append(cells, strings.TrimSpace(line[:cut]))
	}
	return cells
}

// sentence is a line that a person reads.
type sentence struct {
	file string
	line int
	text string
}

// sentences are the lines of documents and pages, the comments of policies, and the comments and texts of Go code
// outside tests. Recorded files, expectations of tests and texts that quote a scheduler's own are in folders named
// testdata.
func sentences(t *testing.T) (list []sentence) {
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".") && base != ".packaging"):
			return fs.SkipDir
		case entry.IsDir() || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		switch path.Ext(name) {
		case ".go":
			list = append(list, ofGo(name, text)...)
		case ".md", ".hcl", ".txt", ".csv", ".yaml":
			in := bufio.NewScanner(strings.NewReader(string(text)))
			in.Buffer(nil, 1<<20)
			for n := 1; in.Scan(); n++ {
				list = append(list, sentence{file: name, line: n, text: in.Text()})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// ofGo are the lines of comments and texts of a Go file. A comment may name an identifier of its file, and a text of
// one word is a name.
func ofGo(name string, text []byte) (list []sentence) {
	files := token.NewFileSet()
	file := files.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	names := map[string]bool{}
	for {
		at, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			for i := range list {
				comment, ok := strings.CutPrefix(list[i].text, "// ")
				if first, rest, _ := strings.Cut(comment, " "); ok && names[first] {
					list[i].text = rest
				}
			}
			return list
		case token.IDENT:
			names[literal] = true
		case token.COMMENT, token.STRING:
			if kind == token.STRING && !strings.Contains(literal, " ") {
				continue
			}
			for i, line := range strings.Split(literal, "\n") {
				list = append(list, sentence{name, files.Position(at).Line + i, line})
			}
		}
	}
}
