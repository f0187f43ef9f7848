package verify

import (
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Report is the outcome of a comparison.
type Report struct {
	Result      *evaluation.Result // ours, as of the last pass
	CapturedAt  int64              // epoch seconds: when the snapshot was taken
	Checks      []Check
	Differences []Difference // explained ones too
}

// Clean reports that nothing differs but for what is known to print differently.
func (r *Report) Clean() bool {
	for i := range r.Checks {
		if r.Checks[i].Different > 0 {
			return false
		}
	}
	return true
}

// Check is all that one command printed.
type Check struct {
	Name      string    `json:"name"`     // priority, sprio, sshare or reason
	Of        string    `json:"of"`       // what the numbers are of, for people
	Compared  int       `json:"compared"` // numbers that were compared
	Equal     int       `json:"equal"`
	Explained int       `json:"explained"` // that differ for a cause that is no fault of either side
	Different int       `json:"different"`
	Skipped   []Skipped `json:"not_compared"`
	Pass      Pass      `json:"pass" form:"ornull"` // when they were computed; zero where it does not matter
}

// Skipped counts what could not be compared for one reason.
type Skipped struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// Pass is the moment of the scheduler's computation of all priorities. In a large queue it is sought in the numbers
// of some of its jobs.
type Pass struct {
	Time    int64 `json:"time"` // epoch seconds
	From    int64 `json:"from"` // this and all moments up to To explain the numbers as well
	To      int64 `json:"to"`
	Sought  bool  `json:"sought"`  // no input states it: it was found from the numbers
	Votes   int   `json:"votes"`   // numbers that tell the time and agree with it
	Telling int   `json:"telling"` // numbers that tell the time
}

// Difference is one number that is not as we compute it.
type Difference struct {
	Check       string
	Job         string
	Partition   string // of a row of sprio, or of a job of several partitions
	Association string // of a row of sshare
	Field       string // priority, or sprio's column
	Recorded    float64
	Computed    float64
	Words       [2]string // recorded and computed, where they are words
	Cause       *Cause    // nil: nothing explains it
	Why         string    // the cause as it applies here
}

// Benign reports a difference that is no fault of either side.
func (d *Difference) Benign() bool { return d.Cause != nil && d.Cause.Benign }

func (k *Check) skip(why string) {
	for i := range k.Skipped {
		if k.Skipped[i].Why == why {
			k.Skipped[i].Count++
			return
		}
	}
	k.Skipped = append(k.Skipped, Skipped{why, 1})
}
