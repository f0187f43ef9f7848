package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxJSONDepth bounds nesting, as encoding/json does.
const maxJSONDepth = 10000

// Cursor walks JSON text value by value and knows the byte offset of each,
// so that diagnostics can point at it. Nothing is built for values no one asks
// for. Strictness is that of encoding/json; a fuzz test holds the two equal.
type Cursor struct {
	Text  []byte
	At    int
	KeyAt int // where the key that object handed over last begins
	depth int
}

// Peek skips blanks and returns the first byte of the next value, 0 at the end.
func (c *Cursor) Peek() byte {
	if c.At < len(c.Text) && c.Text[c.At] > ' ' {
		return c.Text[c.At]
	}
	return c.pastBlanks()
}

func (c *Cursor) pastBlanks() byte {
	for ; c.At < len(c.Text); c.At++ {
		switch b := c.Text[c.At]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// Object calls member for each key with the cursor before the value. A value
// that member leaves alone is skipped. key is valid during the call only.
func (c *Cursor) Object(member func(key []byte) error) error {
	more, err := c.begin('{', '}')
	for more {
		key, err := c.key()
		if err != nil {
			return err
		}
		before := c.At
		if err := member(key); err != nil {
			return err
		}
		if more, err = c.next('}', before); err != nil {
			return err
		}
	}
	return err
}

// key reads a key, up to its value.
func (c *Cursor) key() ([]byte, error) {
	if c.Peek() != '"' {
		return nil, c.unexpected("a key in double quotes")
	}
	keyAt := c.At
	key, err := c.StringBytes()
	if err != nil {
		return nil, err
	}
	if c.Peek() != ':' {
		return nil, c.unexpected("a colon after the key")
	}
	c.At++
	c.Peek()
	c.KeyAt = keyAt
	return key, nil
}

// Array calls element with the cursor before each element, which is skipped
// if element leaves it alone.
func (c *Cursor) Array(element func() error) error {
	more, err := c.begin('[', ']')
	for more {
		c.Peek()
		before := c.At
		if err := element(); err != nil {
			return err
		}
		if more, err = c.next(']', before); err != nil {
			return err
		}
	}
	return err
}

// begin passes the bracket that opens a value, and the one that closes an empty one.
func (c *Cursor) begin(open, closing byte) (more bool, err error) {
	if c.Peek() != open {
		return false, c.unexpected(fmt.Sprintf("%q", string(open)))
	}
	if c.depth++; c.depth > maxJSONDepth {
		return false, syntaxError(c.At, "the values are nested too deeply")
	}
	c.At++
	if c.Peek() == closing {
		c.At++
		c.depth--
		return false, nil
	}
	return true, nil
}

// next passes an item that was not read since before, and what follows it.
func (c *Cursor) next(closing byte, before int) (more bool, err error) {
	if c.At == before {
		if err := c.Skip(); err != nil {
			return false, err
		}
	}
	switch c.Peek() {
	case ',':
		c.At++
		return true, nil
	case closing:
		c.At++
		c.depth--
		return false, nil
	}
	return false, c.unexpected(fmt.Sprintf("a comma or %q", string(closing)))
}

// Skip skips one value of any kind.
func (c *Cursor) Skip() error {
	switch b := c.Peek(); {
	case b == '{':
		return c.Object(func([]byte) error { return nil })
	case b == '[':
		return c.Array(func() error { return nil })
	case b == '"':
		_, _, err := c.rawString()
		return err
	case b == 't':
		return c.Word("true")
	case b == 'f':
		return c.Word("false")
	case b == 'n':
		return c.Word("null")
	case b == '-' || (b >= '0' && b <= '9'):
		_, err := c.Number()
		return err
	}
	return c.unexpected("a value")
}

// ReadString reads a string value.
func (c *Cursor) ReadString() (string, error) {
	b, err := c.StringBytes()
	return string(b), err
}

// StringBytes reads a string without copying where it has no escapes.
func (c *Cursor) StringBytes() ([]byte, error) {
	start := c.At
	raw, plain, err := c.rawString()
	if plain || err != nil || bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return raw, err
	}
	var s string
	if err := json.Unmarshal(c.Text[start:c.At], &s); err != nil {
		return nil, syntaxError(start, "the string has a wrong escape")
	}
	return []byte(s), nil
}

// rawString skips a string and returns what is between the quotes; it is plain if it is ASCII without
// escapes.
func (c *Cursor) rawString() (raw []byte, plain bool, err error) {
	if c.At >= len(c.Text) || c.Text[c.At] != '"' {
		return nil, false, c.unexpected("a string")
	}
	text, start, all := c.Text, c.At+1, byte(0)
	plain = true
	for i := start; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"':
			c.At = i + 1
			return text[start:i], plain && all < utf8.RuneSelf, nil
		case b < 0x20:
			return nil, false, syntaxError(i, "a string has a control character")
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

// Number skips a number and returns its text.
func (c *Cursor) Number() ([]byte, error) {
	start := c.At
	digits := func() bool {
		from := c.At
		for c.At < len(c.Text) && c.Text[c.At] >= '0' && c.Text[c.At] <= '9' {
			c.At++
		}
		return c.At > from
	}
	if c.is('-') {
		c.At++
	}
	if c.is('0') {
		c.At++
	} else if !digits() {
		return nil, c.unexpected("a digit")
	}
	if c.is('.') {
		if c.At++; !digits() {
			return nil, c.unexpected("a digit")
		}
	}
	if c.is('e') || c.is('E') {
		c.At++
		if c.is('+') || c.is('-') {
			c.At++
		}
		if !digits() {
			return nil, c.unexpected("a digit")
		}
	}
	return c.Text[start:c.At], nil
}

func (c *Cursor) is(b byte) bool { return c.At < len(c.Text) && c.Text[c.At] == b }

func (c *Cursor) Word(w string) error {
	switch rest := c.Text[c.At:]; {
	case bytes.HasPrefix(rest, []byte(w)):
		c.At += len(w)
	case bytes.HasPrefix([]byte(w), rest):
		return syntaxError(len(c.Text), "the text ends within "+w)
	default:
		return c.unexpected(w)
	}
	return nil
}

// End requires that nothing but blanks is left.
func (c *Cursor) End() error {
	if c.Peek() != 0 || c.At < len(c.Text) {
		r, _ := utf8.DecodeRune(c.Text[c.At:])
		return syntaxError(c.At, fmt.Sprintf("the text goes on with %q where it should end", r))
	}
	return nil
}

func (c *Cursor) unexpected(want string) error {
	if c.At >= len(c.Text) {
		return syntaxError(len(c.Text), "the text ends where "+want+" is expected")
	}
	r, _ := utf8.DecodeRune(c.Text[c.At:])
	return syntaxError(c.At, fmt.Sprintf("%s is missing before %q", want, r))
}

func syntaxError(offset int, message string) *BrokenError {
	return &BrokenError{offset, "JSON syntax error: " + message}
}

// Keys are the keys of objects that one program writes: an object mostly has the keys of the one before it, in their
// order and with the same blanks. That is compared as a whole, and only what differs is read as JSON.
type Keys[M any] struct {
	Find func(key []byte) M // what a key means; the cursor is before its value

	known  map[string]*knownKey[M]
	before knownKey[M] // the first key comes after it
}

// mostKeys is more than the records of any program have; what has more keys is not kept.
const mostKeys = 1 << 12

type knownKey[M any] struct {
	means M
	lead  []byte       // from the end of what is before it to its value; nil for one that is not kept
	keyAt int          // where the key begins in that
	then  *knownKey[M] // what came after it last
}

// Object calls member for each member of an object, with the cursor before the value. A value that member leaves alone
// is skipped. FuzzKeys holds it equal to Cursor.Object.
func (k *Keys[M]) Object(c *Cursor, member func(M) error) error {
	last := &k.before
	more, err := c.begin('{', '}')
	for more {
		key := last.then
		if key != nil && bytes.HasPrefix(c.Text[c.At:], key.lead) {
			c.KeyAt = c.At + key.keyAt
			c.At += len(key.lead)
			c.Peek()
		} else {
			if key, err = k.find(c); err != nil {
				return err
			}
			if key.lead != nil {
				last.then = key
			}
		}
		before := c.At
		if err := member(key.means); err != nil {
			return err
		}
		if more, err = c.next('}', before); err != nil {
			return err
		}
		last = key
	}
	return err
}

// find reads a key as JSON.
func (k *Keys[M]) find(c *Cursor) (*knownKey[M], error) {
	start := c.At
	name, err := c.key()
	if err != nil {
		return nil, err
	}
	key := k.known[string(name)]
	if key == nil {
		key = &knownKey[M]{means: k.Find(name)}
		if len(k.known) == mostKeys {
			return key, nil
		}
		if k.known == nil {
			k.known = map[string]*knownKey[M]{}
		}
		k.known[string(name)] = key
	}
	key.lead, key.keyAt = c.Text[start:c.At], c.KeyAt-start
	return key, nil
}

// Again passes a value if it is written like an earlier one, which was read as JSON.
func (c *Cursor) Again(earlier []byte) bool {
	end := c.At + len(earlier)
	if len(earlier) == 0 || end >= len(c.Text) || !bytes.HasPrefix(c.Text[c.At:], earlier) {
		return false
	}
	switch c.Text[end] {
	case ',', '}', ']', ' ', '\t', '\n', '\r': // else a number goes on
		c.At = end
		return true
	}
	return false
}
