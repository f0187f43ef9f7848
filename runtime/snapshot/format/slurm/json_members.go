package slurm

import (
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// jsonMember is a member of a record in JSON, or an object with members: some are strings in old versions and objects
// in new ones.
type jsonMember struct {
	slot  slot
	path  string
	read  jsonKind // nil for an object alone
	inner map[string]*jsonMember
}

// members are the fields of an output in JSON by their paths.
func (t *fieldTable) members(output string) *jsonMember {
	root := &jsonMember{inner: map[string]*jsonMember{}}
	t.each(output, func(s slot, path, kind string) { root.add(path, s, kinds[kind].json) })
	return root
}

func (m *jsonMember) add(path string, s slot, read jsonKind) {
	for name := range strings.SplitSeq(path, ".") {
		if m.inner == nil {
			m.inner = map[string]*jsonMember{}
		}
		if m.inner[name] == nil {
			m.inner[name] = &jsonMember{}
		}
		m = m.inner[name]
	}
	m.slot, m.path, m.read = s, path, read
}

// member reads what the cursor is at as a member of a record.
func (c *slurmJSON) member(r *slurmRecord, m *jsonMember) error {
	switch {
	case m == nil:
		return nil
	case m.inner != nil && (m.read == nil || c.Peek() != '"'):
		return c.members(func(key []byte) error { return c.member(r, m.inner[string(key)]) })
	}
	r.at.Start = c.At
	err := m.read(c, r, m.slot, m.path)
	if i := r.places[m.slot]; i > 0 {
		r.cells[i-1].at.End = c.At
	}
	return err
}

// memberOrder is the members that a record has, in their order: the next one mostly has the same.
type memberOrder struct {
	keys    []string
	members []*jsonMember
	at      int
}

func (o *memberOrder) find(root *jsonMember, key []byte) *jsonMember {
	if o.at < len(o.keys) && o.keys[o.at] == string(key) {
		o.at++
		return o.members[o.at-1]
	}
	m := root.inner[string(key)]
	if o.at == len(o.keys) && len(o.keys) < maxFields*4 {
		o.keys, o.members = append(o.keys, string(key)), append(o.members, m)
		o.at++
	}
	return m
}

// slurmRecords reads a list of records, and hands over each that has no fault.
func (c *slurmJSON) slurmRecords(in *format.Input, root *jsonMember, done func(*slurmRecord) error) error {
	read := c.recordReader(in, root, done)
	switch c.Peek() {
	case '[':
		return c.Array(read)
	case 'n':
		return c.Word("null")
	}
	return &format.BrokenError{Offset: c.At, Message: "a list of records is expected here"}
}

// recordReader reads one record. One with a fault is reported and done is not called for it; done may find a fault of
// its own.
func (c *slurmJSON) recordReader(in *format.Input, root *jsonMember, done func(*slurmRecord) error) func() error {
	r, order := &slurmRecord{in: in}, &memberOrder{}
	member := func(key []byte) error { return c.member(r, order.find(root, key)) }
	return func() error {
		start := c.At
		c.fault, order.at = nil, 0
		r.reset()
		if c.Peek() != '{' {
			if err := c.Skip(); err != nil {
				return err
			}
			found := format.Excerpt(c.Text[start:c.At])
			in.Bad("snapshot-bad-record", start, c.At, "an object is expected here, not %s", found).
				Note("it is left out")
			return nil
		}
		if err := c.Object(member); err != nil {
			return err
		}
		if r.at = (format.Place{Start: start, End: start + 1}); c.fault == nil {
			if err := done(r); err != nil {
				c.fault, c.faultAt = err, start
			}
		}
		if c.fault != nil {
			in.Bad("snapshot-bad-record", c.faultAt, c.faultAt+1, "%s", c.fault).
				Note("the whole record is left out; no value is guessed")
		}
		return nil
	}
}

// partitionPriorities reads what slurmctld keeps for each partition of a job, as PARTITION=NUMBER; empty for a job of
// one partition.
func (c *slurmJSON) partitionPriorities(r *slurmRecord, s slot, field string) error {
	if c.Peek() != '[' {
		return c.Skip()
	}
	var list []string
	err := c.Array(func() error {
		var partition, priority schema.Value
		err := c.members(func(key []byte) (err error) {
			switch string(key) {
			case "partition":
				partition, err = c.words(field)
			case "priority":
				priority, err = c.integer(field)
			}
			return err
		})
		if partition.Str != "" && priority.Known() {
			list = append(list, partition.Str+"="+itoa(priority.Int))
		}
		return err
	})
	if r.forget(s); len(list) > 0 {
		r.setList(s, list)
	}
	return err
}

// identifier reads an id that is written as a number or as a string.
func (c *slurmJSON) identifier(r *slurmRecord, s slot, field string) error {
	if c.Peek() == '"' {
		w, err := c.words(field)
		r.setText(s, w.Str)
		return err
	}
	at := c.At
	n, err := c.integer(field)
	if err == nil && !n.Known() {
		c.fail(field, at, "%s is no id", format.Excerpt(c.Text[at:c.At]))
	}
	r.setText(s, itoa(n.Int))
	return err
}

// members reads an object, or null as an empty one; anything else is ignored.
func (c *slurmJSON) members(member func(key []byte) error) error {
	if c.Peek() != '{' {
		return c.Skip()
	}
	return c.Object(member)
}
