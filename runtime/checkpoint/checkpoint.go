// Package checkpoint keeps what one evaluation leaves to the next: since when each job has
// waited by the scheduler's own count, and what has been used in which fairshare window.
//
// In: a state file, or the Checkpoint an evaluation made. Out: the Checkpoint for the next
// evaluation, or the file. The engine reads and makes Checkpoints, the command line keeps
// the file. Maui's own checkpoint file (maui.ck) has the same task and another form.
package checkpoint

import (
	"fmt"
	"time"

	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// FormatVersion is the version of the file. A file of another one is refused: state that is
// read wrongly is worse than none.
const FormatVersion = 1

// Checkpoint is the state after one evaluation.
type Checkpoint struct {
	Family string // scheduler family of the policy: maui, or "" for a policy from scratch
	Time   int64  // epoch seconds of the evaluation

	// The fairshare windows with all that was used until Time, newest first. Their length is kept, since
	// windows of another one mean something else.
	IntervalSeconds int64 // 0: the policy has no fairshare
	Usage           []snapshot.UsageWindow

	Tree     *Tree // what associations and QOS have used; nil: the policy has no account tree
	TreeTime int64 // until when, if it is not Time; it is not written, since evaluations bring it up to theirs

	Jobs []Job // those of the queue, in its order

	ChunkUntil int64 // Maui: resources of jobs that ended are kept from small ones until then; 0: they are not

	Standing []Standing // Maui: standing reservations that have begun
}

// Standing is a standing reservation that goes on from one iteration to the next.
type Standing struct {
	Name  string `json:"name"`
	Start int64  `json:"start"` // epoch seconds
}

// Tree is the usage of Slurm's fairshare and limits until Time.
type Tree struct {
	LastReset    int64  // epoch seconds of the last reset, or of the first evaluation
	Associations []Used // accounts and users that have used something; an account's includes what is below it
	QOS          []Used
}

// Used is what one of them has used, decayed.
type Used struct {
	Name        string // of an association: account, account/user or account/user/partition
	Parent      string // the account above an account
	Seconds     float64
	WallSeconds float64
	TRES        map[string]float64 // TRES-seconds
}

// Job is what is known of one job beyond what the resource manager says.
type Job struct {
	ID              string
	SubmitTime      int64 // epoch seconds, 0 if unknown: another job of the same id has another
	FirstSeen       int64 // epoch seconds
	State           string
	QueueStart      int64 // epoch seconds from which its queue time counts (SystemQueueTime)
	EligibleSeconds int64 // its queue time when it last passed the selection, 0 if it never did (EffQueueDuration)
	Bypass          int64 // how often backfill let another job overtake it
	OverSoftLimit   bool  // it runs beyond a soft limit
	Priority        int64 // of a pending job of Slurm: the stored one, 0 if unknown
	DeferredUntil   int64 // Maui found no nodes for it and does not look again before; 0: it does

	Reservation *Reservation // Maui: what is kept for it; nil is nothing
}

// Reservation is what is kept for a job that waits.
type Reservation struct {
	Start int64   `json:"start"`
	End   int64   `json:"end"`
	Kind  int64   `json:"kind,omitempty"` // why it was made, as the planner numbers it
	Nodes []Share `json:"nodes"`

	Failed bool `json:"failed,omitempty"` // it began as it was made, and the job did not
}

// Kinds is how many kinds of reservations there are.
const Kinds = 4

// Share is its part of one node.
type Share struct {
	Node  string `json:"node"`
	Tasks int64  `json:"tasks"`
}

// The states of a job.
const (
	Pending = "pending"
	Held    = "held" // by a person
	Running = "running"
)

// TreeUntil is the time until which Tree counts.
func (c *Checkpoint) TreeUntil() int64 {
	if c.TreeTime != 0 {
		return c.TreeTime
	}
	return c.Time
}

// Fits says what keeps a checkpoint from being the one before an evaluation of that family at
// that time; nil if nothing does.
func (c *Checkpoint) Fits(family string, now int64) error {
	switch {
	case c.Family != family:
		return fmt.Errorf("the state is of %s, but this is %s", familyText(c.Family), familyText(family))
	case c.Time > now:
		return fmt.Errorf("the state is of %s, which is after the time to evaluate, %s", timeText(c.Time), timeText(now))
	}
	return nil
}

func familyText(family string) string {
	if family == "" {
		return "a policy from scratch"
	}
	return "a " + family + " policy"
}

func timeText(epoch int64) string { return time.Unix(epoch, 0).UTC().Format(time.RFC3339) }
