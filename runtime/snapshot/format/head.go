package format

import (
	"bytes"
	"path"
	"strings"
)

// HeadBytes is how much of a file is looked at to tell its format: enough for
// the first record of the longest kind, a Slurm job of some 10 kB.
const HeadBytes = 64 << 10

// Head is the beginning of a file as formats see it when they are asked
// whether it is theirs.
type Head struct {
	Name string // as given; only a hint
	Text []byte
	JSON jsonShape
}

// jsonShape is what the beginning of a JSON text shows.
type jsonShape struct {
	Open byte            // '{' or '[', 0 for what is no JSON document
	Keys map[string]bool // keys of the outermost object
	// keys of the first object in the outermost array, or in an array that is a member of the outermost object
	Record map[string]bool
	Rest   bool // more text follows the first value, as in JSON lines
}

func NewHead(name string, text []byte) *Head {
	h := &Head{Name: name, Text: text[:min(len(text), HeadBytes)]}
	h.JSON = shapeOf(h.Text)
	return h
}

// Base is the file name without folders and .gz.
func (h *Head) Base() string { return strings.TrimSuffix(path.Base(h.Name), ".gz") }

// FirstLine is the first line that is neither empty nor starts with comment.
func (h *Head) FirstLine(comment string) string {
	for line := range bytes.Lines(h.Text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && (comment == "" || !bytes.HasPrefix(line, []byte(comment))) {
			return string(line)
		}
	}
	return ""
}

// shapeOf walks as far as the text goes; that it is cut off somewhere is no
// fault here.
func shapeOf(text []byte) jsonShape {
	shape := jsonShape{Keys: map[string]bool{}, Record: map[string]bool{}}
	c := &Cursor{Text: text}
	firstRecord := func() error {
		return c.Array(func() error {
			if c.Peek() == '{' && len(shape.Record) == 0 {
				return c.Object(func(key []byte) error { shape.Record[string(key)] = true; return nil })
			}
			return nil
		})
	}
	var err error
	switch shape.Open = c.Peek(); shape.Open {
	case '{':
		err = c.Object(func(key []byte) error {
			shape.Keys[string(key)] = true
			if c.Peek() == '[' && len(shape.Record) == 0 {
				return firstRecord()
			}
			return nil
		})
	case '[':
		err = firstRecord()
	default:
		shape.Open = 0
	}
	shape.Rest = err == nil && shape.Open != 0 && c.Peek() != 0
	return shape
}
