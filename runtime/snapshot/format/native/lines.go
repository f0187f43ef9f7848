package native

import (
	"bytes"
	"errors"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// RecognizeLines knows JSON lines by a first object that is a job or a header.
func RecognizeLines(h *format.Head) int {
	keys := h.JSON.Keys
	if h.JSON.Open != '{' || len(keys) == 0 {
		return format.Foreign
	}
	if keys["id"] && len(keys) > 1 {
		job, own := schema.ObjectByName("job"), 0
		for k := range keys {
			if _, ok := nativeColumn(job, k); ok || schema.Keyed(k) {
				own++
			}
		}
		if own*2 > len(keys) {
			return format.Likely
		}
		return format.Foreign
	}
	if h.JSON.Rest && onlyHeader(keys) {
		return format.Certain
	}
	return format.Foreign
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

// ReadLines reads one job per line. Since each line stands for itself, a
// broken one is a bad record; only a broken last line without its line end
// means that the file was cut short.
func ReadLines(in *format.Input) error {
	shape, offset := shapeOfObject("job"), 0
	for line := range bytes.Lines(in.Text) {
		start := offset
		offset += len(line)
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		c := &format.Cursor{Text: in.Text[:offset], At: start}
		err := nativeLine(in, c, shape)
		if err == nil {
			continue
		}
		var broken *format.BrokenError
		if line[len(line)-1] != '\n' || !errors.As(err, &broken) {
			return err
		}
		at := min(broken.Offset, start+len(bytes.TrimRight(line, "\r\n")))
		in.Bad("snapshot-bad-record", at, at+1, "%s", broken.Message).
			Note("the whole record is left out; no value is guessed")
	}
	return nil
}

func nativeLine(in *format.Input, c *format.Cursor, shape *format.RecordShape) error {
	// Look before reading: a header has no id, and a line that is broken at its
	// end must leave no row.
	probe := *c
	keys := map[string]bool{}
	if probe.Peek() == '{' {
		if err := probe.Object(func(key []byte) error { keys[string(key)] = true; return nil }); err != nil {
			return err
		}
		if err := probe.End(); err != nil {
			return err
		}
	}
	if len(keys) > 0 && onlyHeader(keys) {
		return c.Object(func(name []byte) error { return nativeHeader(in, c, string(name)) })
	}
	if err := in.JSONRecord(c, shape, in.Jobs()); err != nil {
		return err
	}
	return c.End()
}
