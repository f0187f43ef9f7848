package slurm

import (
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// jsonMember is a member of a record in JSON, or an object with members: some are strings in old versions and objects
// in new ones.
type jsonMember struct {
	slot  slot
	path  string
	read  jsonKind // nil for an object alone, and for a member that is skipped
	inner map[string]*jsonMember
	keys  *format.Keys[*jsonMember] // of inner

	text  []byte // the value of a record before, as it is written, if there is nothing wrong with it
	value schema.Value
	tres  slurmtext.TRESList
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

// object reads the members of an object.
func (m *jsonMember) object(c *slurmJSON, r *slurmRecord) error {
	if m.keys == nil {
		m.keys = &format.Keys[*jsonMember]{Find: func(key []byte) *jsonMember {
			if known := m.inner[string(key)]; known != nil {
				return known
			}
			return &jsonMember{}
		}}
	}
	return m.keys.Object(c.Cursor, func(m *jsonMember) error { return c.member(r, m) })
}

// member reads what the cursor is at as a member of a record.
func (c *slurmJSON) member(r *slurmRecord, m *jsonMember) error {
	switch {
	case m.inner != nil && (m.read == nil || c.Peek() != '"'):
		if c.Peek() != '{' {
			return c.Skip()
		}
		return m.object(c, r)
	case m.read == nil:
		return m.skip(c)
	}
	r.at.Start, c.reads = c.At, m
	err := m.read(c, r, m.slot, m.path)
	if i := r.places[m.slot]; i > 0 {
		r.cells[i-1].at.End = c.At
	}
	return err
}

func (m *jsonMember) skip(c *slurmJSON) error {
	at := c.At
	if c.Again(m.text) {
		return nil
	}
	err := c.Skip()
	if err == nil {
		m.text = c.Text[at:c.At]
	}
	return err
}

// like reads a value that says all of its field, unless it is written as in a record before.
func (c *slurmJSON) like(field string, read func(*slurmJSON, string) (schema.Value, error)) (schema.Value, error) {
	m, at := c.reads, c.At
	if c.Again(m.text) {
		return m.value, nil
	}
	v, err := read(c, field)
	if err == nil && c.fault == nil {
		v.List = slices.Clip(v.List)
		m.text, m.value = c.Text[at:c.At], v
	}
	return v, err
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
	r := &slurmRecord{in: in}
	return func() error {
		start := c.At
		c.fault = nil
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
		if err := root.object(c, r); err != nil {
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

// limitedMembers are the members of QOS or associations with those that limit something.
func limitedMembers(o *slurmObject, limits string) *jsonMember {
	root := o.fields.members("json")
	limitNames.each(limits, func(s slot, path, _ string) {
		name := limitNames.lines[s][0]
		root.add(path, 0, func(c *slurmJSON, r *slurmRecord, _ slot, path string) error {
			r.limits.stated = true
			if c.Peek() == '[' {
				list, err := c.tresList(path)
				for _, t := range list {
					r.limits.add(name, t.Name, t.Count)
				}
				return err
			}
			n, err := c.integer(path)
			if n.Known() {
				r.limits.add(name, "", n.Int)
			}
			return err
		})
	})
	return root
}

// jsonQOSFlags are the flags whose names in JSON are others than in sacctmgr.
var jsonQOSFlags = map[string]string{
	"PARTITION_MINIMUM_NODE": "PartitionMinNodes", "PARTITION_MAXIMUM_NODE": "PartitionMaxNodes",
	"PARTITION_TIME_LIMIT":    "PartitionTimeLimit",
	"ENFORCE_USAGE_THRESHOLD": "EnforceUsageThreshold", "NO_RESERVE": "NoReserve",
	"REQUIRED_RESERVATION": "RequiresReservation", "DENY_LIMIT": "DenyOnLimit",
	"OVERRIDE_PARTITION_QOS": "OverPartQOS", "NO_DECAY": "NoDecay", "USAGE_FACTOR_SAFE": "UsageFactorSafe",
	"RELATIVE": "Relative",
}

// qosFlags reads flags under the names that sacctmgr has for them.
func (c *slurmJSON) qosFlags(field string) (schema.Value, error) {
	flags, err := c.commaList(field)
	for i, f := range flags.List {
		if name, ok := jsonQOSFlags[strings.ToUpper(f)]; ok {
			flags.List[i] = name
		}
	}
	return flags, err
}
