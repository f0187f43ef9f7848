package format

import (
	"encoding/json"
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
