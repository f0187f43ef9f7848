package verify

import "github.com/fairway-sched/fairway/runtime/engine"

// Report is the outcome of a comparison.
type Report struct {
	Result      *engine.Result // ours, as of the last pass
	CapturedAt  int64          // epoch seconds: when the snapshot was taken
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
	Name      string // priority, sprio, sshare or reason
	Of        string // what the numbers are of, for people
	Compared  int    // numbers that were compared
	Equal     int
	Explained int // that differ for a cause that is no fault of either side
	Different int
	Skipped   []Skipped
	Pass      Pass // when the numbers were computed; its zero value where that does not matter
}

// Skipped counts what could not be compared for one reason.
type Skipped struct {
	Why   string
	Count int
}

// Pass is the moment of the scheduler's computation of all priorities. In a large queue it is sought in the numbers
// of some of its jobs.
type Pass struct {
	Time     int64 // epoch seconds
	From, To int64 // the moments that explain the numbers as well, Time among them
	Sought   bool  // no input states it: it was found from the numbers
	Votes    int   // numbers that tell the time and agree with it
	Telling  int   // numbers that tell the time
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
