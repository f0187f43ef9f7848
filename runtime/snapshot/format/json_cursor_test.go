package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// FuzzJSONCursor: the cursor accepts what encoding/json accepts, and reads the same strings.
func FuzzJSONCursor(f *testing.F) {
	for _, seed := range []string{
		`{"a": [1, -0.5e+3, "x\u00e9\n\"", true, false, null, {}], "b": {"c": []}} `,
		`01`, `-`, `1.`, `1e`, `"\x"`, `"\ud800"`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `[1 2]`, `tru`, "\"\t\"", "", " ", "[",
		`"a`, "1 2", "\x00",
		"\"\xff\"", strings.Repeat("[", 10001), `{"a":{"a":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &Cursor{Text: text}
		err := c.Skip()
		if err == nil {
			err = c.End()
		}
		if valid := json.Valid(text); valid != (err == nil) {
			t.Fatalf("encoding/json says %v, the cursor %v", valid, err)
		}
		var want string
		if json.Unmarshal(text, &want) != nil || text[0] == 'n' || !strings.HasPrefix(strings.TrimSpace(string(text)), `"`) {
			return
		}
		c = &Cursor{Text: text}
		c.Peek()
		if got, err := c.ReadString(); err != nil || got != want {
			t.Fatalf("got %q, %v; want %q", got, err, want)
		}
	})
}

// TestCursorSkipsWhatIsLeft: members nobody reads are passed over, and keys have places.
func TestCursorSkipsWhatIsLeft(t *testing.T) {
	c := &Cursor{Text: []byte(` {"a": {"x": [1, {"y": 2}]}, "b": "two", "c": [3]} `)}
	var seen []string
	err := c.Object(func(key []byte) error {
		seen = append(seen, string(key)+string(c.Text[c.KeyAt]))
		if string(key) != "b" {
			return nil
		}
		s, err := c.ReadString()
		seen = append(seen, s)
		return err
	})
	if got := strings.Join(seen, " "); err != nil || got != `a" b" two c"` {
		t.Error(got, err)
	}
	if err := c.End(); err != nil {
		t.Error(err)
	}
}

// FuzzKeys: objects of a list have the same members, in the same places, whether or not they are read by the keys of
// the ones before them; and a value that is written like an earlier one ends where it ends as JSON.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{
		`[{"a":1,"b":[2]},{"a":12,"b":[2]},{"a":1,"c":{},"b":[2]},{"b":0,"a":1,"a":1}]`,
		"[{\n \"a\": 1,\n \"b\": 2\n},{\n \"a\": 1,\n \"b\": 2\n},{ \"b\":2 ,\"a\" : 1}]",
		`[{"a":tru},{"a":tru}]`, `[{},{"\u0061":1},{"a":1},{"a"`, `[{"a":1,"b":2},{"a":1 "b":2}]`, `[{"a":1},{"a":1,}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		plain, err := readMembers(text, (*Cursor).Object)
		var c *Cursor
		type named struct {
			name    string
			earlier []byte
		}
		keys := &Keys[*named]{Find: func(key []byte) *named { return &named{name: string(key)} }}
		byKeys, errByKeys := readMembers(text, func(now *Cursor, member func([]byte) error) error {
			c = now
			return keys.Object(c, func(m *named) error {
				at, keyAt := c.At, c.KeyAt
				if c.Again(m.earlier) {
					skipped := *c
					if skipped.At = at; skipped.Skip() != nil || skipped.At != c.At {
						t.Fatalf("%s ends at %d, as JSON at %d", m.earlier, c.At, skipped.At)
					}
				} else if err := c.Skip(); err == nil {
					m.earlier = c.Text[at:c.At]
				}
				c.At, c.KeyAt = at, keyAt
				return member([]byte(m.name))
			})
		})
		if plain != byKeys || fmt.Sprint(err) != fmt.Sprint(errByKeys) {
			t.Fatalf("%s\n%v\nby keys:\n%s\n%v", plain, err, byKeys, errByKeys)
		}
	})
}

// readMembers lists the members of the objects of a list: where each has its key and its value.
func readMembers(text []byte, object func(*Cursor, func([]byte) error) error) (string, error) {
	var read strings.Builder
	c := &Cursor{Text: text}
	err := c.Array(func() error {
		if c.Peek() != '{' {
			return nil
		}
		return object(c, func(key []byte) error {
			fmt.Fprintf(&read, "%q %d %d\n", key, c.KeyAt, c.At)
			return nil
		})
	})
	return read.String(), err
}
