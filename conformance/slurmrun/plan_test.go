package slurmrun_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fairway-sched/fairway/conformance/recordedtest"
	"github.com/fairway-sched/fairway/conformance/slurmrun"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/engine"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
)

// slurmPlans are the cases about which job starts when.
var slurmPlans = regexp.MustCompile(`^(backfill-|big-|fs-classic-running$|limit-exclusive-grp$|partition-multi-(reasons|tiers)$)`)

// TestRecordedSlurmPlan compares plans with what slurmctld did and planned: who starts, by which pass and on which
// nodes, for when and where the others are planned, and why they wait.
func TestRecordedSlurmPlan(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.Copies(t, "slurm"), c.slurmPlans)
	c.atLeast(t, map[string]int{"start": 80, "planned": 1300, "nodes": 800, "reason": 1300, "exact": 3600})
}

func TestFullRecordedSlurmPlan(t *testing.T) {
	c := compared{}
	recordedtest.EachSlurm(t, recordedtest.FullSlurm(t, ""), c.slurmPlans)
	c.atLeast(t, map[string]int{"start": 130, "planned": 2200, "nodes": 1150, "reason": 2100, "exact": 5700})
}

// planException is a row that differs, in the cases and for the jobs that match.
type planException struct {
	cases string // regular expression over "case tag"
	jobs  []int64
	what  string // of start, planned, nodes, reason, tried; "" is all
	why   string
}

// slurmUnplanned are the rows that differ.
var slurmUnplanned = []planException{
	{`^(backfill-limits|big-fairtree-600-v25\.11) after$`, []int64{5, 234, 237, 359, 459}, "start",
		"the backfill cycle came before any main pass, which would have started the job as well"},
	{`^backfill-sched-depth(-v25\.11)? after$`, []int64{5, 8}, "reason",
		"another main pass followed, in which the jobs that had started no longer took up partition_job_depth: the " +
			"reasons are of that one"},
	{`^(backfill-multi-partition|partition-multi-tiers) after2?$`, []int64{5, 6, 8, 17}, "reason",
		"another main pass followed, which finds the nodes of a partition busy that takes the job; when the cycle began " +
			"it cleared or wrote what the other says"},
	{`^preempt-qos-cpus-reorder after$`, []int64{9}, "planned",
		"slurmctld's clock went on by a second while jobs were preempted"},
	{`^preempt-qos-modes after2$`, nil, "",
		"the cycle came before the main pass, and ended the jobs whose time of grace was over"},
	{`^preempt-exempt after3$`, []int64{0}, "tried", "a main pass started a job that the cycle would have tried"},
	{`^loopback-switches-weight after$`, []int64{0}, "tried", "a main pass came while the cycle went on"},
	{`^power-suspend after$`, []int64{0}, "tried", "a main pass started a job that the cycle would have tried"},
	{`^backfill-max-job-test-5 after$`, []int64{10}, "nodes",
		"squeue shows the nodes of an earlier cycle for a job that the last one did not come to"},
}

// slurmPlans compares every moment of a run.
func (c compared) slurmPlans(t *testing.T, r *slurmrun.Run) {
	if !slurmPlans.MatchString(r.Name) {
		return
	}
	p := planCompared{compared: c}
	p.all(t, r)
}

var isLimit = regexp.MustCompile(`^(Assoc|QOS)`)

// planCompared compares one run.
type planCompared struct {
	compared
	rows, exact int

	t    *testing.T
	name string // case and tag
	plan *backfill.Schedule
	jobs map[string]*backfill.Placement

	victims  map[string]backfill.Victim
	captured int64
}

func (p *planCompared) moment(t *testing.T, r *slurmrun.Run, s *slurmrun.Snapshot, m *slurmrun.Moment) {
	policy, err := r.Program(s, true)
	if err != nil {
		t.Fatal(err)
	}
	if m.CycleAlone() {
		policy.Plan = cycleAlone(policy.Plan)
	}
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	result := recordedtest.Evaluate(t, policy, state)
	plan, err := engine.Plan(result, planning.Options{Pass: m.Pass, Cycle: m.Cycle})
	if err != nil {
		t.Fatal(err)
	}
	p.t, p.name, p.plan, p.jobs = t, r.Name+" "+s.Tag, plan, map[string]*backfill.Placement{}
	for k := range plan.Requests {
		r := &plan.Requests[k]
		switch {
		case r.TaskIDs == nil:
			p.jobs[r.ID] = &plan.Told[k]
		case r.Job == r.Row: // what waits of an array is one record to slurmctld
			p.jobs[strconv.FormatInt(r.Array, 10)] = &plan.Told[k]
		}
	}
	p.victims = map[string]backfill.Victim{}
	for _, v := range plan.Preempted {
		p.victims[p.id(v.Job)] = v
	}
	p.captured = int64(s.Captured)
	p.started(m)
	if !m.Last {
		return
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.State == "PENDING" {
			p.waiting(j)
		}
	}
	if s.Backfill != nil && plan.Tried != s.Backfill.Tried {
		p.differs(0, "tried", "%d jobs were tried, recorded are %d", plan.Tried, s.Backfill.Tried)
	}
}

