package verify_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fairway-sched/fairway/compiler"
	"github.com/fairway-sched/fairway/compiler/lower"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/program"
	"github.com/fairway-sched/fairway/runtime/snapshot"
	"github.com/fairway-sched/fairway/runtime/verify"
)

// queue is the snapshot of the example, which was taken from a running controller, in the making.
type queue struct {
	t       testing.TB
	program *program.Program
	*snapshot.Snapshot
}

const lastPass = 1795189249 // of the example

// example compiles the example's policy with some text replaced, and reads its snapshot.
func example(t testing.TB, edits ...string) *queue {
	t.Helper()
	q := &queue{t: t, program: exampleProgram(t, edits...)}
	q.readFolder(os.DirFS(filepath.Join("..", "..", "examples", "slurm-verify")), "snapshot")
	return q
}

// exampleProgram is its policy.
func exampleProgram(t testing.TB, edits ...string) *program.Program {
	t.Helper()
	folder := filepath.Join("..", "..", "examples", "slurm-verify")
	in := compiler.Input{Options: lower.Options{Version: "22.05"}}
	for _, name := range []string{"slurm.conf", "assoc.cfg"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, source.NewFile(name, []byte(strings.NewReplacer(edits...).Replace(string(text)))))
	}
	out := compiler.Compile(in)
	if out.Program == nil {
		t.Fatal(format(out.Diags))
	}
	return out.Program
}

func (q *queue) read(files fs.FS) { q.readFolder(files, ".") }

func (q *queue) readFolder(files fs.FS, name string) {
	q.t.Helper()
	s, diags, err := snapshot.Read(files, []string{name}, snapshot.Options{})
	if err != nil || diags.HasErrors() {
		q.t.Fatal(err, format(diags))
	}
	q.Snapshot = s
}

func (q *queue) run(s *snapshot.Snapshot, o evaluation.Options) (*evaluation.Result, error) {
	o.Workers = 1
	return engine.Run(q.program, s, o)
}

func (q *queue) compare(o verify.Options) *verify.Report {
	q.t.Helper()
	r, err := verify.Compare(q.Snapshot, q.run, o)
	if err != nil {
		q.t.Fatal(err)
	}
	return r
}

// as evaluates at a moment.
func (q *queue) as(epochSeconds int64) *evaluation.Result {
	q.t.Helper()
	s := *q.Snapshot
	s.Now = epochSeconds
	r, err := q.run(&s, evaluation.Options{})
	if err != nil {
		q.t.Fatal(err)
	}
	return r
}

// priority is that of a job, had it been computed at a moment.
func (q *queue) priority(id string, epochSeconds int64) float64 {
	r := q.as(epochSeconds)
	return float64(r.Priority[r.JobRow[q.job(id)]])
}

func (q *queue) row(t *column.Table, id schema.ColumnID, key string) int {
	q.t.Helper()
	for row := range t.Rows {
		if t.Value(id, row).Str == key {
			return row
		}
	}
	q.t.Fatalf("there is no %s %s", id, key)
	return 0
}

func (q *queue) job(id string) int { return q.row(q.Jobs, "job.id", id) }

// setPriority writes what squeue printed of a job.
func (q *queue) setPriority(id string, priority float64) {
	q.Jobs.Column("job.recorded_priority").Ints[q.job(id)] = int64(priority)
}

// setSprio writes what sprio printed of a job in its first row.
func (q *queue) setSprio(id, field string, value float64) {
	q.Sprio.Column(snapshot.SprioColumn(field)).Doubles[q.row(q.Sprio, "sprio.id", id)] = value
}

func (q *queue) sprio(id, field string) float64 {
	return q.Sprio.Value(snapshot.SprioColumn(field), q.row(q.Sprio, "sprio.id", id)).Double
}

// lookedAt has the scheduler look at jobs no later than at a moment.
func (q *queue) lookedAt(epochSeconds int64) {
	c := q.Jobs.Column("job.last_evaluation_time")
	for job, at := range c.Ints {
		c.Ints[job] = min(at, epochSeconds)
	}
}

