package source

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"bo 100 % \\ \"é日\u00a0x\u0301":    "bo 100 % \\ \"é日\u00a0x\u0301",
		"a\x1b[31mb\x00\x7f\r":             "a␛[31mb␀␡␍",
		"one\ntwo\tthree\r\n":              "one␊two␉three␍␊",
		"\u202eab\u2066\u200b\u2028\ufeff": "\ufffdab\ufffd\ufffd\ufffd\ufffd",
		"\ufffe\uffff\u0085\u009b\ue000":   "\ufffd\ufffd\ufffd\ufffd\ufffd",
		"a\xffb\xc3":                       "a\ufffdb\ufffd",
		"\ufffd":                           "\ufffd",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) is %q, not %q", text, got, want)
		}
	}
	if got, want := PlainLines("a\tb\r\nc\x1b\r\nd\re"), "a\tb\nc␛\nd␍e"; got != want {
		t.Errorf("PlainLines is %q, not %q", got, want)
	}
}

func TestEscapeJSON(t *testing.T) {
	text := "a\x1b\x7f\u202eé日\u2028\ufffe\U000e0001\U0001f600\n\t\"\\"
	written, err := json.Marshal(map[string]string{text: text})
	if err != nil {
		t.Fatal(err)
	}
	escaped := EscapeJSON(written)
	if i := strings.IndexFunc(string(escaped), func(r rune) bool { return !Shown(r) }); i >= 0 {
		t.Errorf("%q has a character that is not shown at %d", escaped, i)
	}
	var back map[string]string
	if err := json.Unmarshal(escaped, &back); err != nil || back[text] != text {
		t.Errorf("read back: %v, %q", err, back)
	}
}
