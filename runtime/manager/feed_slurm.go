package manager

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// slurmKey is what scontrol update sets of a job.
type slurmKey string

const (
	siteFactor slurmKey = "SiteFactor" // added to the computed priority, which goes on
	slurmNice  slurmKey = "Nice"       // subtracted from it; a user's own is replaced
	slurmTotal slurmKey = "Priority"   // instead of it: the job is not computed any more
)

// slurmOffset is the largest distance from zero of Nice and SiteFactor (scontrol: "+/- 2147483645").
const slurmOffset = math.MaxInt32 - 2

// Slurm's feeders.
var (
	SlurmSiteFactor Feeder = slurmFeeder{siteFactor}
	SlurmNice       Feeder = slurmFeeder{slurmNice}
	SlurmPriority   Feeder = slurmFeeder{slurmTotal}
)

type slurmFeeder struct{ key slurmKey }

func (f slurmFeeder) Kind() string { return "slurm " + string(f.key) }

// Range of Priority: 0 would hold the job, and the largest 32-bit numbers mean other things (slurm.h: INFINITE,
// NO_VAL).
func (f slurmFeeder) Range() (low, high int64) {
	if f.key == slurmTotal {
		return 1, math.MaxUint32 - 3
	}
	return -slurmOffset, slurmOffset
}

// Batch keeps the input of one scontrol below what a pipe holds, about 30 bytes a line.
func (slurmFeeder) Batch() int { return 500 }

func (f slurmFeeder) Value(w Wish, h Holding) int64 {
	switch f.key {
	case siteFactor:
		return w.Priority - (h.Priority - h.Value)
	case slurmNice:
		return h.Value - (w.Priority - h.Priority)
	}
	return w.Priority
}

// slurmReadBack has what a job is and, of those that wait and are not held, how its priority is made up. No text
// of a user is asked for: in the records of scontrol show job, a job's name, comment or folder with a line break in
// it, which sbatch takes, can pass for the record of somebody else's job.
//
// sprio comes first: a job that it lists is there when squeue is asked for those that have ended too, so that one that
// squeue lacks shows a table that was cut off between two lines.
var slurmReadBack = []Command{
	{Argv: []string{"sprio", "-o", sprioFormat}, File: "sprio.psv", Whole: wholeTable},
	{Argv: squeue(squeueFormat("JobID", "JobArrayID", "ArrayJobID", "ArrayTaskID", "State", "PriorityLong", "SubmitTime",
		"Partition"), "-t", "all"), File: "squeue.psv", Whole: wholeTable},
}

func (slurmFeeder) Ask([]Holding) []Call {
	var calls []Call
	for _, c := range slurmReadBack {
		calls = append(calls, Call{Argv: c.Argv, Env: SlurmEnvironment})
	}
	return calls
}

func (f slurmFeeder) Answer(_ []Holding, printed [][]byte) ([]Holding, error) {
	in := snapshot.Texts{}
	for i, c := range slurmReadBack {
		if err := c.Whole(printed[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Argv[0], err)
		}
		in[c.File] = printed[i]
	}
	s, err := readWhole(in)
	if err != nil {
		return nil, err
	}
	if n := SprioAlone(s); n > 0 {
		return nil, fmt.Errorf("squeue: the output is cut off, or jobs were taken out of the queue meanwhile: %d of those "+
			"that sprio lists are not in it", n)
	}
	jobs, _ := f.Held(s)
	return jobs, nil
}

// slurmName is what scontrol update takes for one record: 12, 12_3, or 20+1 of a heterogeneous job.
var slurmName = source.Pattern(`^[0-9]+([_+][0-9]+)?$`)

func (f slurmFeeder) Held(s *snapshot.Snapshot) (jobs []Holding, ok bool) {
	if s.Jobs == nil {
		return nil, true
	}
	rows := sprioRows(s)
	for i := range s.Jobs.Rows {
		text := func(name string) string { return s.Jobs.Value(schema.ColumnID("job."+name), i).Str }
		h := Holding{Job: text("id"), Standing: Waiting}
		h.Name = slurmRecord(s.Jobs, i)
		if v := s.Jobs.Value("job.submit_time", i); v.Known() {
			h.Submitted = strconv.FormatInt(v.Int, 10)
		}
		if v := s.Jobs.Value("job.array_job_id", i); v.Known() && v.Int > 0 {
			h.Array = strconv.FormatInt(v.Int, 10)
			h.Rest = !s.Jobs.Value("job.array_task_id", i).Known()
		}
		switch state := text("state"); {
		case state == "done":
			h.Standing = Ended
		case state != "" && state != "pending":
			h.Standing = Started
		case s.Jobs.Int("job.held", i) != 0:
			h.Standing = Held
		}
		f.value(&h, s, i, rows[h.Job])
		jobs = append(jobs, h)
	}
	return jobs, true
}

func (f slurmFeeder) Forget(s *snapshot.Snapshot) {
	forget(s, "job.site_factor") // an earlier run's, when --by was another
	switch f.key {
	case slurmNice:
		forget(s, "job.nice")
	case slurmTotal:
		forget(s, "job.direct_priority")
		forget(s, "job.nice") // scontrol takes it away with the first priority that it sets
	}
}