// setState writes a job's state.
func (q *queue) setState(id, state string) {
	c := q.Jobs.Column("job.state")
	c.Dict = append(c.Dict, state)
	c.Codes[q.job(id)] = uint32(len(c.Dict) - 1)
}

// setReason writes a job's reason.
func (q *queue) setReason(id, reason string) { q.setReasonOf(q.job(id), reason) }

func (q *queue) setReasonOf(job int, reason string) {
	c := q.Jobs.Column("job.state_reason")
	if c.Dict[len(c.Dict)-1] != reason {
		c.Dict = append(c.Dict, reason)
	}
	c.Codes[job] = uint32(len(c.Dict) - 1)
}

// TestCauses changes what was printed, or the policy, and asks what verify says of it.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		cause  string // "" is none
		clean  bool
		only   string // the job that differs; "" is any
		why    string
		edits  []string
		change func(*queue)
	}{
		{cause: "tried-partition", clean: true, only: "11", why: "partition short", change: func(q *queue) {
			r := q.as(lastPass)
			q.setPriority("11", r.Score[r.JobRow[q.job("11")]+1])
		}},
		{cause: "computed-later", clean: true, only: "17", why: "20 seconds after the last pass", change: func(q *queue) {
			q.setSprio("17", "age", 2222)
			q.setSprio("17", "age_norm", 0.0222222)
			q.setSprio("17", "priority", q.priority("17", lastPass+20))
			q.Jobs.Column("job.eligible_time").Ints[q.job("17")] = lastPass + 20
			q.setPriority("17", q.sprio("17", "priority"))
		}},
		{cause: "other-moment", only: "17", why: "20 seconds from the last pass", change: func(q *queue) {
			q.setPriority("17", q.priority("17", lastPass+20))
		}},
		{cause: "age-not-counted", clean: true, only: "17", why: "AccrueTime was set", change: func(q *queue) {
			q.setSprio("17", "priority", q.sprio("17", "priority")-q.sprio("17", "age"))
			q.setSprio("17", "age", 0)
			q.setSprio("17", "age_norm", 0)
			q.setPriority("17", q.sprio("17", "priority"))
		}},
		{cause: "whole-nodes", clean: true, only: "35", why: "all 16 processors", change: func(q *queue) {
			q.Jobs.Column("job.procs").Ints[q.job("35")] = 5
			q.Jobs.Column("job.last_evaluation_time").Ints[q.job("35")] = lastPass + 5 // else its size is computed
		}},
		{cause: "other-factor", only: "11", change: func(q *queue) { // weighed twice, and the partition has the resource
			r, weighed := q.as(lastPass), q.Sprio.Value("sprio.tres(cpu)", q.row(q.Sprio, "sprio.id", "11")+1).Double
			q.setSprio("11", "priority", math.Trunc(r.Score[r.JobRow[q.job("11")]]-4000.0*3/64+4000*weighed))
			q.setSprio("11", "tres(cpu)", 4000*weighed)
			q.setSprio("11", "tres_norm(cpu)", weighed)
		}},
		// no QOS checks a threshold
		{cause: "", edits: []string{"PriorityWeightFairshare=200000", "PriorityWeightFairshare=0"}, change: func(q *queue) {
			weighed, plain := q.Sprio.Column("sprio.fairshare").Doubles, q.Sprio.Column("sprio.fairshare_norm")
			for row := range q.Sprio.Rows {
				weighed[row] = math.Round(plain.Doubles[row])
			}
			plain.Missing, q.Sprio.Column("sprio.priority").Missing = allMissing(q.Sprio.Rows), allMissing(q.Sprio.Rows)
			direct := q.job("39")
			q.Jobs.Column("job.recorded_priority").Missing = allMissing(q.Jobs.Rows)
			q.Jobs.Column("job.recorded_priority").Missing.Clear(direct)
		}},
		{cause: "other-weight", why: "PriorityWeightQOS is 50000 to the controller and 61000 here",
			edits: []string{"PriorityWeightQOS=50000", "PriorityWeightQOS=61000"}},
		{cause: "other-weight", why: "PriorityWeightTRES of cpu is 4000 to the controller and 9000 here",
			edits: []string{"CPU=4000", "CPU=9000"}},
		{cause: "other-factor", why: "see PriorityMaxAge",
			edits: []string{"PriorityMaxAge=1:00:00", "PriorityMaxAge=2:00:00"}},
		{cause: "other-factor", why: "see the priorities of all QOS", change: func(q *queue) {
			q.Credentials["qos"].Column("qos.priority").Ints[q.row(q.Credentials["qos"], "qos.name", "high")] = 200
		}},
		{cause: "maybe-set-by-hand", only: "39", why: "sprio -l", change: func(q *queue) {
			q.Sprio = nil
			q.Jobs.Column("job.direct_priority").Ints[q.job("39")] = 0
		}},
		{cause: "", only: "17", change: func(q *queue) { q.setPriority("17", 5) }},
		{cause: "never-tried", clean: true, only: "14", change: func(q *queue) {
			q.setReason("14", "None")
			q.Jobs.Column("job.last_evaluation_time").Missing.Set(q.job("14"))
			q.Jobs.Column("job.eligible_time").Ints[q.job("14")] = q.Now - 5
		}},
		{cause: "", only: "14", change: func(q *queue) { // it has waited for passes of the whole queue
			q.setReason("14", "None")
			q.Jobs.Column("job.last_evaluation_time").Missing.Set(q.job("14"))
			q.Jobs.Column("job.submit_time").Ints[q.job("14")] = q.Now - 100
			q.Jobs.Column("job.eligible_time").Ints[q.job("14")] = q.Now - 100
		}},
		{cause: "", only: "14", change: func(q *queue) { // the inputs state of no job when it was looked at
			q.setReason("14", "None")
			q.Jobs.Column("job.last_evaluation_time").Missing = allMissing(q.Jobs.Rows)
			q.Jobs.Column("job.eligible_time").Ints[q.job("14")] = q.Now - 5
		}},
		{cause: "", only: "14", change: func(q *queue) { q.setReason("14", "None") }},
		{cause: "other-limit", only: "14", why: "the limit stopped the job as well", change: func(q *queue) {
			q.setReason("14", "Priority")
			starts := q.Jobs.Column("job.start_time")
			for row := range starts.Ints {
				starts.Ints[row] = min(starts.Ints[row], lastPass-600)
			}
		}},
		{cause: "tried-before", clean: true, only: "14", change: func(q *queue) {
			q.setReason("14", "Priority")
			q.Jobs.Column("job.last_evaluation_time").Ints[q.job("14")] = lastPass - 20
			q.Jobs.Column("job.start_time").Ints[q.job("22")] = lastPass - 10
		}},
		// it was tried since
		{cause: "other-limit", only: "14", why: "the limit stopped the job as well", change: func(q *queue) {
			q.setReason("14", "Priority")
			q.Jobs.Column("job.start_time").Ints[q.job("22")] = lastPass - 10
		}},
		// in the same second, and in its turn before
		{cause: "tried-before", clean: true, only: "14", change: func(q *queue) {
			q.setReason("14", "Priority")
			q.Jobs.Column("job.start_time").Ints[q.job("22")] = lastPass
			q.setPriority("22", 1)
		}},
		{cause: "other-limit", only: "14", why: "the limit stopped the job as well", change: func(q *queue) { // and after
			q.setReason("14", "Priority")
			q.Jobs.Column("job.start_time").Ints[q.job("22")] = lastPass
		}},
		{cause: "other-limit", why: "the limit stopped the job as well",
			edits: []string{"'fay':DefaultAccount='biology':Fairshare=7",
				"'fay':DefaultAccount='biology':Fairshare=7:MaxWallDurationPerJob=10"}, change: func(q *queue) {
				q.lookedAt(lastPass - 20) // its user's jobs have started since, and it asks too much by itself
				q.Jobs.Column("job.start_time").Ints[q.job("22")] = lastPass - 10
			}},
		{cause: "tried-before", clean: true, only: "14", why: "before job 22 ended", change: func(q *queue) {
			q.setState("22", "done")
			q.Jobs.Column("job.end_time").Ints[q.job("22")] = lastPass - 10
			for _, id := range []string{"6", "30"} {
				q.setReason(id, "Priority")
			}
			q.Jobs.Column("job.last_evaluation_time").Ints[q.job("14")] = lastPass - 20
			q.Jobs.Column("job.recorded_priority").Missing = allMissing(q.Jobs.Rows)
			q.Sprio = nil
		}},
		{cause: "", only: "17", change: func(q *queue) { q.setReason("17", "JobArrayTaskLimit") }},
		{cause: "earlier-reason", clean: true, only: "17", why: "it was right at", change: func(q *queue) {
			q.setReason("17", "Dependency")
			q.Jobs.Column("job.eligible_time").Ints[q.job("17")] = lastPass - 10
			q.lookedAt(lastPass - 20)
			q.Sprio, q.Jobs.Column("job.recorded_priority").Missing = nil, allMissing(q.Jobs.Rows)
		}},
		{cause: "", only: "17", change: func(q *queue) { q.setReason("17", "Dependency") }},
		{cause: "earlier-reason", clean: true, only: "35", why: "it was right at",
			edits: []string{"Fairshare=40", "Fairshare=40:GrpTRESRunMins=cpu=570"}, change: func(q *queue) {
				q.setReason("35", "AssocGrpCPURunMinutesLimit")
				q.Jobs.Column("job.last_evaluation_time").Ints[q.job("35")] = lastPass - 60
			}},
		// it was tried since
		{cause: "", only: "35", edits: []string{"Fairshare=40", "Fairshare=40:GrpTRESRunMins=cpu=570"},
			change: func(q *queue) {
				q.setReason("35", "AssocGrpCPURunMinutesLimit")
			}},
		{cause: "", only: "12", change: func(q *queue) { q.setReason("12", "AssocMaxJobsLimit") }},
	} {
		t.Run(c.cause+" "+c.only, func(t *testing.T) {
			q := example(t, c.edits...)
			if c.change != nil {
				c.change(q)
			}
			r := q.compare(verify.Options{})
			if r.Clean() != c.clean || len(r.Differences) == 0 {
				t.Errorf("clean is %v", r.Clean())
			}
			found := false
			for i := range r.Differences {
				d := &r.Differences[i]
				name := ""
				if d.Cause != nil {
					name = d.Cause.Name
				}
				if name == "" && (d.Job == "36" || d.Job == "38") && c.cause == "other-factor" {
					continue // sprio does not list jobs that depend on others or begin later
				}
				if name != c.cause || c.only != "" && d.Job != c.only {
					t.Errorf("unexpected: %s", d)
				}
				found = found || strings.Contains(d.Why, c.why)
			}
			if !found {
				t.Errorf("nothing says %q", c.why)
			}
			if t.Failed() {
				t.Log(tableText(r))
			}
		})
	}
}

