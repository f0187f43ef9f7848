package push

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Event is what an entry of the journal tells.
type Event string

// Events in the order of a run. What is meant is written before it is done.
const (
	Begin    Event = "begin"
	Settling Event = "settled" // what a broken-off run left is at an end
	Intent   Event = "intent"
	Done     Event = "done"
	Failed   Event = "failed" // it is unknown what took: the next run looks
	Skipping Event = "skipped"
	End      Event = "end" // of a run that came to its end
)

// Entry is a line of the journal.
type Entry struct {
	Time  string `json:"time"` // RFC 3339
	Run   string `json:"run"`
	Event Event  `json:"event"`

	Target  *Target `json:"target,omitempty"`  // begin
	Undoes  string  `json:"undoes,omitempty"`  // begin
	Planned int     `json:"planned,omitempty"` // begin

	Batch    int       `json:"batch,omitempty"`    // intent, done, failed
	Commands []Command `json:"commands,omitempty"` // intent
	Changes  []Change  `json:"changes,omitempty"`  // intent
	Took     []string  `json:"took,omitempty"`     // done
	Missed   []string  `json:"missed,omitempty"`   // done
	Refused  []Refused `json:"refused,omitempty"`  // done
	Unsure   []Refused `json:"unsure,omitempty"`   // done, those of Missed that may be the job's doing: it is not known
	// done, where the time was up: jobs that have not their value, refused or not
	Unsent  []string  `json:"unsent,omitempty"`
	Error   string    `json:"error,omitempty"` // done, failed, end
	Skipped []Skipped `json:"skipped,omitempty"`
	Settled []Settled `json:"settled,omitempty"`
	Counts  *Counts   `json:"counts,omitempty"` // end
}

// Settled is a job that has not, or not any more, the value that a broken-off command may have left: it has gone or
// started, it has its own value, or somebody has set another one since.
type Settled struct {
	Job       string `json:"job"`
	Submitted string `json:"submitted,omitempty"`
}

// Refused is a job that the resource manager does not change, and what it says why. Other jobs are no worse for it.
type Refused struct {
	Job       string `json:"job"`
	Submitted string `json:"submitted,omitempty"`
	Asks      string `json:"asks,omitempty"` // as in the change
	User      string `json:"user,omitempty"`
	Why       string `json:"why"`
	ForNow    bool   `json:"for_now,omitempty"` // it passes by itself
}

// Command is a command as the journal has it.
type Command struct {
	Argv  []string `json:"argv,omitempty"`
	File  string   `json:"file,omitempty"`
	Input string   `json:"input,omitempty"`
}

// Counts are how many jobs of a plan ended how.
type Counts struct {
	Changed int `json:"changed"`
	Already int `json:"already"` // had the value
	Skipped int `json:"skipped"`
	Refused int `json:"refused"`
	Missed  int `json:"missed"` // got the command and have not the value, and no input says why
}

// Journal keeps entries. An entry is safe once Append returns; what could not be made safe is an error.
type Journal interface {
	Append(Entry) error
}

// ReadJournal reads what a Journal kept. A line that was broken off counts as torn: nothing was done
// after it. A line that no Journal can have begun is an error.
func ReadJournal(in io.Reader) (entries []Entry, torn int, err error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, 0, err
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var e Entry
		line = bytes.TrimSpace(line)
		switch whole := json.Unmarshal(line, &e) == nil && e.Run != "" && e.Event != ""; {
		case len(line) == 0:
		case whole:
			entries = append(entries, e)
		case brokenOff(line):
			torn++
		default:
			return nil, 0, fmt.Errorf("line %d is none of an audit", number)
		}
	}
	return entries, torn, nil
}

// entryBegin is how each line begins.
const entryBegin = `{"time":"`

// brokenOff tells the beginning of a line. Where a machine lost power, zeros may stand for what was not written yet.
func brokenOff(line []byte) bool {
	line = bytes.Trim(line, "\x00")
	if len(line) < len(entryBegin) {
		return strings.HasPrefix(entryBegin, string(line))
	}
	return bytes.HasPrefix(line, []byte(entryBegin)) && !json.Valid(line)
}

func (e *Entry) refuses(c Change) bool {
	return slices.ContainsFunc(e.Refused, func(r Refused) bool { return r.Job == c.Job && r.Submitted == c.Submitted })
}

// Unsettled are changes that may leave a value that was only to be passed through: those of commands
// where the journal does not say that the job came through, nor that it is settled.
func Unsettled(journal []Entry) []Change {
	open := map[key]Change{}
	var sent []Change
	for _, e := range journal {
		switch e.Event {
		case Intent:
			for _, c := range e.Changes {
				if c.Through != nil {
					open[key{c.Job, c.Submitted}] = c
				}
			}
			sent = e.Changes
		case Done:
			for _, c := range sent {
				if !slices.Contains(e.Missed, c.Job) && !slices.Contains(e.Unsent, c.Job) && !e.refuses(c) {
					delete(open, key{c.Job, c.Submitted})
				}
			}
			sent = nil
		case Settling:
			for _, s := range e.Settled {
				delete(open, key{s.Job, s.Submitted})
			}
		}
	}
	return slices.SortedFunc(maps.Values(open), func(a, b Change) int { return cmp.Compare(a.Job, b.Job) })
}
