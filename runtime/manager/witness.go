package manager

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// An output that is cut off between two jobs is a shorter one by its form, and a job's name with a line break in
// it can look like another job. So the ids of all jobs are listed before the jobs are read and after: what both
// lists have was there all the time.

// listing is what a list of jobs has in it.
type listing int

const (
	kept       listing = iota // no list, but an output of a capture
	unfinished                // jobs that wait or run
	every                     // all that the resource manager still knows: a job that it lacks is none
)

// jobsOf yields the ids of the jobs in an output.
type jobsOf func(text []byte) (iter.Seq[string], error)

// witness compares the jobs that were read with the lists of jobs around them.
type witness struct {
	before set
	read   set
	jobs   Command // that read them
	gone   bool    // there is no list
}

// saw takes the output of a command, and tells what is wrong once the last list is there.
func (w *witness) saw(c Command, text []byte) error {
	if c.jobs == nil {
		return nil
	}
	ids, err := c.jobs(text)
	if err != nil {
		return fmt.Errorf("%s: the ids of the jobs cannot be read: %w", c.Argv[0], err)
	}
	have, twice := set{}, ""
	for id := range ids {
		if have[id] {
			twice = id
		}
		have[id] = true
	}
	switch {
	case c.role == kept:
		w.jobs, w.read = c, have
		switch {
		case c.File != recordFile:
		case have[""]:
			return fmt.Errorf("%s: a record of a job is without its id: %s", c.Argv[0], forged)
		case twice != "":
			return fmt.Errorf("%s: the output has job %s twice: %s", c.Argv[0], twice, forged)
		}
		return nil
	case w.read == nil:
		w.before = have
		return nil
	}
	return w.verdict(c.role, have)
}

// forged says what may be done about a job that is none.
const forged = "a job's name with a line break in it can pass for a job; --jobs squeue and --jobs json read no " +
	"names as jobs"

// verdict holds the jobs against both lists.
func (w *witness) verdict(of listing, after set) error {
	lost, strange := set{}, set{}
	for id := range w.before {
		if id != "" && after[id] && !w.read[id] {
			lost[id] = true
		}
	}
	for id := range w.read {
		if of == every && !w.before[id] && !after[id] {
			strange[id] = true
		}
	}
	switch {
	case len(lost) > 0:
		return fmt.Errorf("%s: the output is only part of the answer: it lacks %d of the jobs that are listed both before "+
			"it and after it, for instance %s", w.jobs.Argv[0], len(lost), lost.first())
	case len(strange) > 0:
		return fmt.Errorf("%s: job %s is listed neither before the output nor after it: %s", w.jobs.Argv[0], strange.first(),
			forged)
	}
	return nil
}

// set is a set of ids.
type set map[string]bool

// first is the lowest number.
func (s set) first() string {
	return slices.MinFunc(slices.Collect(maps.Keys(s)),
		func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
}

// recordFile has a record of each job, in which texts of users are.
const recordFile = "scontrol_job.txt"

// cells yields what is in each line between a prefix and the first of some signs.
func cells(text []byte, prefix, until string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range bytes.Lines(text) {
			rest, ok := bytes.CutPrefix(line, []byte(prefix))
			if !ok {
				continue
			}
			if at := bytes.IndexAny(rest, until); at >= 0 {
				rest = rest[:at]
			}
			if !yield(string(bytes.TrimSpace(rest))) {
				return
			}
		}
	}
}

// lineJobs: a line for each job begins with its id.
func lineJobs(text []byte) (iter.Seq[string], error) { return cells(text, "", "|.[\n"), nil }

// tableJobs: a header and a row for each job, the id first.
func tableJobs(text []byte) (iter.Seq[string], error) {
	_, rows, _ := bytes.Cut(text, []byte("\n"))
	return lineJobs(rows)
}

// recordJobs: scontrol -o has a line for each job.
func recordJobs(text []byte) (iter.Seq[string], error) { return cells(text, "JobId=", " \n"), nil }

// stanzaJobs: qstat -f. The list has the server after the number in the same way or not at all, and tasks of an
// array after it, so that the number alone counts.
func stanzaJobs(text []byte) (iter.Seq[string], error) { return cells(text, "Job Id:", ".[\n"), nil }

// xmlJobs: qstat -x.
func xmlJobs(text []byte) (iter.Seq[string], error) {
	return func(yield func(string) bool) {
		for _, job := range snapshot.PBSJobs(text) {
			if number, _, _ := strings.Cut(strings.ReplaceAll(job.ID, "[", "."), "."); !yield(number) {
				return
			}
		}
	}, nil
}

func slurmJSONJobs(text []byte) (iter.Seq[string], error) {
	var document struct {
		Jobs []struct {
			ID int64 `json:"job_id"`
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	return func(yield func(string) bool) {
		for _, job := range document.Jobs {
			if !yield(fmt.Sprint(job.ID)) {
				return
			}
		}
	}, nil
}

func pbsJSONJobs(text []byte) (iter.Seq[string], error) {
	var document struct{ Jobs map[string]json.RawMessage }
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	return func(yield func(string) bool) {
		for id := range document.Jobs {
			if number, _, _ := strings.Cut(strings.ReplaceAll(id, "[", "."), "."); !yield(number) {
				return
			}
		}
	}, nil
}

// SlurmShares counts the associations of users that sshare printed.
func SlurmShares(sshare []byte) (users int) {
	_, rows, _ := bytes.Cut(sshare, []byte("\n"))
	for row := range bytes.Lines(rows) {
		if cells := bytes.Split(row, []byte("|")); len(cells) > 2 && len(bytes.TrimSpace(cells[1])) > 0 {
			users++
		}
	}
	return users
}

// slurmAssociation is a record of scontrol show assoc_mgr that is of a user.
var slurmAssociation = source.Pattern(`(?m)^ClusterName=\S+ Account=\S+ UserName=[^\s(]+\(`)

// SlurmAssociations counts the associations of users that the controller has.
func SlurmAssociations(assocMgr []byte) (users int) {
	return len(slurmAssociation().FindAll(assocMgr, -1))
}