// TestEndedSince: sshare prints usage of now and levels of the last pass; jobs that ended in between are known.
func TestEndedSince(t *testing.T) {
	for _, charged := range []float64{50, 70} { // 10 seconds of 5 processors, and more than the job can have been charged
		q := example(t)
		q.Now = lastPass + 20
		q.setState("22", "done")
		q.Jobs.Column("job.end_time").Ints[q.job("22")] = lastPass + 10
		table := q.Credentials["association"]
		for _, name := range []string{"root", "biology", "biology/eli"} {
			table.Column("association.usage_seconds").Doubles[q.row(table, "association.name", name)] += charged
		}
		r := q.compare(verify.Options{})
		found := 0
		for i := range r.Differences {
			d := &r.Differences[i]
			if d.Check == "reason" { // jobs of its user may start
				continue
			}
			if d.Cause != nil && d.Cause.Name == "ended-since" && strings.Contains(d.Why, "job 22 ended") {
				found++
			} else if charged == 50 {
				t.Errorf("unexpected: %s", d)
			}
		}
		if (found > 0) != (charged == 50) {
			t.Errorf("%v seconds: %d numbers are put down to job 22:\n%s", charged, found, tableText(r))
		}
	}
}

// TestRequeuedSince: a job that was requeued is charged at its end, too: it was looked at last when it started, and
// submitted anew at its end or a second later.
func TestRequeuedSince(t *testing.T) {
	// 10 seconds of 5 processors are charged
	for _, submitted := range []int64{lastPass + 10, lastPass + 11, lastPass + 15} {
		q := example(t)
		q.Now = lastPass + 20
		job := q.job("22")
		q.setState("22", "pending")
		q.Jobs.Column("job.last_evaluation_time").Ints[job] = q.Jobs.Column("job.start_time").Ints[job]
		q.Jobs.Column("job.last_evaluation_time").Missing.Clear(job)
		q.Jobs.Column("job.submit_time").Ints[job] = submitted
		begin := column.Column{ID: "job.begin_time", Type: schema.Timestamp, Ints: make([]int64, q.Jobs.Rows)}
		restarts := column.Column{ID: "job.restarts", Type: schema.Int, Ints: make([]int64, q.Jobs.Rows)}
		for other := range q.Jobs.Rows {
			begin.Missing.Set(other)
		}
		begin.Missing.Clear(job)
		begin.Ints[job], restarts.Ints[job] = submitted+121, 1
		q.Jobs.Put(&begin)
		q.Jobs.Put(&restarts)
		table := q.Credentials["association"]
		for _, name := range []string{"root", "biology", "biology/eli"} {
			table.Column("association.usage_seconds").Doubles[q.row(table, "association.name", name)] += 50
		}
		r := q.compare(verify.Options{})
		found, none := 0, 0
		for i := range r.Differences {
			switch d := &r.Differences[i]; {
			case d.Check == "reason" || d.Job == "22":
			case d.Cause != nil && d.Cause.Name == "ended-since" && strings.Contains(d.Why, "job 22 ended"):
				found++
			default:
				none++
			}
		}
		if want := submitted < lastPass+15; (found > 0 && none == 0) != want {
			t.Errorf("submitted %d seconds after the pass: %d numbers are put down to job 22, %d are not:\n%s",
				submitted-lastPass, found, none, tableText(r))
		}
	}
}