// cycleAlone is a plan without a main pass.
func cycleAlone(plan *program.Plan) *program.Plan {
	out, settings := *plan, *plan.Slurm
	settings.Main = false
	out.Slurm = &settings
	return &out
}

// started compares who starts, by which pass, when and where. slurmctld's clock goes on while it looks at the
// queue.
func (p *planCompared) started(m *slurmrun.Moment) {
	recorded := map[string]bool{}
	for _, j := range m.Started {
		recorded[j.Name()] = true
		got := p.jobs[j.Name()]
		if got == nil {
			p.t.Errorf("job %s is missing", j.Name())
			continue
		}
		at := map[string]int64{"Main": m.Pass, "Backfill": m.Cycle}[j.Scheduler]
		p.row(j.ID, "start", fmt.Sprintf("by %s at %d on %s", got.By, got.Start, p.nodes(got)),
			fmt.Sprintf("by %s at %d on %s", strings.ToLower(j.Scheduler), at, sortedHosts(p.t, j.Nodes)))
	}
	for id, got := range p.jobs {
		if (got.By == backfill.ByMain || got.By == backfill.ByBackfill) && !recorded[id] {
			p.t.Errorf("job %s starts by %s, recorded is that it did not", id, got.By)
		}
	}
}

// waiting compares what is planned for a job and why it waits.
func (p *planCompared) waiting(j *slurmrun.Job) {
	got := p.jobs[j.Name()]
	if got == nil {
		p.t.Errorf("job %s is missing", j.Name())
		return
	}
	if v, preempted := p.victims[j.Name()]; preempted { // requeued: it has a begin time
		// the clock went on from victim to victim
		p.row(j.ID, "planned", fmt.Sprint(v.Back-v.At), fmt.Sprint(j.Planned-int64(j.Submit)))
		p.row(j.ID, "reason", "BeginTime", j.Reason)
		return
	}
	start := got.Start
	if start > 0 { // squeue shows no start that is over
		start = max(start, p.captured)
	}
	p.row(j.ID, "planned", fmt.Sprint(start), fmt.Sprint(j.Planned))
	if j.PlannedNodes != "" {
		p.row(j.ID, "nodes", p.nodes(got), sortedHosts(p.t, j.PlannedNodes))
	} else if got.By == backfill.ByReservation {
		p.differs(j.ID, "nodes", "nodes %s are planned, recorded are none", p.nodes(got))
	}
	// a cycle clears the reason of a partition or a limit when it comes to the next partition of a job, and says nothing
	// itself
	if j.Reason == "None" && isLimit.MatchString(got.Reason) {
		p.compared["no reason"]++
		return
	}
	p.row(j.ID, "reason", cmp.Or(strings.ReplaceAll(got.Reason, " ", "_"), "None"), j.Reason)
}

// id is the name of a job of the plan.
func (p *planCompared) id(job int32) string {
	for k := range p.plan.Requests {
		if r := &p.plan.Requests[k]; r.Job == job {
			return r.ID
		}
	}
	return ""
}

func (p *planCompared) row(job int64, what, got, want string) {
	p.rows++
	p.compared[what]++
	if got != want {
		p.differs(job, what, "%s, recorded is %s", got, want)
		return
	}
	p.exact++
	p.compared["exact"]++
}

func (p *planCompared) differs(job int64, what, format string, args ...any) {
	p.t.Helper()
	for _, e := range slurmUnplanned {
		if (e.what == what || e.what == "") && regexp.MustCompile(e.cases).
			MatchString(p.name) && (e.jobs == nil || slices.Contains(e.jobs, job)) {
			p.t.Logf("job %d: "+format+": "+e.why, append([]any{job}, args...)...)
			return
		}
	}
	p.t.Errorf("%s of job %d: "+format, append([]any{what, job}, args...)...)
}

func (p *planCompared) nodes(place *backfill.Placement) string {
	var names []string
	for _, s := range place.Nodes {
		names = append(names, p.plan.Cluster.Nodes[s.Node].Name)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

func sortedHosts(t *testing.T, list string) string {
	names, err := slurmtext.ExpandHostlist(cmp.Or(list, "none"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}
