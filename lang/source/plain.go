package source

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain is text that a file or a scheduler brought, as one line that a terminal, a log or a page of XML shows and
// does not obey. A control character becomes its picture (U+241B for ESC), every other one that is not printable,
// such as one that turns the direction of writing (U+202E), no character (U+FFFE) or broken UTF-8, becomes U+FFFD.
// What is left has as many characters.
func Plain(text string) string { return plain(text, "") }

// PlainLines is Plain for text of several lines, which may have tabs: it keeps both.
func PlainLines(text string) string { return plain(strings.ReplaceAll(text, "\r\n", "\n"), "\n\t") }

func plain(text, kept string) string {
	if isPlain(text, kept) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case Shown(r) || strings.ContainsRune(kept, r):
			return r
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		}
		return utf8.RuneError
	}, text)
}

// isPlain sees without a copy that most text is plain.
func isPlain(text, kept string) bool {
	for _, r := range text {
		if r == utf8.RuneError || !Shown(r) && !strings.ContainsRune(kept, r) {
			return false
		}
	}
	return true
}

// Shown reports a character that has a form on the page: letters, marks, digits, signs and blanks of one line.
func Shown(r rune) bool {
	return r >= ' ' && r < 0x7f || r > 0x7f && (unicode.IsPrint(r) || unicode.Is(unicode.Zs, r))
}

// PlainJSON writes JSON text to w as EscapeJSON has it. Each write has whole characters, as an encoder's have.
func PlainJSON(w io.Writer) io.Writer { return plainJSON{w} }

// WriteJSON writes a value to w as indented JSON.
func WriteJSON(w io.Writer, value any) error {
	e := json.NewEncoder(PlainJSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

type plainJSON struct{ w io.Writer }

func (p plainJSON) Write(text []byte) (int, error) {
	if _, err := p.w.Write(EscapeJSON(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// EscapeJSON is JSON text that says the same, with an escape for each character that is not Shown: outside of its
// strings JSON has none of them but white space. Text that is no UTF-8 becomes U+FFFD, as for all who read JSON.
func EscapeJSON(text []byte) []byte {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] < 0x7f
	}
	if clean {
		return text
	}
	const hex = "0123456789abcdef"
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r < ' ' || Shown(r):
			out = utf8.AppendRune(out, r)
		default:
			for _, u := range utf16.AppendRune(nil, r) {
				out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
			}
		}
		text = text[size:]
	}
	return out
}

// Pattern is a regular expression that is compiled when it is first asked for: one command needs few of all there are.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
