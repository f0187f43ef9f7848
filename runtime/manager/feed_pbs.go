package manager

import (
	"fmt"
	"strconv"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// PBSPriority feeds qalter -p, the priority that PBS and TORQUE hold of a job, -1024 to 1023 (qalter manual);
// a policy's priorities do not fit in, so that a job gets the value of its place in the queue.
var PBSPriority Feeder = pbsFeeder{attribute: "Priority"}

// pbsResourceName is what PBS takes for a resource of the site's own.
var pbsResourceName = source.Pattern(`^[A-Za-z][A-Za-z0-9_]*$`)

// PBSResource feeds a resource of the site's own, by which its job_sort_formula sorts; ok is false if
// it cannot be the name of one.
func PBSResource(name string) (f Feeder, ok bool) {
	return pbsFeeder{attribute: "Resource_List." + name, resource: name}, pbsResourceName().MatchString(name)
}

type pbsFeeder struct{ attribute, resource string }

func (f pbsFeeder) Kind() string {
	if f.resource != "" {
		return "pbs resource " + f.resource
	}
	return "pbs priority"
}

func (f pbsFeeder) Range() (low, high int64) {
	if f.resource != "" {
		return -1 << 53, 1 << 53 // resources of type float hold these exactly
	}
	return -1024, 1023
}

func (f pbsFeeder) Value(w Wish, _ Holding) int64 {
	if f.resource != "" {
		return w.Priority
	}
	low, high := f.Range()
	return byRank(w, low, high)
}

// Batch: qstat tells of all jobs at once, which takes longer than many a qalter.
func (pbsFeeder) Batch() int { return 250 }

// Forget: no policy counts what is fed.
func (pbsFeeder) Forget(*snapshot.Snapshot) {}

// Held: snapshots keep neither a job's own priority nor resources of the site.
func (pbsFeeder) Held(*snapshot.Snapshot) ([]Holding, bool) { return nil, false }

func (pbsFeeder) Ask([]Holding) []Call {
	env := []string{"TZ=UTC", "LC_ALL=C"}
	return []Call{{Argv: qstatLines.Argv, Env: env, MayFail: true}, {Argv: qstatXML.Argv, Env: env, Instead: true}}
}

// pbsName is a job, an array (12[]) or a task of one (12[3]), with its server.
var pbsName = source.Pattern(`^[0-9]+(\[[0-9]*\])?(\.[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?$`)

// Answer reads either. What cannot be known of a job is that job's matter.
func (f pbsFeeder) Answer(_ []Holding, printed [][]byte) ([]Holding, error) {
	var jobs []Holding
	for i, c := range []Command{qstatLines, qstatXML} {
		if printed[i] == nil {
			continue
		}
		if err := c.Whole(printed[i]); err != nil {
			return nil, fmt.Errorf("qstat: %w", err)
		}
		for _, job := range snapshot.PBSJobs(printed[i]) {
			h := Holding{Job: job.ID, Unknown: job.Doubt}
			if pbsName().MatchString(h.Job) {
				h.Name = h.Job
			}
			f.read(&h, job.Attributes)
			jobs = append(jobs, h)
		}
	}
	return jobs, nil
}

func (f pbsFeeder) read(h *Holding, attributes map[string]string) {
	switch state := attributes["job_state"]; state {
	case "":
		h.Unknown = "qstat does not print its job_state"
	case "Q", "W", "T", "B": // B: an array whose tasks may have begun
		h.Standing = Waiting
	case "H":
		h.Standing = Held
	case "C", "F", "X", "E":
		h.Standing = Ended
	default:
		h.Standing = Started
	}
	h.Submitted = attributes["ctime"]
	if text, ok := attributes[f.attribute]; ok {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n != float64(int64(n)) {
			h.Unknown = fmt.Sprintf("its %s is no whole number", f.attribute)
		}
		h.Value = int64(n)
	}
	h.Priority = h.Value
}

// Set: qalter gives one value to several jobs, but each has another. Its exit code and what took are
// two things: it fails if one job has gone.
func (f pbsFeeder) Set(settings []Setting, _ []Holding) []Call {
	var calls []Call
	for _, s := range settings {
		if !pbsName().MatchString(s.Name) {
			continue
		}
		argv := []string{"qalter", "-p", strconv.FormatInt(s.New, 10), s.Name}
		if f.resource != "" {
			argv = []string{"qalter", "-l", f.resource + "=" + strconv.FormatInt(s.New, 10), s.Name}
		}
		calls = append(calls, Call{Argv: argv})
	}
	return calls
}

func (pbsFeeder) Alongside(Holding, []Holding) []Holding { return nil }
