// Package push decides which of a policy's priorities a resource manager gets, and sends them so that a run
// which is broken off at any moment can be run again and ends in the same state.
//
// In: a result of the engine, what the resource manager holds (package manager), bounds. Out: a Plan, which
// is text that can be kept; and, for a Machine that is given ways to run commands and to write a journal, the
// carrying out and the undoing of it. Called by the verb of the same name. It reads no clock, starts no process
// and touches no file.
package push

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/manager"
)

// Bounds are what a run may do at most.
type Bounds struct {
	MaxChanges int     `json:"max_changes"` // 0: as many as there are
	MaxShare   float64 `json:"max_share"`   // of the waiting jobs, from 0 to 1
	Threshold  int64   `json:"threshold"`   // a smaller change is not worth a command
}

// Tighter is what both bounds allow. The threshold was for the making of the plan.
func (b Bounds) Tighter(other Bounds) Bounds {
	if other.MaxChanges > 0 && (b.MaxChanges == 0 || other.MaxChanges < b.MaxChanges) {
		b.MaxChanges = other.MaxChanges
	}
	b.MaxShare = min(b.MaxShare, other.MaxShare)
	return b
}

// Change is a new value for a job.
type Change struct {
	Job       string `json:"job"`
	Name      string `json:"name"`
	Submitted string `json:"submitted,omitempty"`
	Priority  int64  `json:"priority"` // what the policy wants in total
	Old       int64  `json:"old"`
	New       int64  `json:"new"`
	Asks      string `json:"asks,omitempty"` // what the job asks for, in short: who refused it may take another
	User      string `json:"user,omitempty"`
	Computed  bool   `json:"computed,omitempty"` // Old is the resource manager's own and moves

	// Through is a value that the job passes through, because a command for its array gives it to all tasks.
	Through *int64 `json:"through,omitempty"`
	// Keep: nothing is to change, and the command for the array would change it.
	Keep bool `json:"keep,omitempty"`
}

// Skipped is a job that gets no new value.
type Skipped struct {
	Job string `json:"job"`
	Why string `json:"why"`
}

// File is an input of a plan by name and content.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Plan is what a run is going to do.
type Plan struct {
	FormatVersion int    `json:"format_version"`
	Run           string `json:"run"`
	Made          string `json:"made"` // RFC 3339
	Target        Target `json:"target"`
	Undoes        string `json:"undoes,omitempty"` // the run that it takes back

	Policy       []File `json:"policy"`
	Snapshot     []File `json:"snapshot"`
	SnapshotTime int64  `json:"snapshot_time"` // epoch seconds

	Bounds  Bounds    `json:"bounds"`
	Waiting int       `json:"waiting"`          // jobs that the policy ranks
	Held    int       `json:"held"`             // jobs that wait too and are held, so that they are not ranked
	Failed  int       `json:"failed,omitempty"` // jobs that wait too and have no priority
	Right   int       `json:"right"`            // those that have their value, or nearly
	Changes []Change  `json:"changes"`
	Skipped []Skipped `json:"skipped"`
	Refused int       `json:"refused,omitempty"` // of the skipped, those that were refused before
}

// Target says who is fed, as on the command line.
type Target struct {
	To      string   `json:"to"`
	By      string   `json:"by,omitempty"`
	Command []string `json:"command,omitempty"`
	Cluster string   `json:"cluster,omitempty"`
}

// Make compares what a policy wants of the waiting jobs with what the resource manager holds.
func (p *Plan) Make(r *evaluation.Result, held []manager.Holding, f manager.Feeder, known Lessons) {
	index := make(map[string]manager.Holding, len(held))
	for _, h := range single(held) {
		if !h.Left { // an id is used again, and this one is of the job before
			index[h.Job] = h
		}
	}
	low, high := f.Range()
	p.Waiting = len(r.Order)
	count := r.Count()
	skipped := 0 // without a priority, and ranked for another partition
	for _, job := range r.Order {
		if r.JobFailed(int(job)) {
			skipped++
		}
	}
	p.Failed = max(0, count.Failed-skipped)
	p.Held = max(0, count.Waiting()-p.Waiting-p.Failed)
	ids, ask := r.Jobs.Column("job.id"), newAsker(r.Jobs)
	for at, job := range r.Order {
		id := ids.Dict[ids.Codes[job]]
		skip := func(format string, args ...any) {
			p.Skipped = append(p.Skipped, Skipped{id, fmt.Sprintf(format, args...)})
		}
		h, ok := index[id]
		row := int(r.JobRow[job])
		switch {
		case r.Failed.Get(row):
			skip("the policy has no priority for it: an expression failed")
			continue
		case !ok:
			skip("the resource manager does not list it")
			continue
		case h.Standing != manager.Waiting:
			skip("it does not wait: %s", h.Standing)
			continue
		case h.Unknown != "":
			skip("%s", h.Unknown)
			continue
		case h.Name == "":
			skip("its id is none that commands take")
			continue
		}
		want := r.JobPriority(int(job))
		value := f.Value(manager.Wish{Priority: want, Rank: at + 1, Of: len(r.Order)}, h)
		switch distance := max(value-h.Value, h.Value-value); {
		case value < low || value > high:
			skip("it would need %d, and %s takes %d to %d", value, f.Kind(), low, high)
		case distance < max(1, p.Bounds.Threshold):
			p.Right++
		default:
			c := Change{Job: id, Name: h.Name, Submitted: h.Submitted, Asks: ask.of(int(job)), Priority: want,
				User: r.Jobs.Text("job.user", int(job)), Old: h.Value, New: value, Computed: h.Computed}
			if why := known.Refuses(c); why != "" {
				p.Refused++
				skip("%s", why)
				continue
			}
			p.Changes = append(p.Changes, c)
		}
	}
	slices.SortStableFunc(p.Changes, known.later)
	for _, h := range held {
		if h.Left && h.Value != 0 {
			p.Changes = append(p.Changes, Change{Job: h.Job, Name: h.Name, Submitted: h.Submitted, Old: h.Value})
		}
	}
}

// Beyond says which bound the plan is beyond, "" if none. Such a plan is not carried out in part.
func (p *Plan) Beyond() string {
	n := len(p.Changes)
	all := max(p.Waiting, n)
	switch {
	case p.Bounds.MaxChanges > 0 && n > p.Bounds.MaxChanges:
		return fmt.Sprintf("%d jobs would change, which is more than --max-changes %d", n, p.Bounds.MaxChanges)
	case n > 0 && float64(n) > p.Bounds.MaxShare*float64(all):
		return fmt.Sprintf("%d of %d jobs would change, which is more than --max-share %g", n, all, p.Bounds.MaxShare)
	}
	return ""
}

// Asked are the jobs that a policy ranks, for feeders that are asked job by job.
func Asked(r *evaluation.Result) []manager.Holding {
	list := make([]manager.Holding, 0, len(r.Order))
	for _, job := range r.Order {
		h := manager.Holding{Job: r.Jobs.Text("job.id", int(job))}
		if v := r.Jobs.Value("job.submit_time", int(job)); v.Known() && v.Type == schema.Timestamp {
			h.Submitted = fmt.Sprint(v.Int)
		}
		list = append(list, h)
	}
	return list
}

// compareRest puts a change of all tasks of an array before those of single ones.
func compareRest(a, b manager.Setting) int {
	rest := func(s manager.Setting) int {
		if s.Rest {
			return 0
		}
		return 1
	}
	return cmp.Compare(rest(a), rest(b))
}
