package snapshot

import (
	"bytes"
	"path"
	"strings"
)

// headBytes is how much of a file is looked at to tell its format: enough for
// the first record of the longest kind, a Slurm job of some 10 kB.
const headBytes = 64 << 10

// head is the beginning of a file as formats see it when they are asked
// whether it is theirs.
type head struct {
	name string // as given; only a hint
	text []byte
	json jsonShape
}

// jsonShape is what the beginning of a JSON text shows.
type jsonShape struct {
	open   byte            // '{' or '[', 0 for what is no JSON document
	keys   map[string]bool // keys of the outermost object
	record map[string]bool // keys of the first object in the outermost array, or in an array that is a member of the outermost object
	rest   bool            // more text follows the first value, as in JSON lines
}

func newHead(name string, text []byte) *head {
	h := &head{name: name, text: text[:min(len(text), headBytes)]}
	h.json = shapeOf(h.text)
	return h
}

// base is the file name without folders and .gz.
func (h *head) base() string { return strings.TrimSuffix(path.Base(h.name), ".gz") }

// firstLine is the first line that is neither empty nor starts with comment.
func (h *head) firstLine(comment string) string {
	for line := range bytes.Lines(h.text) {
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
	shape := jsonShape{keys: map[string]bool{}, record: map[string]bool{}}
	c := &jsonCursor{text: text}
	firstRecord := func() error {
		return c.array(func() error {
			if c.peek() == '{' && len(shape.record) == 0 {
				return c.object(func(key []byte) error { shape.record[string(key)] = true; return nil })
			}
			return nil
		})
	}
	var err error
	switch shape.open = c.peek(); shape.open {
	case '{':
		err = c.object(func(key []byte) error {
			shape.keys[string(key)] = true
			if c.peek() == '[' && len(shape.record) == 0 {
				return firstRecord()
			}
			return nil
		})
	case '[':
		err = firstRecord()
	default:
		shape.open = 0
	}
	shape.rest = err == nil && shape.open != 0 && c.peek() != 0
	return shape
}
