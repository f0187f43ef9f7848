package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Recording is expected.json, what Maui answered in a case: its first iteration and the ones after it.
type Recording struct {
	Title string `json:"title"`
	Iteration
	Backfilled []JobName   `json:"backfilled,omitempty"` // of all iterations: the jobs that backfill started
	Later      []Iteration `json:"later_steps,omitempty"`

	files fs.FS
}

// Iteration is one scheduling iteration. What only full recordings have is marked so. The first pass holds what Maui
// computed of every job before any policy was applied, printed with 17 digits.
type Iteration struct {
	Now   int64               `json:"now"`
	First map[string]Priority `json:"priorities_first_pass"`
	// full: when diagnose -p was asked, of jobs that may start; in copies only after commands
	After    map[string]Priority `json:"priorities_diagnose,omitempty"`
	Printed  Printed             `json:"diagnose_p,omitzero"`    // full
	Starts   []Start             `json:"starts,omitempty"`       // in the order in which they were started
	Reserved []Reservation       `json:"reservations,omitempty"` // showres
	// showres -n, by reservation; those without end are not in it
	OnNodes  map[string][]OnNode `json:"reservation_nodes,omitempty"`
	Queue    Queue               `json:"queue,omitzero"`
	Reasons  map[string][]string `json:"blocked_reasons,omitempty"` // diagnose -q without "job X"
	CheckJob map[string]CheckJob `json:"checkjob,omitempty"`
	Commands []Command           `json:"pre_commands,omitempty"` // what an administrator typed before asking
}

// Priority is how the priority of a job came about.
type Priority struct {
	QueueStart int64             `json:"eff_queue_time,omitempty"` // epoch from which queue time counts
	RawSum     float64           `json:"raw_sum"`
	Stored     int64             `json:"start_priority_int"`
	Components map[string]Factor `json:"components,omitempty"`
	Subfactors map[string]Factor `json:"subfactors,omitempty"`

	Unweighted map[string]float64 `json:"unweighted,omitempty"` // full: factors of weight 0
}

// Factor is a weighted factor, after its cap.
type Factor struct {
	Weight       float64  `json:"weight"`
	Factor       float64  `json:"factor"`
	Cap          float64  `json:"cap,omitempty"`
	Contribution *float64 `json:"contribution,omitempty"` // full: of a component
}

// Printed is what diagnose -p printed.
type Printed struct {
	Rows []struct {
		Job     string `json:"job"`
		SysPrio bool   `json:"sysprio"` // it has a mark for that
	} `json:"rows"`
}

// Queue is showq, each list in its order.
type Queue struct {
	Active  []JobName `json:"active,omitempty"`
	Idle    []JobName `json:"idle,omitempty"`
	Blocked []JobName `json:"blocked,omitempty"`
}

// CheckJob is what the command of that name printed about a job after the iteration.
type CheckJob struct {
	Stored int64    `json:"start_priority"`
	PE     float64  `json:"pe"`              // two decimals
	State  string   `json:"state"`           // Idle, Running, BatchHold, Deferred …
	Flags  []string `json:"flags,omitempty"` // full: BACKFILL and others
}

// Command is a client's command and Maui's answer.
type Command struct {
	Words  []string `json:"cmd"`
	Answer string   `json:"out"`
}

// Start is a job that started. Copies have it as a text: j.018 n16 n15*4.
type Start struct {
	Job   string   `json:"job"`
	Tasks []string `json:"tasklist"` // the node of each task
}

// Reservation is a line of showres.
type Reservation struct {
	ID    string `json:"id"`
	Type  string `json:"type"`  // Job or User
	State string `json:"state"` // of a job: R if it runs, I if it waits, S if it is suspended; else -
	Start int64  `json:"start"`
	End   *int64 `json:"end"` // nil: never
	Nodes int    `json:"nodes"`
	Procs int64  `json:"procs"`
}

// OnNode is a reservation's part of a node.
type OnNode struct {
	Node  string `json:"node"`
	Tasks int64  `json:"tasks"`
}

// UnmarshalJSON takes a record, or n09*3.
func (o *OnNode) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		var s Start
		if err := s.UnmarshalJSON([]byte(`"x ` + string(text[1:]))); err != nil || len(s.Tasks) == 0 {
			return fmt.Errorf("no part of a node: %s", text)
		}
		o.Node, o.Tasks = s.Tasks[0], int64(len(s.Tasks))
		return nil
	}
	type record OnNode
	return json.Unmarshal(text, (*record)(o))
}

// MarshalJSON writes the text.
func (o OnNode) MarshalJSON() ([]byte, error) {
	if o.Tasks == 1 {
		return json.Marshal(o.Node)
	}
	return json.Marshal(o.Node + "*" + strconv.FormatInt(o.Tasks, 10))
}

// JobName is a job in a list. The full set says more of it there.
type JobName string

// UnmarshalJSON takes the text, which may be the name alone, or a record that has that as "job".
func (s *Start) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		var short string
		if err := json.Unmarshal(text, &short); err != nil {
			return err
		}
		return s.short(short)
	}
	type record Start
	if err := json.Unmarshal(text, (*record)(s)); err != nil {
		return err
	}
	if s.Job == "" {
		return fmt.Errorf("a job without a name: %s", text)
	}
	return nil
}

// short reads a name and the node of each task, with a number where several tasks in a row are on it.
func (s *Start) short(text string) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return fmt.Errorf("a job without a name: %q", text)
	}
	s.Job = words[0]
	for _, word := range words[1:] {
		node, number, several := strings.Cut(word, "*")
		n := 1
		if several {
			var err error
			if n, err = strconv.Atoi(number); err != nil || n < 1 {
				return fmt.Errorf("no number of tasks: %q", word)
			}
		}
		s.Tasks = append(s.Tasks, slices.Repeat([]string{node}, n)...)
	}
	return nil
}

// MarshalJSON writes the text.
func (s Start) MarshalJSON() ([]byte, error) {
	text := s.Job
	for i := 0; i < len(s.Tasks); {
		k := i
		for i < len(s.Tasks) && s.Tasks[i] == s.Tasks[k] {
			i++
		}
		if text += " " + s.Tasks[k]; i-k > 1 {
			text += "*" + strconv.Itoa(i-k)
		}
	}
	return json.Marshal(text)
}

// UnmarshalJSON takes the name alone or a record that has it as "job".
func (n *JobName) UnmarshalJSON(text []byte) error {
	var s Start
	err := s.UnmarshalJSON(text)
	*n = JobName(s.Job)
	return err
}

// Names are the names of a list.
func Names(list []JobName) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = string(n)
	}
	return out
}

// Iterations are all iterations, from the first.
func (r *Recording) Iterations() []*Iteration {
	list := []*Iteration{&r.Iteration}
	for i := range r.Later {
		list = append(list, &r.Later[i])
	}
	return list
}

// Read reads what was recorded.
func Read(files fs.FS) (*Recording, error) {
	text, err := fs.ReadFile(files, "expected.json")
	if err != nil {
		return nil, err
	}
	r := &Recording{files: files}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("expected.json: %w", err)
	}
	return r, r.readBackfilled()
}