// value finds what the job has now.
func (f slurmFeeder) value(h *Holding, s *snapshot.Snapshot, job int, rows []int) {
	recorded := s.Jobs.Value("job.recorded_priority", job)
	direct := s.Jobs.Int("job.direct_priority", job) != 0
	if f.key == slurmTotal {
		h.Priority, h.Value, h.Computed = recorded.Int, recorded.Int, !direct
		if !recorded.Known() {
			h.Unknown = "no output says its priority"
		}
		return
	}
	if direct {
		h.Unknown = "its priority was set by hand, so that " + string(f.key) + " does nothing"
		return
	}
	partition := s.Jobs.Text("job.partition", job)
	at := slices.IndexFunc(rows, func(row int) bool { // a job of several partitions has a row for each
		name := s.Sprio.Value(snapshot.SprioColumn("partition_name"), row)
		return !name.Known() || name.Str == partition
	})
	if at < 0 {
		h.Unknown = "sprio does not list it"
		return
	}
	column := map[slurmKey]string{siteFactor: "site", slurmNice: "nice"}[f.key]
	value, priority := s.Sprio.Value(snapshot.SprioColumn(column), rows[at]),
		s.Sprio.Value(snapshot.SprioColumn("priority"), rows[at])
	if !value.Known() || !priority.Known() || value.Double == snapshot.SprioNoValue {
		h.Unknown = "sprio does not print its " + string(f.key)
		return
	}
	h.Value, h.Priority = int64(value.Double), int64(priority.Double)
	if h.Priority <= slurmFloor || h.Priority >= math.MaxUint32 {
		sum, ok := slurmSum(s.Sprio, rows[at])
		if !ok {
			h.Unknown = "its priority is a bound, and sprio was not asked for its factors"
		}
		h.Priority = sum
	}
}

// slurmFloor is the priority that slurmctld gives a job whose sum is less. It says nothing of the
// sum then, nor does the largest.
const slurmFloor = 1

// slurmSum adds what sprio prints, whole numbers each, so that it is near the sum and no more; the run after
// the one that lifts a job off the floor knows better.
func slurmSum(sprio *column.Table, row int) (sum int64, ok bool) {
	for _, name := range []string{"age", "assoc", "fairshare", "job_size", "partition", "qos", "site"} {
		v := sprio.Value(snapshot.SprioColumn(name), row)
		if !v.Known() {
			return 0, false
		}
		sum += int64(v.Double)
	}
	for _, c := range sprio.Columns() {
		if c.ID.Name() == "tres" && c.Type == schema.Double && !c.Missing.Get(row) {
			sum += int64(c.Doubles[row])
		}
	}
	return sum - int64(sprio.Value(snapshot.SprioColumn("nice"), row).Double), true
}

// sprioRows are the rows of sprio by job.
func sprioRows(s *snapshot.Snapshot) map[string][]int {
	rows := map[string][]int{}
	if ids := s.Sprio.Column(snapshot.SprioColumn("id")); ids != nil {
		for row, code := range ids.Codes {
			rows[ids.Dict[code]] = append(rows[ids.Dict[code]], row)
		}
	}
	return rows
}

// SprioAlone counts the jobs that only sprio lists: tasks of arrays that have records of their own, where jobs
// were read by a squeue that was not asked for each (--array-unique).
func SprioAlone(s *snapshot.Snapshot) int {
	rows := sprioRows(s)
	if ids := s.Jobs.Column("job.id"); ids != nil {
		for _, code := range ids.Codes {
			delete(rows, ids.Dict[code])
		}
	}
	return len(rows)
}

// slurmRecord is the name of one record. The number of an array stands for all of its tasks, also where it is
// the number of the record of its last task; the rest of the tasks has no name but the array's. The number of a
// heterogeneous job stands for all of its components too (update_job_str), so that each is named by its place.
func slurmRecord(jobs *column.Table, i int) string {
	if job, offset := jobs.Value("job.het_job_id", i), jobs.Value("job.het_offset", i); job.Known() && offset.Known() {
		return fmt.Sprintf("%d+%d", job.Int, offset.Int)
	}
	id, _, _ := strings.Cut(jobs.Text("job.id", i), "_[")
	record, array := jobs.Value("job.record_id", i), jobs.Value("job.array_job_id", i)
	if record.Known() && !(array.Known() && array.Int == record.Int) {
		return strconv.FormatInt(record.Int, 10)
	}
	if !slurmName().MatchString(id) {
		return ""
	}
	return id
}

// Set has one scontrol read a line for each job. Values differ from job to job, so that its lists of jobs are
// of no use, and a process for each job would cost more than the update.
func (f slurmFeeder) Set(settings []Setting, _ []Holding) []Call {
	var input []byte
	for _, s := range settings {
		if slurmName().MatchString(s.Name) {
			input = fmt.Appendf(input, "update JobId=%s %s=%d\n", s.Name, f.key, s.New)
		}
	}
	return []Call{{Argv: []string{"scontrol"}, Env: SlurmEnvironment, Input: input}}
}

// Alongside: an update of an array changes all its tasks, those that have records of their own too
// (update_job_str). To name the rest of the tasks instead would give each a record of its own.
func (slurmFeeder) Alongside(h Holding, all []Holding) []Holding {
	if !h.Rest {
		return nil
	}
	var also []Holding
	for _, o := range all {
		if o.Array == h.Array && !o.Rest && (o.Standing == Waiting || o.Standing == Held) {
			also = append(also, o)
		}
	}
	return also
}