// TestTwoCauses: what two causes explain together is put down to both.
func TestTwoCauses(t *testing.T) {
	q := example(t)
	q.Jobs.Column("job.procs").Ints[q.job("35")] = 5
	q.Jobs.Column("job.last_evaluation_time").Ints[q.job("35")] = lastPass + 5
	q.setSprio("35", "priority", q.sprio("35", "priority")-q.sprio("35", "age"))
	q.setSprio("35", "age", 0)
	q.setSprio("35", "age_norm", 0)
	q.setPriority("35", q.sprio("35", "priority"))
	r := q.compare(verify.Options{})
	causes := map[string]string{}
	for i := range r.Differences {
		if d := &r.Differences[i]; d.Cause != nil && d.Job == "35" {
			causes[d.Check+" "+d.Field] = d.Cause.Name
			if both := d.Field == "priority"; both != strings.Contains(d.Why, "besides, whole-nodes") {
				t.Errorf("%s: %s", d.Field, d.Why)
			}
		} else {
			t.Errorf("unexpected: %s", d)
		}
	}
	for of, want := range map[string]string{"priority priority": "age-not-counted", "sprio priority": "age-not-counted",
		"sprio age": "age-not-counted", "sprio job_size": "whole-nodes"} {
		if causes[of] != want {
			t.Errorf("%s is put down to %q, want %q", of, causes[of], want)
		}
	}
	if !r.Clean() {
		t.Error(tableText(r))
	}
}

