package manager

import (
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Call is one command that feeds a resource manager or reads back what it holds. Nothing of it ever
// reaches a shell: Argv is handed to the system as it is, Input is the standard input.
type Call struct {
	Argv  []string
	Env   []string // settings beside the user's own
	Input []byte   // nil: none

	// File makes it the reading (Input is nil) or the replacing of a file; Argv is empty then.
	File string
	// MayFail: that it fails is an answer, which an empty text stands for.
	MayFail bool
	// Instead: run only where the call before it fails; one of both has to succeed.
	Instead bool
}

// Standing is where a job is as far as feeding goes.
type Standing uint8

// Standings. Only waiting jobs are fed.
const (
	Waiting Standing = iota
	Held             // by a person: its priority counts for nothing until it is released
	Started
	Ended
)

func (s Standing) String() string { return [...]string{"waiting", "held", "started", "ended"}[s] }

// Holding is a job as the resource manager holds it.
type Holding struct {
	Job       string // the id as snapshots have it
	Name      string // the id that commands take, "" if it cannot be one
	Submitted string // in the resource manager's own form; ids are used again, a job is both
	Array     string // the array that the job is a record of, "" if none
	Rest      bool   // the record of all tasks of Array that have none of their own
	Standing  Standing

	Priority int64 // in total
	Value    int64 // of what is fed
	Unknown  string
	// Computed: the resource manager makes Value itself and moves it as time goes by; no one sets it.
	Computed bool
	// Left: no run asked for it. It is of a job that waits no more, and a file still has it.
	Left bool
}

// Wish is what a policy wants of a job.
type Wish struct {
	Priority int64
	Rank, Of int // place in the queue from 1, and how long the queue is
}

// Setting is a value for a job.
type Setting struct {
	Holding
	New int64
}

// Feeder knows how one resource manager takes priorities. It builds commands and reads answers.
type Feeder interface {
	Kind() string
	Range() (low, high int64)
	// Held reads the jobs off a snapshot; ok is false if snapshots do not have what is fed, so that
	// the resource manager must be asked.
	Held(s *snapshot.Snapshot) (jobs []Holding, ok bool)
	// Forget takes out of a snapshot what was fed before. Policies may count it, and would then
	// want what they got and as much again.
	Forget(s *snapshot.Snapshot)
	// Value is what has to be fed for a job to get what is wished; it may be out of range.
	Value(w Wish, h Holding) int64
	// Ask are the commands that tell how jobs are held; jobs are those of interest, and what
	// is not among them may be reported too. Answer reads what they printed, one text for each.
	Ask(jobs []Holding) []Call
	Answer(asked []Holding, texts [][]byte) ([]Holding, error)
	// Set are the commands for some settings. all is the last answer.
	Set(settings []Setting, all []Holding) []Call
	// Alongside are jobs of the answer that Set for this one changes too.
	Alongside(h Holding, all []Holding) []Holding
	// Refused finds in what one command of Set printed, and complained of on its standard error, why it did not change
	// jobs, by their ids. It need not find all: what took is asked. rest is whether the complaint says more than that.
	Refused(settings []Setting, c Call, printed []byte, complaint string) (found map[string]Refusal, rest bool)
	// Batch is how many settings one command takes at most.
	Batch() int
}

// forget makes a column of the jobs zero, as if it had never been set.
func forget(s *snapshot.Snapshot, id schema.ColumnID) {
	if c := s.Jobs.Column(id); c != nil {
		s.Jobs.Put(&column.Column{ID: id, Type: c.Type, Ints: make([]int64, s.Jobs.Rows)})
	}
}

// byRank maps a place to a value: the first gets high, the last low, the others between them in even steps.
func byRank(w Wish, low, high int64) int64 {
	if w.Of <= 1 || w.Rank <= 1 {
		return high
	}
	return high - (high-low)*int64(w.Rank-1)/int64(w.Of-1)
}

// Program is what is run, for messages.
func (c Call) Program() string {
	if c.File != "" {
		return c.File
	}
	return c.Argv[0]
}
