package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// formatVersion is the version of the native form this package writes.
const formatVersion = 1

// nativeMembers are the members of the native form.
var nativeMembers = []string{"format_version", "now", "family", "version", "jobs", "nodes", "reservations", "licenses", "credentials", "usage", "sprio"}

// recognizeNativeJSON tells the native form from other documents with jobs: by
// its version, or by having no member that is not its own. A result of eval
// and the manifest of a capture have a version too, but are no snapshot.
func recognizeNativeJSON(h *head) int {
	if h.json.open != '{' || h.json.rest || h.json.keys["policy"] || h.json.keys["commands"] {
		return foreign
	}
	if h.json.keys["format_version"] {
		return certain
	}
	own := 0
	for _, m := range nativeMembers {
		if h.json.keys[m] {
			own++
		}
	}
	named := len(h.json.record) == 0 || h.json.record["id"] || h.json.record["name"] || h.json.record["start_time"]
	if own > 0 && own == len(h.json.keys) && named {
		return likely
	}
	return foreign
}

// readNativeJSON reads {format_version, now, family, version, jobs, nodes, reservations,
// licenses, credentials, usage, sprio}, each member optional.
func readNativeJSON(in *input) error {
	c := &jsonCursor{text: in.text}
	if err := c.object(func(name []byte) error { return in.nativeMember(c, string(name)) }); err != nil {
		return err
	}
	return c.end()
}

func (in *input) nativeMember(c *jsonCursor, name string) error {
	switch name {
	case "jobs":
		return in.nativeRows(c, shapeOfObject("job"), in.jobs)
	case "nodes":
		return in.nativeRows(c, shapeOfObject("node"), in.nodes)
	case "reservations":
		return in.nativeRows(c, shapeOfObject("reservation"), in.reservations)
	case "licenses":
		return in.nativeRows(c, shapeOfObject("license"), in.licenses)
	case "sprio":
		return in.nativeRows(c, sprioShape, in.sprio)
	case "credentials":
		return in.nativeCredentials(c)
	case "usage":
		return in.nativeUsage(c)
	}
	return in.nativeHeader(c, name)
}

// nativeHeader reads the members that JSON lines may have too.
func (in *input) nativeHeader(c *jsonCursor, name string) error {
	at, nameAt := c.at, c.keyAt+1
	switch name {
	case "format_version":
		v, ok, err := jsonValue(c, schema.Int)
		if err == nil && (!ok || v.Int != formatVersion) {
			in.diags.Errorf("snapshot-format-version", in.file.Span(at, c.at), "the format version %s is not known", excerpt(c.text[at:c.at])).
				Note("this program reads version %d; a newer one wrote the file", formatVersion)
			return errStop
		}
		return err
	case "now":
		v, ok, err := jsonValue(c, schema.Timestamp)
		switch {
		case err != nil:
			return err
		case !ok || v.Known() && !validTime(v.Int):
			in.bad("snapshot-bad-time", at, c.at, "the time %s of the snapshot is no time", excerpt(c.text[at:c.at])).
				Note("write seconds (not milliseconds) since 1970 or RFC 3339, such as 2023-11-14T22:13:20Z")
		case v.Known():
			in.now(v.Int, nowStated)
		}
		return nil
	case "family", "version":
		v, ok, err := jsonValue(c, schema.String)
		switch {
		case err != nil:
			return err
		case !ok:
			in.bad("snapshot-bad-record", at, c.at, "%q should be a string, not %s", name, excerpt(c.text[at:c.at])).
				Note("the member is left out")
		case name == "family":
			in.snapshot.Family = v.Str
		default:
			in.snapshot.Version = v.Str
		}
		return nil
	}
	in.unknownField(name, nameAt, nativeMembers)
	return nil
}

// nativeRows reads a list of records; null is the empty list, as many programs write it.
func (in *input) nativeRows(c *jsonCursor, shape *recordShape, rows func() *column.Builder) error {
	if c.peek() == 'n' {
		rows()
	}
	return in.ofKind(c, '[', "an array of objects", func() error {
		b := rows()
		return c.array(func() error { return in.jsonRecord(c, shape, b) })
	})
}

func (in *input) nativeCredentials(c *jsonCursor) error {
	return in.ofKind(c, '{', "an object with an array for each kind of credential", func() error {
		return c.object(func(name []byte) error {
			o := schema.ObjectByName(string(name))
			if o == nil || o.Key == "" {
				in.unknownField(string(name), c.keyAt+1, credentialNames())
				return nil
			}
			return in.nativeRows(c, shapeOfObject(o.Name), func() *column.Builder { return in.credentials(o.Name) })
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
// passed, likewise, what Maui would pass over.
func (in *input) nativeUsage(c *jsonCursor) error {
	return in.ofKind(c, '[', "an array of fairshare windows", func() error {
		return c.array(func() error {
			w := UsageWindow{Usage: map[string]map[string]float64{}}
			r := &record{start: c.at, end: c.at + 1}
			err := in.ofKind(c, '{', "a fairshare window", func() error {
				return c.object(func(name []byte) error {
					if string(name) == "passed" {
						return in.ofKind(c, '{', "an object with total and usage", func() error {
							w.Passed.Usage = map[string]map[string]float64{}
							return c.object(func(name []byte) error { return in.usageMember(c, r, "passed.", w.Passed.Usage, string(name)) })
						})
					}
					return in.usageMember(c, r, "usage.", w.Usage, string(name))
				})
			})
			if err != nil {
				return err
			}
			start := r.get("usage.start_time")
			if !start.Known() {
				r.fail(r.start, r.end, "the fairshare window has no start_time")
			}
			if r.fault != "" {
				in.badRecord(r)
				return nil
			}
			in.record()
			w.StartTime, w.Total, w.Passed.Total = start.Int, r.get("usage.total").Double, r.get("passed.total").Double
			in.snapshot.Usage = mergeUsage(in.snapshot.Usage, []UsageWindow{w}, laterWins)
			return nil
		})
	})
}

func (in *input) usageMember(c *jsonCursor, r *record, prefix schema.ColumnID, usage map[string]map[string]float64, name string) error {
	at := c.at
	t := map[string]schema.Type{"start_time": schema.Timestamp, "total": schema.Double}[name]
	switch {
	case t != schema.Invalid:
		v, ok, err := jsonValue(c, t)
		if err == nil && !ok {
			r.fail(at, c.at, name+" should be "+wanted(t)+", not "+excerpt(c.text[at:c.at]))
		}
		r.set(prefix+schema.ColumnID(name), v)
		return err
	case name != "usage":
		in.unknownField(name, c.keyAt+1, []string{"passed", "start_time", "total", "usage"})
		return nil
	}
	return in.ofKind(c, '{', "an object with usage by kind of credential", func() error {
		return c.object(func(kind []byte) error {
			k := string(kind)
			usage[k] = map[string]float64{}
			return in.ofKind(c, '{', "an object with a number for each credential", func() error {
				return c.object(func(credential []byte) error {
					at, who := c.at, string(credential)
					v, ok, err := jsonValue(c, schema.Double)
					if err == nil && (!ok || !v.Known()) {
						r.fail(at, c.at, "the usage of "+strings.TrimSpace(k+" "+who)+" should be a number")
					}
					usage[k][who] = v.Double
					return err
				})
			})
		})
	})
}
