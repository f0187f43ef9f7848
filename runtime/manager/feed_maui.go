package manager

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// MauiSystemPriority feeds setspri: a job with a system priority is above all that have none, and those
// that have one are in its order. It holds 1 to 1000, and 0 takes it away (setspri manual; what Maui
// refuses beyond is recorded), so that a job gets the value of its place in the queue.
var MauiSystemPriority Feeder = mauiFeeder{}

type mauiFeeder struct{}

func (mauiFeeder) Kind() string             { return "maui setspri" }
func (mauiFeeder) Range() (low, high int64) { return 0, 1000 }
func (mauiFeeder) Batch() int               { return 20 }

func (mauiFeeder) Value(w Wish, _ Holding) int64 { return byRank(w, 1, 1000) }

// Held: a snapshot need not say that a job has no system priority.
func (mauiFeeder) Held(*snapshot.Snapshot) ([]Holding, bool) { return nil, false }

func (mauiFeeder) Forget(s *snapshot.Snapshot) { forget(s, "job.system_priority") }

// mauiName begins with no dash, which would be an option.
var mauiName = source.Pattern(`^[A-Za-z0-9][A-Za-z0-9._-]*(\[[0-9]*\][A-Za-z0-9._-]*)?$`)

// Ask: only checkjob prints the number that was set, of one job at a time.
func (mauiFeeder) Ask(jobs []Holding) []Call {
	var calls []Call
	for _, h := range jobs {
		if mauiName().MatchString(h.Job) {
			calls = append(calls, Call{Argv: []string{"checkjob", h.Job}, Env: []string{"TZ=UTC", "LC_ALL=C"}, MayFail: true})
		}
	}
	return calls
}

// Answer reads texts of checkjob. A job that Maui does not know is none of them.
func (mauiFeeder) Answer(_ []Holding, printed [][]byte) ([]Holding, error) {
	var jobs []Holding
	for _, text := range printed {
		h := Holding{}
		state, priority := "", false
		for raw := range bytes.Lines(text) {
			line := strings.TrimSpace(string(raw))
			switch key, value, _ := strings.Cut(line, ":"); {
			case strings.HasPrefix(line, "checking job "):
				h.Job = strings.TrimPrefix(line, "checking job ")
			case key == "State":
				state = strings.TrimSpace(value)
			case key == "SubmitTime":
				h.Submitted = strings.TrimSpace(value)
			case key == "PE":
				var err error
				if priority, err = mauiPriorities(&h, line); err != nil {
					return nil, err
				}
			}
		}
		switch {
		case h.Job == "":
			continue
		case state == "" || !priority:
			return nil, fmt.Errorf("checkjob: the text on job %s is not whole", h.Job)
		}
		h.Standing = mauiStanding(state)
		if mauiName().MatchString(h.Job) {
			h.Name = h.Job
		}
		jobs = append(jobs, h)
	}
	return jobs, nil
}

// mauiPriorities reads the last line: PE:  17.00  StartPriority:  1000000100  SystemPriority:  100.
func mauiPriorities(h *Holding, line string) (ok bool, err error) {
	words := strings.Fields(line)
	for i, word := range words[:len(words)-1] {
		n, bad := strconv.ParseInt(words[i+1], 10, 64)
		switch {
		case word != "StartPriority:" && word != "SystemPriority:":
			continue
		case bad != nil:
			return false, fmt.Errorf("checkjob: %s is no number", words[i+1])
		case word == "StartPriority:":
			h.Priority, ok = n, true
		default:
			h.Value = n
		}
	}
	if h.Value > 1000 { // of setspri -r, which prints it with an offset
		h.Unknown = "its system priority is one that is added to its own"
	}
	return ok, nil
}

func mauiStanding(state string) Standing {
	switch state {
	case "Idle", "Deferred":
		return Waiting
	case "Hold", "UserHold", "SystemHold", "BatchHold":
		return Held
	case "Completed", "Removed", "Vacated":
		return Ended
	}
	return Started
}

func (mauiFeeder) Set(settings []Setting, _ []Holding) []Call {
	var calls []Call
	for _, s := range settings {
		if mauiName().MatchString(s.Name) {
			calls = append(calls, Call{Argv: []string{"setspri", strconv.FormatInt(s.New, 10), s.Name}})
		}
	}
	return calls
}

func (mauiFeeder) Alongside(Holding, []Holding) []Holding { return nil }
