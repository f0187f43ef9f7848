// Package evaluation is what an evaluation comes to: a queue that is scored, ordered and decided, with what explains
// it. The stages that fill it are its folders; what each scheduler does its own way is in runtime/family.
package evaluation

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/fairshare"
	"github.com/fairway-sched/fairway/runtime/limit"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/vm"
)

// Joined is one credential column over the dictionary of its key, with the
// place that set each value.
type Joined struct {
	Key    schema.ColumnID // the job column it is joined by
	Column *column.Column  // one entry per dictionary entry of Key
	Source []string        // per entry: what set it, "" for a default
	Span   []source.Span   // per entry: where
}

// Value boxes a column for a row, following its shape: for explanations.
func (r *Result) Value(id schema.ColumnID, row int) schema.Value {
	if v, ok := r.Once[id]; ok {
		return v
	}
	if j := r.Settings[id]; j != nil {
		key := r.Rows.Column(j.Key)
		if key == nil {
			return j.Column.Value(0)
		}
		return j.Column.Value(int(key.Codes[row]))
	}
	if doc := schema.Lookup(id); r.Rows.Column(id) == nil && doc != nil && doc.Absent == schema.AbsentZero {
		return schema.Value{Type: doc.Type}
	}
	return r.Rows.Value(id, row)
}

func (r *Result) JobID(job int) string { return r.Jobs.Text("job.id", job) }

// RefusedAll reports a job that none of its partitions takes.
func (r *Result) RefusedAll(job int) bool {
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if !r.Refused.Get(row) {
			return false
		}
	}
	return true
}

// Entries is the range of a job's rows: one for each partition it was submitted to.
func (r *Result) Entries(job int) (first, end int) {
	first = int(r.JobRow[job])
	end = first + 1
	for end < len(r.RowJob) && int(r.RowJob[end]) == job {
		end++
	}
	return first, end
}

// JobFailed reports a job that has a priority in none of its partitions.
func (r *Result) JobFailed(job int) bool {
	if len(r.Failed) == 0 {
		return false
	}
	first, end := r.Entries(job)
	for row := first; row < end; row++ {
		if !r.Failed.Get(row) {
			return false
		}
	}
	return true
}

// Tier is the PriorityTier of a row's partition; Slurm's default is 1.
func (r *Result) Tier(row int) int64 {
	if r.Tiers != nil {
		return r.Tiers[row]
	}
	if v := r.Value("partition.priority_tier", row); v.Known() {
		return v.Int
	}
	return 1
}

func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// State is where a job is.
type State uint8

// The states. Blocked jobs wait for something that passes by itself: a dependency, a begin
// time, a limit; Held ones for a person or a policy's hold.
const (
	Eligible State = iota
	Blocked
	Held
	Running
	Done
	Rejected // of a job that is asked about as if it were submitted now
)

func (s State) String() string {
	return [...]string{"eligible", "blocked", "held", "running", "done", "rejected"}[s]
}

