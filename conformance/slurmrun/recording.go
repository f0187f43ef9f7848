package slurmrun

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/conformance/recorded"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// Run is one recording: expected.json. Compact copies have all that is here, and nothing else; what a
// copy leaves out, because a file of its outputs says it, is marked so.
type Run struct {
	Name        string       `json:"-"`
	Description string       `json:"description"`
	Version     string       `json:"slurm_version"`
	Meaningful  bool         `json:"reasons_meaningful"` // else no node was up: what needs none says something
	Submissions []Submission `json:"submissions,omitempty"`
	Snapshots   []Snapshot   `json:"snapshots"`
	Injected    []Leaf       `json:"injected_usage,omitempty"` // what the controller found in its state file
	// what it left there, with six decimals, as of the last snapshot
	Final []Leaf `json:"final_usage_raw,omitempty"`

	files    fs.FS
	compiled map[string]*program.Program // by what it was compiled of
	read     map[*Snapshot]*snapshot.Snapshot
}

// Submission is one sbatch, in the order in which they were typed.
type Submission struct {
	Command string  `json:"cmd"`
	Code    int     `json:"rc"`
	JobID   *string `json:"job_id,omitempty"`
	Error   *string `json:"error,omitempty"`
}

// Snapshot is one moment.
type Snapshot struct {
	Tag          string              `json:"tag"`
	Now          int64               `json:"now"` // of the last pass of priorities
	LastReset    int64               `json:"last_reset"`
	Captured     float64             `json:"captured_at,omitempty"`
	Jobs         []Job               `json:"jobs"`
	Associations []Association       `json:"associations,omitempty"`
	QOS          []map[string]string `json:"qos_state,omitempty"` // copies: of runs that found usage of QOS
	Backfill     *Cycle              `json:"backfill,omitempty"`
}

// Cycle is the last cycle of sched/backfill.
type Cycle struct {
	When  int64 `json:"last_cycle_when"`
	Depth int   `json:"Last depth cycle"`             // jobs tested
	Tried int   `json:"Last depth cycle (try sched)"` // of them, those whose placement was tried
	Queue int   `json:"Last queue length"`
	Table int   `json:"Last table size"`
}

// Job is what was recorded of a job.
type Job struct {
	ID          int64            `json:"job_id"`
	Array       int64            `json:"array_job_id,omitempty"`
	Task        any              `json:"array_task_id,omitempty"`
	State       string           `json:"state"`
	Reason      string           `json:"reason,omitempty"`
	Priority    int64            `json:"priority"`
	Sharing     string           `json:"oversubscribe,omitempty"`
	ByPartition map[string]int64 `json:"true_priority_by_partition,omitempty"`
	Sprio       []Sprio          `json:"priority_by_partition,omitempty"`

	// What was planned: by squeue --start.
	Planned      int64  `json:"planned_start,omitempty"`
	PlannedNodes string `json:"planned_nodes,omitempty"`
	Scheduler    string `json:"scheduler,omitempty"` // that started or last looked at it: Main, Backfill
	Nodes        string `json:"nodelist,omitempty"`

	// Of jobs that have run. Copies leave it out of others.
	User      string  `json:"user,omitempty"`
	Account   string  `json:"account,omitempty"`
	QOS       string  `json:"qos,omitempty"`
	Partition string  `json:"partition,omitempty"`
	Submit    float64 `json:"submit,omitempty"`
	Start     float64 `json:"start,omitempty"`
	End       float64 `json:"end,omitempty"`
	Requested string  `json:"req_tres,omitempty"`
	Allocated *string `json:"alloc_tres,omitempty"`
	Billing   float64 `json:"billing,omitempty"`
}

// Sprio is a row of sprio: the factor that nothing else shows with seven decimals.
type Sprio struct {
	Normalized struct {
		Fairshare float64 `json:"fairshare"`
	} `json:"normalized"`
}

// Name is the id as commands print it: tasks split off an array as ARRAY_TASK, the rest
// of an array as ARRAY.
func (j *Job) Name() string {
	if j.Array == 0 {
		return strconv.FormatInt(j.ID, 10)
	}
	task := fmt.Sprint(j.Task)
	if _, err := strconv.Atoi(task); err != nil || j.ID == j.Array && j.Task == nil {
		return strconv.FormatInt(j.Array, 10)
	}
	return strconv.FormatInt(j.Array, 10) + "_" + task
}

// Association is a row of sshare, with usage as scontrol show assoc_mgr has it. Its factors are in
// the outputs.
type Association struct {
	Account   string          `json:"account"`
	User      string          `json:"user,omitempty"`
	Partition string          `json:"partition,omitempty"`
	Depth     int             `json:"depth"`
	Shares    json.RawMessage `json:"raw_shares,omitempty"` // a number or "parent"
	Usage     float64         `json:"usage_raw_2dp"`
}

// Key names it as snapshots do.
func (a *Association) Key() string {
	p := program.Association{Account: a.Account, User: a.User, Partition: a.Partition}
	return p.Key()
}

// Leaf is the usage of a user's association.
type Leaf struct {
	Account   string          `json:"account"`
	User      string          `json:"user"`
	Partition string          `json:"partition,omitempty"`
	Usage     json.RawMessage `json:"usage_raw"` // a string or a number
}

// infinity: expectations were written by a program that says Infinity.
var infinity = regexp.MustCompile(`:\s*-?Infinity\b`)

// Open reads what was recorded.
func Open(c recorded.Case) (*Run, error) {
	text, err := fs.ReadFile(c.Files, "expected.json")
	if err != nil {
		return nil, err
	}
	r := &Run{Name: c.Name, files: c.Files, compiled: map[string]*program.Program{},
		read: map[*Snapshot]*snapshot.Snapshot{}}
	if err := json.Unmarshal(infinity.ReplaceAll(text, []byte(":null")), r); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return r, nil
}

// All opens those of the recordings that show associations.
func All(cases []recorded.Case) ([]*Run, error) {
	var runs []*Run
	for _, c := range cases {
		r, err := Open(c)
		if err != nil {
			return nil, err
		}
		if r.showsAssociations() {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

func (r *Run) showsAssociations() bool {
	for _, name := range []string{"sshare.psv", "sshare_full.psv"} { // copies have one of them
		if text, ok := r.Text(&r.Snapshots[0], name); ok && strings.Contains(text, "root|") {
			return true
		}
	}
	return false
}
