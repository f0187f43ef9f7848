package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxJSONDepth bounds nesting, as encoding/json does.
const maxJSONDepth = 10000

// jsonCursor walks JSON text value by value and knows the byte offset of each,
// so that diagnostics can point at it. Nothing is built for values nobody asks
// for. Strictness is that of encoding/json; a fuzz test holds the two equal.
type jsonCursor struct {
	text  []byte
	at    int
	keyAt int // where the key that object handed over last begins
	depth int
}

// peek skips blanks and returns the first byte of the next value, 0 at the end.
func (c *jsonCursor) peek() byte {
	if c.at < len(c.text) && c.text[c.at] > ' ' {
		return c.text[c.at]
	}
	return c.pastBlanks()
}

func (c *jsonCursor) pastBlanks() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// object calls member for each key with the cursor before the value. A value
// that member leaves alone is skipped. key is valid during the call only.
func (c *jsonCursor) object(member func(key []byte) error) error {
	return c.nested('{', '}', func() error {
		if c.peek() != '"' {
			return c.unexpected("a key in double quotes")
		}
		keyAt := c.at
		key, err := c.stringBytes()
		if err != nil {
			return err
		}
		if c.peek() != ':' {
			return c.unexpected("a colon after the key")
		}
		c.at++
		c.peek()
		before := c.at
		c.keyAt = keyAt
		if err := member(key); err != nil || c.at != before {
			return err
		}
		return c.skip()
	})
}

// array calls element with the cursor before each element, which is skipped
// if element leaves it alone.
func (c *jsonCursor) array(element func() error) error {
	return c.nested('[', ']', func() error {
		before := c.at
		if err := element(); err != nil || c.at != before {
			return err
		}
		return c.skip()
	})
}

func (c *jsonCursor) nested(open, closing byte, item func() error) error {
	if c.peek() != open {
		return c.unexpected(fmt.Sprintf("%q", string(open)))
	}
	if c.depth++; c.depth > maxJSONDepth {
		return syntaxError(c.at, "the values are nested too deeply")
	}
	c.at++
	if c.peek() == closing {
		c.at++
		c.depth--
		return nil
	}
	for {
		c.peek()
		if err := item(); err != nil {
			return err
		}
		switch c.peek() {
		case ',':
			c.at++
		case closing:
			c.at++
			c.depth--
			return nil
		default:
			return c.unexpected(fmt.Sprintf("a comma or %q", string(closing)))
		}
	}
}

// skip passes over one value of any kind.
func (c *jsonCursor) skip() error {
	switch b := c.peek(); {
	case b == '{':
		return c.object(func([]byte) error { return nil })
	case b == '[':
		return c.array(func() error { return nil })
	case b == '"':
		_, _, err := c.rawString()
		return err
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	case b == '-' || (b >= '0' && b <= '9'):
		_, err := c.number()
		return err
	}
	return c.unexpected("a value")
}

// string reads a string value.
func (c *jsonCursor) string() (string, error) {
	b, err := c.stringBytes()
	return string(b), err
}

// stringBytes reads a string without copying where it has no escapes.
func (c *jsonCursor) stringBytes() ([]byte, error) {
	start := c.at
	raw, plain, err := c.rawString()
	if plain || err != nil || bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return raw, err
	}
	var s string
	if err := json.Unmarshal(c.text[start:c.at], &s); err != nil {
		return nil, syntaxError(start, "the string has a wrong escape")
	}
	return []byte(s), nil
}

// rawString passes over a string and returns what stands between the quotes; it is plain if it is ASCII without
// escapes.
func (c *jsonCursor) rawString() (raw []byte, plain bool, err error) {
	if c.at >= len(c.text) || c.text[c.at] != '"' {
		return nil, false, c.unexpected("a string")
	}
	text, start, all := c.text, c.at+1, byte(0)
	plain = true
	for i := start; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"':
			c.at = i + 1
			return text[start:i], plain && all < utf8.RuneSelf, nil
		case b < 0x20:
			return nil, false, syntaxError(i, "a control character stands in a string")
		case b == '\\':
			n := escapeLength(text[i:])
			if n == 0 {
				return nil, false, syntaxError(i, "the string has a wrong escape")
			}
			plain = false
			i += n - 1
		default:
			all |= b
		}
	}
	return nil, false, syntaxError(len(text), "the text ends within a string")
}

// escapeLength is the length of the escape that text starts with, 0 if wrong.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) < 6 {
			return 0
		}
		if _, err := strconv.ParseUint(string(text[2:6]), 16, 32); err != nil {
			return 0
		}
		return 6
	}
	return 0
}

// number passes over a number and returns its text.
func (c *jsonCursor) number() ([]byte, error) {
	start := c.at
	digits := func() bool {
		from := c.at
		for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
			c.at++
		}
		return c.at > from
	}
	if c.is('-') {
		c.at++
	}
	if c.is('0') {
		c.at++
	} else if !digits() {
		return nil, c.unexpected("a digit")
	}
	if c.is('.') {
		if c.at++; !digits() {
			return nil, c.unexpected("a digit")
		}
	}
	if c.is('e') || c.is('E') {
		c.at++
		if c.is('+') || c.is('-') {
			c.at++
		}
		if !digits() {
			return nil, c.unexpected("a digit")
		}
	}
	return c.text[start:c.at], nil
}

func (c *jsonCursor) is(b byte) bool { return c.at < len(c.text) && c.text[c.at] == b }

func (c *jsonCursor) word(w string) error {
	switch rest := c.text[c.at:]; {
	case bytes.HasPrefix(rest, []byte(w)):
		c.at += len(w)
	case bytes.HasPrefix([]byte(w), rest):
		return syntaxError(len(c.text), "the text ends within "+w)
	default:
		return c.unexpected(w)
	}
	return nil
}

// end requires that nothing but blanks is left.
func (c *jsonCursor) end() error {
	if c.peek() != 0 || c.at < len(c.text) {
		r, _ := utf8.DecodeRune(c.text[c.at:])
		return syntaxError(c.at, fmt.Sprintf("the text goes on with %q where it should end", r))
	}
	return nil
}

func (c *jsonCursor) unexpected(want string) error {
	if c.at >= len(c.text) {
		return syntaxError(len(c.text), "the text ends where "+want+" should stand")
	}
	r, _ := utf8.DecodeRune(c.text[c.at:])
	return syntaxError(c.at, fmt.Sprintf("%s is missing before %q", want, r))
}

func syntaxError(offset int, message string) *brokenError {
	return &brokenError{offset, "JSON syntax error: " + message}
}
