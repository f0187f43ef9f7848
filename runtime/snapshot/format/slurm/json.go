package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// The JSON of squeue, sinfo, scontrol, sacct, sacctmgr, sshare and slurmrestd
// is one object whose list has the name of what it lists; `sacctmgr`'s QOS was
// QOS once.
func RecognizeJSON(list, member string) func(*format.Head) int {
	return func(h *format.Head) int {
		switch keys := h.JSON.Keys; {
		case !keys[list] || h.JSON.Rest || keys["format_version"]:
			return format.Foreign
		case h.JSON.Record[member]:
			return format.Certain
		case keys["meta"] && !h.JSON.Record["time"]: // the list is empty, so the first record is another's
			return format.Likely
		}
		return format.Foreign
	}
}

func RecognizeQOSJSON(h *format.Head) int {
	return max(RecognizeJSON("qos", "usage_factor")(h), RecognizeJSON("QOS", "usage_factor")(h))
}

func RecognizeAccountingJSON(h *format.Head) int {
	if h.JSON.Keys["jobs"] && h.JSON.Record["association"] && h.JSON.Record["time"] && h.JSON.Record["state"] {
		return format.Certain
	}
	return format.Foreign
}

// RecognizeJobJSON takes one job without its envelope.
func RecognizeJobJSON(h *format.Head) int {
	if k := h.JSON.Keys; k["job_id"] && k["job_state"] && k["submit_time"] && !h.JSON.Rest {
		return format.Certain
	}
	return format.Foreign
}

func RecognizeSharesJSON(h *format.Head) int {
	if h.JSON.Keys["shares"] && !h.JSON.Keys["format_version"] {
		return format.Likely
	}
	return format.Foreign
}

func ReadJSON(in *format.Input) error { return readSlurmDocument(in, "json") }
func ReadAccountingJSON(in *format.Input) error {
	in.Snapshot.Accounting = true
	return readSlurmDocument(in, "accounting")
}

func ReadJobJSON(in *format.Input) error {
	c, jobs := newSlurmJSON(in.Text), slurmJobs(in)
	c.Peek()
	if err := c.recordReader(in, jobFields.members("json"), jobs.add)(); err != nil {
		return err
	}
	return c.End()
}

// readSlurmDocument reads whatever lists the document has.
func readSlurmDocument(in *format.Input, jobs string) error {
	in.Snapshot.Family = "slurm"
	c := newSlurmJSON(in.Text)
	read := func(o *slurmObject, members *jsonMember) error {
		return c.slurmRecords(in, members, newSlurmRows(in, o).add)
	}
	list := func(o *slurmObject, output string) error { return read(o, o.fields.members(output)) }
	err := c.Object(func(key []byte) error {
		switch string(key) {
		case "jobs":
			return c.slurmRecords(in, jobFields.members(jobs), slurmJobs(in).add)
		case "nodes":
			return list(Node, "json")
		case "reservations":
			return list(Reservation, "json")
		case "licenses":
			return list(License, "json")
		case "sinfo":
			return c.sinfo(in)
		case "partitions":
			return list(Partition, "json")
		case "qos", "QOS":
			return read(slurmQOS, limitedMembers(slurmQOS, "qos json"))
		case "associations":
			return read(slurmAssociation, limitedMembers(slurmAssociation, "association json"))
		case "shares":
			if c.Peek() != '{' { // 23.11 and later have the list within an object
				return list(slurmAssociation, "shares")
			}
			return c.Object(func(key []byte) error {
				if string(key) == "shares" && c.Peek() == '[' {
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
	return c.End()
}

// sinfo reads sinfo --json, whose lines are groups of nodes of a partition: the partition is there in full, the nodes
// only as counts.
func (c *slurmJSON) sinfo(in *format.Input) error {
	rows := newSlurmRows(in, Partition)
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
func (c *slurmJSON) lastUpdate(in *format.Input) error {
	at := c.At
	c.fault = nil
	now, err := c.epoch("last_update")
	switch {
	case now.Known() && format.ValidTime(now.Int):
		in.Now(now.Int, format.NowRecorded)
	case now.Known():
		c.fail("last_update", at, "%d is no time in seconds since 1970", now.Int)
	}
	if c.fault != nil {
		in.Warn("snapshot-bad-time", at, c.At, "%s", c.fault).
			Note("the time is taken from elsewhere or stays unknown")
	}
	return err
}

// meta has the release under slurm, once Slurm. Its micro and minor are
// exchanged in several releases, so the text counts.
func (c *slurmJSON) meta(in *format.Input) error {
	return c.members(func(key []byte) error {
		if !strings.EqualFold(string(key), "slurm") {
			return nil
		}
		return c.members(func(key []byte) error {
			if string(key) != "release" {
				return nil
			}
			release, err := c.words("release")
			slurmVersion(in, release.Str)
			return err
		})
	})
}

// slurmVersion keeps YY.MM of a release such as 24.05.3-1.
func slurmVersion(in *format.Input, release string) {
	if parts := strings.SplitN(release, ".", 3); len(parts) >= 2 {
		in.Snapshot.Version = parts[0] + "." + parts[1]
	}
}

// errors that the server put beside its answer mean that it may lack records.
func (c *slurmJSON) errors(in *format.Input) error {
	at, n := c.At, 0
	if c.Peek() != '[' {
		return nil
	}
	err := c.Array(func() error { n++; return nil })
	if n > 0 {
		in.Warn("snapshot-answer-with-errors", at, c.At, "the scheduler reported %s with this answer",
			diag.Count(n, "error")).
			Note("records may be missing; ask for it again")
	}
	return err
}
