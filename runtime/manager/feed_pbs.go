package manager

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// PBSPriority feeds qalter -p, the priority that PBS and TORQUE hold of a job, -1024 to 1023 (qalter manual);
// a policy's priorities do not fit in, so that a job gets the value of its place in the queue.
var PBSPriority Feeder = pbsFeeder{attribute: "Priority"}

// pbsResourceName is what PBS takes for a resource of the site's own.
var pbsResourceName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// PBSResource feeds a resource of the site's own, by which its job_sort_formula sorts; ok is false if
// it cannot be the name of one.
func PBSResource(name string) (f Feeder, ok bool) {
	return pbsFeeder{attribute: "Resource_List." + name, resource: name}, pbsResourceName.MatchString(name)
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
	return []Call{{Argv: []string{"qstat", "-f"}, Env: []string{"TZ=UTC", "LC_ALL=C"}}}
}

// pbsName is a job, an array (12[]) or a task of one (12[3]), with its server.
var pbsName = regexp.MustCompile(`^[0-9]+(\[[0-9]*\])?(\.[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?$`)

// Answer reads qstat -f: a line with the job, then indented attributes; long values go on in a line that
// begins with a tab.
func (f pbsFeeder) Answer(_ []Holding, printed [][]byte) ([]Holding, error) {
	if err := wholeStanzas(printed[0]); err != nil {
		return nil, fmt.Errorf("qstat: %w", err)
	}
	var jobs []Holding
	var attributes map[string]string
	finish := func() error {
		if attributes == nil {
			return nil
		}
		h := &jobs[len(jobs)-1]
		return f.read(h, attributes)
	}
	for raw := range bytes.Lines(printed[0]) {
		line := strings.TrimRight(string(raw), "\r\n")
		if name, ok := strings.CutPrefix(line, "Job Id:"); ok {
			if err := finish(); err != nil {
				return nil, err
			}
			h := Holding{Job: strings.TrimSpace(name)}
			if pbsName.MatchString(h.Job) {
				h.Name = h.Job
			}
			jobs, attributes = append(jobs, h), map[string]string{}
			continue
		}
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && attributes != nil && !strings.HasPrefix(line, "\t") {
			attributes[key] = value
		}
	}
	return jobs, finish()
}

func (f pbsFeeder) read(h *Holding, attributes map[string]string) error {
	switch state := attributes["job_state"]; state {
	case "":
		return fmt.Errorf("qstat: job %s has no job_state", h.Job)
	case "Q", "W", "T", "B": // B: an array of which tasks may have begun
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
	return nil
}

// Set: qalter gives one value to several jobs, but each has another. Its exit code and what took are
// two things: it fails if one job has gone.
func (f pbsFeeder) Set(settings []Setting, _ []Holding) []Call {
	var calls []Call
	for _, s := range settings {
		if !pbsName.MatchString(s.Name) {
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
