package snapshot

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

func recognizeQstat(h *head) int {
	if strings.HasPrefix(h.firstLine(""), "Job Id:") {
		return certain
	}
	return foreign
}

// readQstat reads qstat -f of TORQUE and PBS Professional.
func readQstat(in *input) error {
	in.snapshot.Family = "pbs"
	stanzas(in.text, func(s *stanza) {
		id, ok := strings.CutPrefix(s.name, "Job Id:")
		if !ok && s.fault == "" {
			s.fault = "a job begins with Job Id:"
		}
		in.pbsJob(s, strings.TrimSpace(id))
	})
	return nil
}

func (in *input) pbsJob(s *stanza, id string) {
	r := &record{start: s.start, end: s.end}
	r.set("job.id", schema.StringValue(id))
	(&pbsJob{stanza: s, row: r, location: in.options.Location}).cells()
	in.write(in.jobs(), r, "job.id")
}

func recognizeQstatJSON(h *head) int {
	if h.json.keys["pbs_version"] && (h.json.keys["Jobs"] || !h.json.keys["nodes"]) {
		return certain
	}
	return foreign
}

// readQstatJSON reads qstat -f -F json of PBS Professional. Its timestamp is
// when the server answered.
func readQstatJSON(in *input) error {
	in.snapshot.Family = "pbs"
	c := &jsonCursor{text: in.text}
	err := c.object(func(name []byte) error {
		switch string(name) {
		case "timestamp":
			at := c.at
			v, ok, err := jsonValue(c, schema.Timestamp)
			switch {
			case err != nil:
			case !ok || !validTime(v.Int):
				in.warn("snapshot-bad-time", at, c.at, "the timestamp %s is no time", excerpt(c.text[at:c.at])).
					Note("the time is taken from elsewhere or stays unknown")
			case v.Known():
				in.now(v.Int, nowRecorded)
			}
			return err
		case "Jobs":
			return in.ofKind(c, '{', "an object with the jobs by id", func() error {
				return c.object(func(id []byte) error { return in.qstatJob(c, string(id)) })
			})
		}
		return nil // version, server: nothing a snapshot holds
	})
	if err != nil {
		return err
	}
	return c.end()
}

func (in *input) qstatJob(c *jsonCursor, id string) error {
	s := &stanza{name: id, attributes: map[string]string{}, start: c.keyAt, end: c.at}
	return in.ofKind(c, '{', "an object with a job's attributes", func() error {
		if err := c.object(func(name []byte) error { return flatten(c, s.attributes, string(name), true) }); err != nil {
			return err
		}
		in.pbsJob(s, id)
		return nil
	})
}

// flatten writes {"Resource_List": {"mem": "4gb"}} as Resource_List.mem, the
// name that qstat -f prints.
func flatten(c *jsonCursor, into map[string]string, name string, deeper bool) error {
	switch b := c.peek(); {
	case b == '"':
		s, err := c.string()
		into[name] = s
		return err
	case b == '{' && deeper:
		return c.object(func(inner []byte) error { return flatten(c, into, name+"."+string(inner), false) })
	case b == '-' || (b >= '0' && b <= '9'):
		n, err := c.number()
		into[name] = string(n)
		return err
	}
	return c.skip()
}
