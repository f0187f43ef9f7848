package snapshot

import (
	"bytes"
	"errors"

	"github.com/fairway-sched/fairway/lang/schema"
)

// recognizeNativeLines knows JSON lines by a first object that is a job or a header.
func recognizeNativeLines(h *head) int {
	keys := h.json.keys
	if h.json.open != '{' || len(keys) == 0 {
		return foreign
	}
	if keys["id"] && len(keys) > 1 {
		job, own := schema.ObjectByName("job"), 0
		for k := range keys {
			if _, ok := nativeColumn(job, k); ok || schema.Keyed(k) {
				own++
			}
		}
		if own*2 > len(keys) {
			return likely
		}
		return foreign
	}
	if h.json.rest && onlyHeader(keys) {
		return certain
	}
	return foreign
}

func onlyHeader(keys map[string]bool) bool {
	for k := range keys {
		switch k {
		case "format_version", "now", "family", "version":
		default:
			return false
		}
	}
	return true
}

// readNativeLines reads one job per line. Since each line stands for itself, a
// broken one is a bad record; only a broken last line without its line end
// means that the file was cut short.
func readNativeLines(in *input) error {
	shape, offset := shapeOfObject("job"), 0
	for line := range bytes.Lines(in.text) {
		start := offset
		offset += len(line)
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		c := &jsonCursor{text: in.text[:offset], at: start}
		err := in.nativeLine(c, shape)
		if err == nil {
			continue
		}
		var broken *brokenError
		if line[len(line)-1] != '\n' || !errors.As(err, &broken) {
			return err
		}
		at := min(broken.offset, start+len(bytes.TrimRight(line, "\r\n")))
		in.bad("snapshot-bad-record", at, at+1, "%s", broken.message).
			Note("the whole record is left out; no value is guessed")
	}
	return nil
}

func (in *input) nativeLine(c *jsonCursor, shape *recordShape) error {
	// Look before reading: a header has no id, and a line that is broken at its
	// end must leave no row.
	probe := *c
	keys := map[string]bool{}
	if probe.peek() == '{' {
		if err := probe.object(func(key []byte) error { keys[string(key)] = true; return nil }); err != nil {
			return err
		}
		if err := probe.end(); err != nil {
			return err
		}
	}
	if len(keys) > 0 && onlyHeader(keys) {
		return c.object(func(name []byte) error { return in.nativeHeader(c, string(name)) })
	}
	if err := in.jsonRecord(c, shape, in.jobs()); err != nil {
		return err
	}
	return c.end()
}
