// Package native reads and writes Fairway's own form of a snapshot: JSON, JSON lines and CSV whose names are the
// columns
// of lang/schema.
package native

import (
	"bytes"
	"errors"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// formatVersion is the version of the native form this package writes.
const formatVersion = 1

// nativeMembers are the members of the native form.
var nativeMembers = []string{"format_version", "now", "family", "version", "jobs", "nodes", "reservations",
	"licenses", "credentials", "usage", "sprio"}

// RecognizeJSON tells the native form from other documents with jobs: by
// its version, or by having no member that is not its own. A result of eval
// and the manifest of a capture have a version too, but are no snapshot.
func RecognizeJSON(h *format.Head) int {
	if h.JSON.Open != '{' || h.JSON.Rest || h.JSON.Keys["policy"] || h.JSON.Keys["commands"] {
		return format.Foreign
	}
	if h.JSON.Keys["format_version"] {
		return format.Certain
	}
	own := 0
	for _, m := range nativeMembers {
		if h.JSON.Keys[m] {
			own++
		}
	}
	named := len(h.JSON.Record) == 0 || h.JSON.Record["id"] || h.JSON.Record["name"] || h.JSON.Record["start_time"]
	if own > 0 && own == len(h.JSON.Keys) && named {
		return format.Likely
	}
	return format.Foreign
}

// ReadJSON reads {format_version, now, family, version, jobs, nodes, reservations,
// licenses, credentials, usage, sprio}, each member optional.
func ReadJSON(in *format.Input) error {
	c := &format.Cursor{Text: in.Text}
	if err := c.Object(func(name []byte) error { return nativeMember(in, c, string(name)) }); err != nil {
		return err
	}
	return c.End()
}

func nativeMember(in *format.Input, c *format.Cursor, name string) error {
	switch name {
	case "jobs":
		return nativeRows(in, c, shapeOfObject("job"), in.Jobs)
	case "nodes":
		return nativeRows(in, c, shapeOfObject("node"), in.Nodes)
	case "reservations":
		return nativeRows(in, c, shapeOfObject("reservation"), in.Reservations)
	case "licenses":
		return nativeRows(in, c, shapeOfObject("license"), in.Licenses)
	case "sprio":
		return nativeRows(in, c, sprioShape, in.Sprio)
	case "credentials":
		return nativeCredentials(in, c)
	case "usage":
		return nativeUsage(in, c)
	}
	return nativeHeader(in, c, name)
}

// nativeHeader reads the members that JSON lines may have too.
func nativeHeader(in *format.Input, c *format.Cursor, name string) error {
	at, nameAt := c.At, c.KeyAt+1
	switch name {
	case "format_version":
		v, ok, err := format.JSONValue(c, schema.Int)
		if err == nil && (!ok || v.Int != formatVersion) {
			in.Diags.Errorf("snapshot-format-version", in.File.Span(at, c.At), "the format version %s is not known",
				format.Excerpt(c.Text[at:c.At])).
				Note("this program reads version %d; a newer one wrote the file", formatVersion)
			return format.ErrStop
		}
		return err
	case "now":
		v, ok, err := format.JSONValue(c, schema.Timestamp)
		switch {
		case err != nil:
			return err
		case !ok || v.Known() && !format.ValidTime(v.Int):
			in.Bad("snapshot-bad-time", at, c.At, "the time %s of the snapshot is no time",
				format.Excerpt(c.Text[at:c.At])).
				Note("write seconds (not milliseconds) since 1970 or RFC 3339, such as 2023-11-14T22:13:20Z")
		case v.Known():
			in.Now(v.Int, format.NowStated)
		}
		return nil
	case "family", "version":
		v, ok, err := format.JSONValue(c, schema.String)
		switch {
		case err != nil:
			return err
		case !ok:
			in.Bad("snapshot-bad-record", at, c.At, "%q should be a string, not %s", name,
				format.Excerpt(c.Text[at:c.At])).
				Note("the member is left out")
		case name == "family":
			in.Snapshot.Family = v.Str
		default:
			in.Snapshot.Version = v.Str
		}
		return nil
	}
	in.UnknownField(name, nameAt, nativeMembers)
	return nil
}

// nativeRows reads a list of records; null is the empty list, as many programs write it.
func nativeRows(in *format.Input, c *format.Cursor, shape *format.RecordShape, rows func() *column.Builder) error {
	if c.Peek() == 'n' {
		rows()
	}
	return in.OfKind(c, '[', "an array of objects", func() error {
		b := rows()
		return c.Array(func() error { return in.JSONRecord(c, shape, b) })
	})
}

func nativeCredentials(in *format.Input, c *format.Cursor) error {
	return in.OfKind(c, '{', "an object with an array for each kind of credential", func() error {
		return c.Object(func(name []byte) error {
			o := schema.ObjectByName(string(name))
			if o == nil || o.Key == "" {
				in.UnknownField(string(name), c.KeyAt+1, credentialNames())
				return nil
			}
			return nativeRows(in, c, shapeOfObject(o.Name), func() *column.Builder { return in.Credentials(o.Name) })
		})
	})
}

func credentialNames() []string {
	var names []string
	for _, o := range schema.Objects {
		if o.Key != "" {
			names = append(names, o.Name)
		}
	}
	return names
}

// nativeUsage reads fairshare windows: {start_time, total, usage: {user: {amy: 1.5}}}, and in
// passed, likewise, what Maui would ignore.
func nativeUsage(in *format.Input, c *format.Cursor) error {
	return in.OfKind(c, '[', "an array of fairshare windows", func() error {
		return c.Array(func() error {
			w := format.UsageWindow{Usage: map[string]map[string]float64{}}
			r := in.Begin(c.At, c.At+1)
			var start, total, passed, ignored schema.Value
			err := in.OfKind(c, '{', "a fairshare window", func() error {
				return c.Object(func(name []byte) error {
					if string(name) == "passed" {
						return in.OfKind(c, '{', "an object with total and usage", func() error {
							w.Passed.Usage = map[string]map[string]float64{}
							return c.Object(func(name []byte) error {
								return usageMember(in, c, r, w.Passed.Usage, string(name), &ignored, &passed)
							})
						})
					}
					return usageMember(in, c, r, w.Usage, string(name), &start, &total)
				})
			})
			if err != nil {
				return err
			}
			if !start.Known() {
				r.Fail(r.Start, r.End, "the fairshare window has no start_time")
			}
			if r.Fault != "" {
				in.BadRecord(r)
				return nil
			}
			in.Record()
			w.StartTime, w.Total, w.Passed.Total = start.Int, total.Double, passed.Double
			in.Snapshot.Usage = format.MergeUsage(in.Snapshot.Usage, []format.UsageWindow{w}, column.LaterWins)
			return nil
		})
	})
}

func usageMember(in *format.Input, c *format.Cursor, r *format.Record, usage map[string]map[string]float64, name string,
	start, total *schema.Value) error {
	read := func(v *schema.Value, t schema.Type) (err error) {
		at, ok := c.At, false
		if *v, ok, err = format.JSONValue(c, t); err == nil && !ok {
			r.Fail(at, c.At, name+" should be "+format.Wanted(t)+", not "+format.Excerpt(c.Text[at:c.At]))
		}
		return err
	}
	switch name {
	case "start_time":
		return read(start, schema.Timestamp)
	case "total":
		return read(total, schema.Double)
	case "usage":
	default:
		in.UnknownField(name, c.KeyAt+1, []string{"passed", "start_time", "total", "usage"})
		return nil
	}
	return in.OfKind(c, '{', "an object with usage by kind of credential", func() error {
		return c.Object(func(kind []byte) error {
			k := string(kind)
			usage[k] = map[string]float64{}
			return in.OfKind(c, '{', "an object with a number for each credential", func() error {
				return c.Object(func(credential []byte) error {
					at, who := c.At, string(credential)
					v, ok, err := format.JSONValue(c, schema.Double)
					if err == nil && (!ok || !v.Known()) {
						r.Fail(at, c.At, "the usage of "+strings.TrimSpace(k+" "+who)+" should be a number")
					}
					usage[k][who] = v.Double
					return err
				})
			})
		})
	})
}

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
