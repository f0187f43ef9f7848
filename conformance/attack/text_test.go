package attack

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/tools/txtar"
)

// A fault is kept as a text archive: what was wrong, the command line after "$ fairway", the file on standard input
// behind "< ", and the files. A file that is no short plain text is packed with zstd, in base64, and its name ends in
// " (packed)".
const (
	commandMark = "$ fairway"
	stdinMark   = "< "
	packedMark  = " (packed)"
	longestText = 16 << 10
)

// text is an assault as a text archive.
func (a *assault) text() []byte {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(a.title) + "\n") {
		b.WriteString(strings.NewReplacer(commandMark, "fairway", "-- ", "- ").Replace(line))
	}
	b.WriteString("\n" + commandMark)
	for _, w := range a.words {
		if w == "" || strings.ContainsAny(w, "\" \\") || strconv.Quote(w) != `"`+w+`"` {
			w = strconv.QuoteToASCII(w)
		}
		b.WriteString(" " + w)
	}
	b.WriteString("\n")
	if a.stdin != "" {
		b.WriteString(stdinMark + a.stdin + "\n")
	}
	archive := &txtar.Archive{Comment: []byte(b.String())}
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		text := a.files[name]
		if !plain(text) {
			name, text = name+packedMark, packed(text)
		}
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: text})
	}
	return txtar.Format(archive)
}

// plain reports a text that an archive holds as it is.
func plain(text []byte) bool {
	return len(text) <= longestText && utf8.Valid(text) && hidden(text) == "" &&
		(len(text) == 0 || text[len(text)-1] == '\n') &&
		len(txtar.Parse(text).Files) == 0
}

func packed(text []byte) []byte {
	to, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are wrong
	}
	coded := base64.StdEncoding.EncodeToString(to.EncodeAll(text, nil))
	var b bytes.Buffer
	for line := range slices.Chunk([]byte(coded), 100) {
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// parseAssault reads what text writes.
func parseAssault(text []byte) (*assault, error) {
	archive := txtar.Parse(text)
	a := &assault{files: map[string][]byte{}}
	title, command, ok := strings.Cut(string(archive.Comment), commandMark+" ")
	if !ok {
		return nil, fmt.Errorf("no line begins with %q", commandMark)
	}
	a.title = strings.TrimSpace(title)
	command, rest, _ := strings.Cut(command, "\n")
	if name, ok := strings.CutPrefix(rest, stdinMark); ok {
		a.stdin = strings.TrimSpace(name)
	}
	for command = strings.TrimSpace(command); command != ""; command = strings.TrimSpace(command) {
		var word string
		if quoted, err := strconv.QuotedPrefix(command); err == nil && command[0] == '"' {
			if word, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
			command = command[len(quoted):]
		} else {
			word, command, _ = strings.Cut(command, " ")
		}
		a.words = append(a.words, word)
	}
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer unpack.Close()
	for _, f := range archive.Files {
		name, text := f.Name, f.Data
		if of, ok := strings.CutSuffix(name, packedMark); ok {
			coded, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(text), "\n", ""))
			if err == nil {
				text, err = unpack.DecodeAll(coded, []byte{})
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			name = of
		}
		a.files[name] = text
	}
	if _, ok := a.files[a.stdin]; a.stdin != "" && !ok {
		return nil, fmt.Errorf("there is no file %s", a.stdin)
	}
	return a, nil
}

// TestAssaultText: an assault is kept as it is, whatever its words and files hold.
func TestAssaultText(t *testing.T) {
	a := &assault{
		title: "trace: of\n- a line", words: []string{"eval", "", "a b", "-o", "json=x", "\x1b\xff", `"`, "$WORK/a", "é"},
		stdin: "in",
		files: map[string][]byte{"in": []byte("text\n"), "no end": []byte("x"), "binary": {0, 0xff, '\n'},
			"marks": []byte("-- a --\n"),
			"empty": {}, "long": bytes.Repeat([]byte("x"), longestText+1)},
	}
	got, err := parseAssault(a.text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, got, cmp.AllowUnexported(assault{})); diff != "" {
		t.Error(diff)
	}
}