func allMissing(rows int) column.Bitmap {
	var b column.Bitmap
	for row := range rows {
		b.Set(row)
	}
	return b
}

// TestAssociationsOff: a row of sshare that is off has no job, whatever causes look at jobs.
func TestAssociationsOff(t *testing.T) {
	q := example(t)
	q.Jobs.Column("job.procs").Ints[q.job("35")] = 5
	q.Jobs.Column("job.last_evaluation_time").Missing.Set(q.job("35"))
	factors := q.Credentials["association"].Column("association.fairshare_factor")
	off := 0
	for row := range factors.Doubles {
		if !factors.Missing.Get(row) {
			factors.Doubles[row], off = factors.Doubles[row]/3, off+1
		}
	}
	r := q.compare(verify.Options{})
	for i := range r.Differences {
		if d := &r.Differences[i]; d.Check == "sshare" && d.Field == "fairshare" && !d.Benign() {
			off--
		}
	}
	if off != 0 {
		t.Errorf("%d factors of sshare more than expected are off: %s", -off, tableText(r))
	}
}

// TestPassTime: the moment of the last pass is found, or taken as stated, which shows if it is wrong.
func TestPassTime(t *testing.T) {
	q := example(t)
	q.Now += 40
	r := q.compare(verify.Options{})
	if p := r.Checks[0].Pass; !r.Clean() || p.Time != lastPass || !p.Sought || p.Votes != p.Telling {
		t.Errorf("found %+v", p)
	}
	r = q.compare(verify.Options{PassTime: lastPass})
	if p := r.Checks[0].Pass; !r.Clean() || p.Time != lastPass || p.Sought {
		t.Errorf("stated %+v", p)
	}
	r = q.compare(verify.Options{PassTime: lastPass - 7})
	if p := r.Checks[0].Pass; r.Clean() || p.Time != lastPass-7 {
		t.Errorf("stated wrongly %+v", p)
	}
}