// Result is an evaluated queue. Slices named per row have one entry per scored
// row (a Slurm job has one row per partition it names); per job, one per job of
// the snapshot, in its order.
type Result struct {
	Program  *program.Program
	Facts    Facts // of its scheduler
	Snapshot *snapshot.Snapshot
	Now      int64 // epoch seconds
	Pass     int64 // epoch seconds: what priorities are as of, where Options.Pass says that this is not Now; else 0

	Jobs   *column.Table // the snapshot's jobs with derived columns
	Rows   *column.Table // the scored rows; the same table when no job has several
	RowJob []int32       // per row: index of its job
	JobRow []int32       // per job: its first row, the one whose priority is the job's

	Score    []float64     // per row: the sum before floor, ceiling and overrides
	Priority []int64       // per row: the integer the real scheduler would store
	Failed   column.Bitmap // rows without a priority because an expression failed
	Losses   []Loss        // and why
	Terms    []TermColumn  // per component and term in order; nil unless kept
	Sums     []SumColumn   // per component; nil unless kept

	Overridden []column.Bitmap // per Program.Overrides: rows whose priority it decided; nil unless kept

	State  []State  // per job
	Reason []string // per job: the real scheduler's word, "" if none
	Why    []*Block // per job: why it may not start, in parts; nil for one that may

	// Stored is, per job, the priority after a selection that moves what priorities depend on; nil where there is none.
	Stored []int64

	RunPriority []float64               // per job: what preemption goes by; NaN for a job that does not run, nil: nothing
	Windows     *fairshare.WindowShares // fairshare of windows of usage; nil without
	Tree        *TreeShares             // fairshare of an account tree; nil where recorded factors are taken, or none

	SlurmLimits *slurmlimit.Limits // Slurm's limits of associations and QOS with their counters; nil where none count

	Started []int32     // jobs that start in this evaluation, in the order in which they do
	Limits  *limit.Gate // the counters as they stand in the end; nil where none were asked
	Taken   [2][]int32  // by limit.Bound: the jobs that the walk with those bounds took, in its order; they count as idle

	Order []int32 // job indices of waiting jobs that are not held, best first
	Rank  []int32 // per job: position in Order from 1, 0 if not in it

	// rows that are in the queue: of waiting jobs, neither failed nor held, nor barred where another is free
	Queued  column.Bitmap
	RankRow []int32 // per job: the row that its place in Order comes from; JobRow's for a job that is not ranked

	// Barred says, of jobs that were submitted to several partitions, what keeps a job from starting by a row.
	Barred map[int32]*Block

	Tiers     []int64                   // per row: see Tier; nil until settings are known
	Admission []column.Bitmap           // per Program.Admission: the rows that it refuses; nil where none was asked
	Refused   column.Bitmap             // rows that a partition, or a hold of a phase, keeps out of the queue
	Rules     func(*Result) []OrderRule // of the order of the queue; nil: priorities alone
	Ties      []int32                   // all jobs as the rules order those of equal priority; nil until they are ranked

	Scored   scored             // what its priorities were computed from
	Options  Options            // what it was evaluated with
	Schedule *backfill.Schedule // who starts when and where, where the selection decided it

	Own      any                    // what its scheduler alone has; its folder of runtime/family knows the type
	Refusals *limit.Refusals        // what the walks did not take jobs for; nil where Why says it
	Usage    []snapshot.UsageWindow // the windows as of now, for the next evaluation

	MakeNext func() *checkpoint.Checkpoint // of Next; nil where there is none

	Settings map[schema.ColumnID]*Joined      // credential columns the program read
	Once     map[schema.ColumnID]schema.Value // read columns of one value per run: cluster totals, aggregates
	Findings diag.List
}

// Next is what the next evaluation needs to know of this one; for Slurm nil unless asked for.
func (r *Result) Next() *checkpoint.Checkpoint {
	if r.MakeNext == nil {
		return nil
	}
	return r.MakeNext()
}

// TermColumn holds one term for every row.
type TermColumn struct {
	Component, Term       int // indices into Program.Components and its Terms
	Factor, Weight, Value []float64
	Cap                   []float64 // nil if the term has no cap
	FactorFailed          column.Bitmap
	Defines               []*vm.Vector // as in the program's term
}

// SumColumn holds one component for every row: Sum before its cap, Value = weight · capped sum.
type SumColumn struct {
	Component          int
	Weight, Sum, Value []float64
	Cap                []float64 // nil if the component has no cap
}

// Contribution is what the term adds to the score before the component's cap.
func (r *Result) Contribution(t *TermColumn, row int) float64 {
	return float64(r.Sums[t.Component].Weight[row] * t.Value[row])
}

// Capped reports whether the term's own cap was in effect.
func (t *TermColumn) Capped(row int) bool {
	return t.Cap != nil && isCapped(t.Cap[row], t.Factor[row])
}

// isCapped: a cap that is not above 0 is none, and no cap bounds what is infinite.
func isCapped(limit, x float64) bool { return limit > 0 && x > limit && Finite(x) }

// Capped reports whether the component's cap was in effect.
func (s *SumColumn) Capped(row int) bool {
	return s.Cap != nil && isCapped(s.Cap[row], s.Sum[row])
}

// VersionNumber is 2205 for 22.05.
func VersionNumber(version string) int {
	year, month, _ := strings.Cut(version, ".")
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	return 100*y + m
}

