package snapshot

import (
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// The JSON of squeue, sinfo, scontrol, sacct, sacctmgr, sshare and slurmrestd
// is one object whose list has the name of what it lists; `sacctmgr`'s QOS was
// QOS once.
func recognizeSlurmJSON(list, member string) func(*head) int {
	return func(h *head) int {
		switch keys := h.json.keys; {
		case !keys[list] || h.json.rest || keys["format_version"]:
			return foreign
		case h.json.record[member]:
			return certain
		case keys["meta"] && !h.json.record["time"]: // the list is empty, so the first record is another's
			return likely
		}
		return foreign
	}
}

func recognizeQOSJSON(h *head) int {
	return max(recognizeSlurmJSON("qos", "usage_factor")(h), recognizeSlurmJSON("QOS", "usage_factor")(h))
}

func recognizeAccountingJSON(h *head) int {
	if h.json.keys["jobs"] && h.json.record["association"] && h.json.record["time"] && h.json.record["state"] {
		return certain
	}
	return foreign
}

// recognizeJobJSON takes one job without its envelope.
func recognizeJobJSON(h *head) int {
	if k := h.json.keys; k["job_id"] && k["job_state"] && k["submit_time"] && !h.json.rest {
		return certain
	}
	return foreign
}

func recognizeSharesJSON(h *head) int {
	if h.json.keys["shares"] && !h.json.keys["format_version"] {
		return likely
	}
	return foreign
}

func readSlurmJSON(in *input) error { return readSlurmDocument(in, "json") }
func readAccountingJSON(in *input) error {
	in.snapshot.accounting = true
	return readSlurmDocument(in, "accounting")
}

func readJobJSON(in *input) error {
	c, jobs := newSlurmJSON(in.text), in.slurmJobs()
	c.peek()
	if err := c.recordReader(in, jobFields.members("json"), jobs.add)(); err != nil {
		return err
	}
	return c.end()
}

// readSlurmDocument reads whatever lists the document has.
func readSlurmDocument(in *input, jobs string) error {
	in.snapshot.Family = "slurm"
	c := newSlurmJSON(in.text)
	read := func(o *slurmObject, members *jsonMember) error {
		return c.slurmRecords(in, members, in.newSlurmRows(o).add)
	}
	list := func(o *slurmObject, output string) error { return read(o, o.fields.members(output)) }
	err := c.object(func(key []byte) error {
		switch string(key) {
		case "jobs":
			return c.slurmRecords(in, jobFields.members(jobs), in.slurmJobs().add)
		case "nodes":
			return list(slurmNode, "json")
		case "reservations":
			return list(slurmReservation, "json")
		case "licenses":
			return list(slurmLicense, "json")
		case "sinfo":
			return c.sinfo(in)
		case "partitions":
			return list(slurmPartition, "json")
		case "qos", "QOS":
			return read(slurmQOS, limitedMembers(slurmQOS, "qos json"))
		case "associations":
			return read(slurmAssociation, limitedMembers(slurmAssociation, "association json"))
		case "shares":
			if c.peek() != '{' { // 23.11 and later have the list within an object
				return list(slurmAssociation, "shares")
			}
			return c.object(func(key []byte) error {
				if string(key) == "shares" && c.peek() == '[' {
					return list(slurmAssociation, "shares")
				}
				return nil
			})
		case "last_update":
			return c.lastUpdate(in)
		case "meta":
			return c.meta(in)
		case "errors":
			return c.errors(in)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.end()
}

// sinfo reads sinfo --json, whose lines are groups of nodes of a partition: the partition is there in full, the nodes
// only as counts.
func (c *slurmJSON) sinfo(in *input) error {
	rows := in.newSlurmRows(slurmPartition)
	root := &jsonMember{inner: map[string]*jsonMember{"partition": partitionFields.members("json")}}
	return c.slurmRecords(in, root, func(r *slurmRecord) error {
		name := r.text(partitionName)
		if rows.seen[name] {
			return nil
		}
		rows.seen[name] = true
		return rows.add(r)
	})
}

// lastUpdate is the controller's clock when it answered (pack_all_jobs).
func (c *slurmJSON) lastUpdate(in *input) error {
	at := c.at
	c.fault = nil
	now, err := c.epoch("last_update")
	switch {
	case now.Known() && validTime(now.Int):
		in.now(now.Int, nowRecorded)
	case now.Known():
		c.fail("last_update", at, "%d is no time in seconds since 1970", now.Int)
	}
	if c.fault != nil {
		in.warn("snapshot-bad-time", at, c.at, "%s", c.fault).
			Note("the time is taken from elsewhere or stays unknown")
	}
	return err
}

// meta has the release under slurm, once Slurm. Its micro and minor are
// exchanged in several releases, so the text counts.
func (c *slurmJSON) meta(in *input) error {
	return c.members(func(key []byte) error {
		if !strings.EqualFold(string(key), "slurm") {
			return nil
		}
		return c.members(func(key []byte) error {
			if string(key) != "release" {
				return nil
			}
			release, err := c.words("release")
			in.slurmVersion(release.Str)
			return err
		})
	})
}

// slurmVersion keeps YY.MM of a release such as 24.05.3-1.
func (in *input) slurmVersion(release string) {
	if parts := strings.SplitN(release, ".", 3); len(parts) >= 2 {
		in.snapshot.Version = parts[0] + "." + parts[1]
	}
}

// errors that the server put beside its answer mean that it may lack records.
func (c *slurmJSON) errors(in *input) error {
	at, n := c.at, 0
	if c.peek() != '[' {
		return nil
	}
	err := c.array(func() error { n++; return nil })
	if n > 0 {
		in.warn("snapshot-answer-with-errors", at, c.at, "the scheduler reported %d errors with this answer", n).
			Note("records may be missing; ask for it again")
	}
	return err
}
