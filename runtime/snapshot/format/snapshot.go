package format

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/column"
)

// Snapshot is one moment of a queue. Tables are nil when no input had them.
type Snapshot struct {
	Now int64 // epoch seconds; 0 when no input states the time, see KnowsNow
	// first and last submit time of all jobs, those not yet arrived too; zeros if none is known
	TimeRange [2]int64
	Family    string // scheduler the inputs came from: maui, slurm, pbs or ""
	Version   string // its version as YY.MM for Slurm, "" if not stated
	// where no version is stated, the newest that writes an input as it is; "" if any
	Until        string
	Cluster      string                   // as the resource manager calls it, "" if not stated
	Jobs         *column.Table            // columns job.*, one row per job in the resource manager's order
	Nodes        *column.Table            // columns node.*
	Credentials  map[string]*column.Table // by object name (user … association); key column OBJECT.name
	Reservations *column.Table            // columns reservation.*, by name
	Licenses     *column.Table            // columns license.*, by name
	Sprio        *column.Table            // columns sprio.*, as recorded by sprio, one row per job and partition
	Usage        []UsageWindow            // Maui fairshare windows, newest first
	Sources      []Source                 // what was read, in order
	Moment       *Moment                  // of a trace at Now; nil where the inputs show one moment themselves
	Captures     []*Manifest              // of folders and archives that `snapshot capture` made

	UsageFiles map[int64]string // which file states the window that starts then
	Certainty  nowCertainty     // how Now is known; decides which input's time is kept
	Accounting bool             // the jobs come from accounting, not from the queue
	Left       []Source         // accounting that gave way to the queue
	RecordIDs  *RecordIDs       // nil unless Slurm's jobs are there
}

// UsageWindow is one Maui FS.<epoch> file.
type UsageWindow struct {
	StartTime int64 // epoch seconds of the window's start
	// by object name (user, group, account, qos, partition, sched), then credential
	Usage  map[string]map[string]float64
	Total  float64
	Passed PassedUsage // what the file says in words that Maui ignores
}

// PassedUsage is usage that Maui does not read, although its manual shows such lines: User for
// user, a total without a name.
type PassedUsage struct {
	Usage map[string]map[string]float64 // as in UsageWindow; nil if there is none
	Total float64
}

// Source says what one input contributed.
type Source struct {
	Name    string // file name
	Format  string // one of the names in formats.go: native-json, squeue-json, maui-jobs …
	Records int    // records read
	Bad     int    // records that could not be read
	BadJobs int    // those of them that are jobs
}

// SprioColumn names a recorded column of sprio, such as "sprio.age". Its
// numbers are of type Double, its names (id, user, … and all that end in _name)
// of type String.
func SprioColumn(name string) schema.ColumnID { return schema.ColumnID("sprio." + name) }

// nowCertainty orders the ways in which an input knows the time.
type nowCertainty int

// A time that some record happens to carry is weaker than the time at which
// the resource manager wrote the file, and that than a time stated as such.
const (
	NowUnknown nowCertainty = iota
	nowGuessed
	NowRecorded
	NowStated
)

// KnowsNow reports a time that is known: 0 is one only where it was asked for, as the start of a trace.
func (s *Snapshot) KnowsNow() bool { return s.Now != 0 || s.Certainty == NowStated }

// ListsQOS reports an input that lists every QOS there is, as sacctmgr show qos does.
func (s *Snapshot) ListsQOS() bool {
	return slices.ContainsFunc(s.Sources, func(source Source) bool {
		return source.Records > 0 && source.Bad == 0 &&
			(source.Format == "slurm-sacctmgr-qos" || source.Format == "slurm-qos-json")
	})
}

// MergeUsage keeps one window per start time, newest first.
func MergeUsage(have, other []UsageWindow, p column.Precedence) []UsageWindow {
	for _, w := range other {
		i := slices.IndexFunc(have, func(h UsageWindow) bool { return h.StartTime == w.StartTime })
		switch {
		case i < 0:
			have = append(have, w)
		case p == column.LaterWins:
			have[i] = w
		}
	}
	slices.SortStableFunc(have, func(a, b UsageWindow) int {
		switch {
		case a.StartTime > b.StartTime:
			return -1
		case a.StartTime < b.StartTime:
			return 1
		}
		return 0
	})
	return have
}

// Moment counts the jobs of a trace at the snapshot's time.
type Moment struct {
	Waiting int `json:"waiting"`
	Running int `json:"running"`
	Ended   int `json:"ended"`
	Untimed int `json:"untimed"` // of those that wait: the trace does not record when they start or end
	Later   int `json:"later"`   // submitted after the time, and left out
}