// Suspended is the state of a job that started and stands still. It is listed with those that run.
const Suspended = "suspended"

// Suspended reports a job that stands still. Maui walks the queue with it as with those that wait: it
// uses nothing, and may be resumed (recorded: b07, where one passes every filter).
func (r *Result) Suspended(job int) bool { return r.Jobs.Text("job.state", job) == Suspended }

// HeldByPolicy reports a job whose every entry is held, and which hold has its first one: a hold
// in one partition leaves the job's entries in the others.
func (r *Result) HeldByPolicy(i int, holds []column.Bitmap) (hold int, held bool) {
	if len(holds) == 0 {
		return 0, false
	}
	first, end := r.Entries(i)
	for row := end - 1; row >= first; row-- {
		hold = slices.IndexFunc(holds, func(hold column.Bitmap) bool { return hold.Get(row) })
		if hold < 0 {
			return 0, false
		}
	}
	return hold, true
}

func Word(recorded, fallback string) string {
	if recorded == "" || recorded == "None" {
		return fallback
	}
	return recorded
}

// Active are the states of jobs that Slurm counts as running.
var Active = map[string]bool{"running": true, Suspended: true, "completing": true}

// Counts are the jobs of a queue by what they do. Every summary counts by them, so that all give the same numbers.
type Counts struct {
	Running  int
	Eligible int // may start
	Blocked  int
	Held     int // whether they have a priority or not
	Failed   int // others that wait without a priority, as an expression failed
	Rejected int // would be refused at submission
	Done     int
}

// Waiting are the jobs that are in the queue and do not run: what the resource manager calls pending.
func (c Counts) Waiting() int { return c.Eligible + c.Blocked + c.Held + c.Failed }

// Count counts all jobs.
func (r *Result) Count() (c Counts) {
	for job, state := range r.State {
		switch {
		case state == Running:
			c.Running++
		case state == Done:
			c.Done++
		case state == Held:
			c.Held++
		case state == Rejected:
			c.Rejected++
		case r.JobFailed(job):
			c.Failed++
		case state == Eligible:
			c.Eligible++
		default:
			c.Blocked++
		}
	}
	return c
}

// Loss is a failure that costs rows their priority.
type Loss struct {
	Rows    column.Bitmap
	Message string
	Span    source.Span
}

// FailedBecause is why a job has no priority, and the place of the expression.
func (r *Result) FailedBecause(job int) (message string, span source.Span) {
	row := int(r.JobRow[job])
	for _, l := range r.Losses {
		if l.Rows.Get(row) {
			return l.Message, l.Span
		}
	}
	return NoPriority, source.Span{}
}

// NoPriority is the reason of a job whose place among the others is unknown: it would pass every limit on
// those before it. No scheduler knows of such jobs.
const NoPriority = "has no priority, as an expression failed for it"

// RefusedFor is the limit for which a walk through the queue did not take a job, with the use that the
// walk had counted by then: Maui's walk with those bounds, or the only one of a policy from scratch. nil
// if it took the job, or passed it over for something else.
func (r *Result) RefusedFor(job int, b limit.Bound) *limit.Violation {
	switch {
	case r.Refusals != nil:
		return r.Refusals.Limit(r.Limits, b, int32(job))
	case r.Why[job] != nil:
		return r.Why[job].Limit
	}
	return nil
}

// RefusedAtSubmission reports a job that slurmctld would not have taken, so that it would not wait: one that asks for
// a QOS which it may not have, or for a partition that is root's alone; with EnforcePartLimits also one that is beyond
// what its partition takes (slurm.conf.5; seen with 22.05). A job that has been taken waits when that changes.
func (r *Result) RefusedAtSubmission(job int) bool {
	b := r.Why[int32(job)]
	if b == nil || b.Refusal == nil {
		return false
	}
	switch b.Kind {
	case BlockAccess, BlockSubmission:
		return true
	case BlockPartition:
		column := b.Refusal.Column
		state := column == "partition.state" || column == "" // which passes
		return column == "partition.root_only" || !state && r.Program.Slurm != nil &&
			slices.Contains([]string{"ANY", "ALL"}, r.Program.Slurm.PartitionLimits)
	}
	return false
}