// TestOtherPolicies: without recorded numbers there is nothing to be right or wrong about; where there are
// some, they count for policies of any kind.
func TestOtherPolicies(t *testing.T) {
	files := fstest.MapFS{
		"p.fairway.hcl": {Data: []byte(`policy "p" {
  component "wait" {
    weight = 1
    term "minutes" { factor = "job.queue_minutes" }
  }
}`)},
		"none.json": {Data: []byte(`{"now": 1700000000, "jobs": [{"id": "1", "user": "a", "state": "pending", "submit_time": 1699999400}]}`)},
		"some.json": {Data: []byte(`{"now": 1700000000, "jobs": [
			{"id": "1", "user": "a", "state": "pending", "submit_time": 1699999400, "recorded_priority": 10},
			{"id": "2", "user": "a", "state": "pending", "submit_time": 1699999400, "recorded_priority": 11}]}`)},
	}
	if r := compare(t, files, "", []string{"p.fairway.hcl"}, []string{"none.json"}, verify.Options{}); r != nil {
		t.Error(tableText(r))
	}
	r := compare(t, files, "", []string{"p.fairway.hcl"}, []string{"some.json"}, verify.Options{})
	if len(r.Differences) != 1 || r.Differences[0].Job != "2" || r.Differences[0].Computed != 10 ||
		r.Differences[0].Benign() || r.Checks[0].Equal != 1 {
		t.Error(tableText(r))
	}
}

// TestCauseNames: causes are named once, and say what they mean.
func TestCauseNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range verify.Causes() {
		if seen[c.Name] || c.Name == "" || !strings.HasSuffix(c.Doc, ".") {
			t.Errorf("cause %q: %q", c.Name, c.Doc)
		}
		seen[c.Name] = true
	}
}
