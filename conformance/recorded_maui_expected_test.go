package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// mauiExpected is what Maui answered in a case: its first iteration and the ones after it.
type mauiExpected struct {
	Title string `json:"title"`
	mauiStep
	Backfilled []mauiJobName `json:"backfilled,omitempty"` // of all iterations: the jobs that backfill started
	Later      []mauiStep    `json:"later_steps,omitempty"`
}

// mauiStep is one scheduling iteration. The first pass holds what Maui computed of every
// job before any policy was applied, printed with 17 digits.
type mauiStep struct {
	Now      int64                   `json:"now"`
	First    map[string]mauiPriority `json:"priorities_first_pass"`
	Starts   []mauiJobName           `json:"starts,omitempty"` // in the order in which they were started
	Queue    mauiQueue               `json:"queue,omitzero"`
	Reasons  map[string][]string     `json:"blocked_reasons,omitempty"` // diagnose -q without "job X"
	Checkjob map[string]mauiCheckjob `json:"checkjob,omitempty"`
	Commands []json.RawMessage       `json:"pre_commands,omitempty"` // what an administrator typed before asking
}

type mauiPriority struct {
	QueueStart int64                 `json:"eff_queue_time,omitempty"` // epoch from which queue time counts
	RawSum     float64               `json:"raw_sum"`
	Stored     int64                 `json:"start_priority_int"`
	Components map[string]mauiFactor `json:"components,omitempty"`
	Subfactors map[string]mauiFactor `json:"subfactors,omitempty"`
}

type mauiFactor struct {
	Weight float64 `json:"weight"`
	Factor float64 `json:"factor"`
	Cap    float64 `json:"cap,omitempty"`
}

// mauiQueue is showq, each list in its order.
type mauiQueue struct {
	Active  []mauiJobName `json:"active,omitempty"`
	Idle    []mauiJobName `json:"idle,omitempty"`
	Blocked []mauiJobName `json:"blocked,omitempty"`
}

// mauiCheckjob is checkjob after the iteration.
type mauiCheckjob struct {
	Stored int64   `json:"start_priority"`
	PE     float64 `json:"pe"`    // two decimals
	State  string  `json:"state"` // Idle, Running, BatchHold, Deferred …

	Flags []string `json:"flags,omitempty"` // BACKFILL and others; the copies have Backfilled instead
}

// mauiJobName is a job in a list; the full set says more of it there.
type mauiJobName string

// UnmarshalJSON takes the name alone or a record that has it as "job".
func (n *mauiJobName) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		return json.Unmarshal(text, (*string)(n))
	}
	var record struct {
		Job *string `json:"job"`
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return err
	}
	if record.Job == nil {
		return fmt.Errorf("a job without a name: %s", text)
	}
	*n = mauiJobName(*record.Job)
	return nil
}

func names(list []mauiJobName) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = string(n)
	}
	return out
}

// all are the expectations of every iteration.
func (e *mauiExpected) all() []*mauiStep {
	list := []*mauiStep{&e.mauiStep}
	for i := range e.Later {
		list = append(list, &e.Later[i])
	}
	return list
}
