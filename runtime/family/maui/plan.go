package maui

import (
	"slices"
	"time"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/maui"
	"github.com/fairway-sched/fairway/runtime/checkpoint"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/limit"
	"github.com/fairway-sched/fairway/runtime/planning"
)

// Plan is what the planner decided in the evaluation.
func Plan(r *evaluation.Result, _ *planning.Queue, _ planning.Options) (*backfill.Schedule, error) {
	return r.Schedule, nil
}

// mauiQueue is the selection as Maui's planner sees it: the lists of the two walks, filtered anew each time.
type mauiQueue struct {
	*selection
	lists    [2][]int32 // by limit.Bound
	filtered [2]bool
}

// Select filters what was left the time before. The first time that is the walk itself.
func (q *mauiQueue) Select(hard bool) (may, not []int32) {
	b := limit.Soft
	if hard {
		b = limit.Hard
	}
	all := q.lists[b]
	may = q.filter(all, b)
	may = slices.DeleteFunc(may, func(job int32) bool { return q.access.Stays(int(job)) })
	if !q.filtered[b] {
		q.lists[b], q.filtered[b] = may, true
	}
	return may, without(all, may)
}

// without are those of a list that are not in another, which has its order.
func without(list, other []int32) []int32 {
	var out []int32
	for _, job := range list {
		if len(other) > 0 && other[0] == job {
			other = other[1:]
			continue
		}
		out = append(out, job)
	}
	return out
}

// Over reports a job that limits stop now.
func (q *mauiQueue) Over(job int32, hard bool) bool {
	if hard {
		return q.over(job, limit.Hard)
	}
	return q.over(job, limit.Soft)
}

// Start counts a job as running.
func (q *mauiQueue) Start(job int32) {
	q.running[job] = true
	q.gate.AddActive(int(job))
}

// Overtake counts that backfill starts a job before these.
func (q *mauiQueue) Overtake(above []int32) { q.bypass(above) }

// Defer takes a job out of all lists, for which no time can be found. One that was put off has a start date, as
// diagnose -q tells (observed in recordings: N051, N065, N130).
func (q *mauiQueue) Defer(job int32, putOff bool) {
	q.deferJob(job, q.result.Now+q.result.Program.Plan.Maui.DeferSeconds)
	if putOff {
		b := q.stopped[job]
		b.Also = append(b.Also, &evaluation.Block{Kind: evaluation.BlockBegin, Text: beginText(1)})
	}
}

// deferJob notes until when a job is not looked at.
func (s *selection) deferJob(job int32, until int64) {
	s.deferred[job] = until
	s.stopped[job] = evaluation.Chained([]*evaluation.Block{{Kind: evaluation.BlockResources, Text: holdText("Defer")},
		{Kind: evaluation.BlockResources, Text: expectedText("Deferred")}})
}

// plan lets Maui's planner decide who starts.
func (s *selection) plan(hard, soft []int32) ([]int32, error) {
	r := s.result
	q := &planning.Queue{Result: r}
	if err := q.Machine(planning.Options{Procs: s.options.Procs}); err != nil {
		return nil, err
	}
	q.Reservations(planning.Options{Place: s.options.Place})
	q.Queues = q.PartitionsAreQueues()
	s.sayLeftOut()
	s.saySuspended()
	p := maui.New(maui.Input{
		Cluster: q.Cluster, Settings: r.Program.Plan.Maui, Jobs: s.mauiJobs(q), Now: r.Now, Days: s.options.Place,
		Context: s.options.Context,
		Runs:    func(job int32) bool { return r.State[job] == evaluation.Running }, Kept: s.kept(q), Ended: s.ended(),
	})
	s.finish = func(eligible []int32) {
		s.mauiPlan = p.Finish(without(hard, eligible))
		s.sayTwice(p)
		r.Schedule = s.schedule(q, p, s.mauiPlan)
	}
	var started []int32
	for _, start := range p.Iterate(&mauiQueue{selection: s, lists: [2][]int32{limit.Soft: soft, limit.Hard: hard}}) {
		started = append(started, start.Job)
	}
	if s.options.Context != nil {
		return started, s.options.Context.Err()
	}
	return started, nil
}

// sayLeftOut reports what the policy sets and plans do without.
func (s *selection) sayLeftOut() {
	r := s.result
	for _, l := range r.Program.Plan.Maui.LeftOut {
		r.Findings.Warnf("plan-setting-left-out", l.Span, "plans do without %s", l.Setting).Note("%s", l.Instead)
	}
	for i := range r.Program.Plan.Maui.Nodes {
		if n := &r.Program.Plan.Maui.Nodes[i]; n.MaxJobsPerUser+n.MaxProcsPerUser > 0 {
			r.Findings.Warnf("plan-setting-left-out", n.Span,
				"later times of plans do without the limits on a user of NODECFG[%s]", n.Name).
				Note("they count for what starts now")
		}
	}
}

// saySuspended reports jobs for which no input says when they go on.
func (s *selection) saySuspended() {
	r, n := s.result, 0
	for job, state := range r.State {
		if state == evaluation.Running && r.Suspended(job) {
			n++
		}
	}
	if n > 0 {
		r.Findings.Warnf("plan-suspended", source.Span{}, "suspended jobs without a time in the plan: %d", n).
			Note("nothing says when Maui resumes them; until then others may have their nodes")
	}
}

// sayTwice reports nodes where the plan gives away more than there is, as Maui's does.
func (s *selection) sayTwice(p *maui.Planner) {
	list := p.Twice()
	for k, t := range list {
		node, findings := p.NodeName(t.Node), &s.result.Findings
		if k == planning.MostOvercommitted {
			findings.Infof("plan-given-twice", source.Span{}, "jobs have more than there is of %s",
				planning.MoreNodes(len(list)-k)).Note("%s", mauiGivesTwice)
			return
		}
		ids := make([]string, len(t.Jobs))
		for i, job := range t.Jobs {
			ids[i] = p.Job(job).ID
		}
		at := time.Unix(t.At, 0).UTC().Format(time.RFC3339)
		if t.Standing != "" {
			findings.Infof("plan-given-twice", source.Span{}, "%s on %s what reservation %s keeps for others, from %s on",
				hold(ids), node, t.Standing, at).
				Note("%s", mauiGivesTwice)
			continue
		}
		findings.Infof("plan-given-twice", source.Span{}, "%s more of %s than there is, from %s on", hold(ids), node, at).
			Note("%s", mauiGivesTwice)
	}
}

// hold says that jobs have something.
func hold(ids []string) string {
	if len(ids) == 1 {
		return planning.SomeOf(ids) + " has"
	}
	return planning.SomeOf(ids) + " have"
}

const mauiGivesTwice = "Maui plans so: it asks whether anything of a node stays free for a job's time, not how " +
	"much; what is reserved it reserves anew in each iteration, later if it must"

// sayRequests reports what waiting jobs ask for that Maui has no word for and its plans do without.
func (s *selection) sayRequests(requests []backfill.Request) {
	for _, left := range []struct {
		what, instead string
		asks          func(r *backfill.Request) bool
	}{
		{"the most nodes that a job may have", "it may get more of them",
			func(r *backfill.Request) bool { return r.NodesMax > r.Nodes && r.NodesMax < r.Tasks }},
		{"the tasks of arrays", "a record of several tasks is planned as one job",
			func(r *backfill.Request) bool { return len(r.TaskIDs) > 1 }},
		{"how many tasks of an array may run at a time", "as many start as fit",
			func(r *backfill.Request) bool { return r.ArrayMax > 0 }},
	} {
		var jobs []string
		for job := range requests {
			if state := s.result.State[job]; state != evaluation.Done && state != evaluation.Running &&
				left.asks(&requests[job]) {
				jobs = append(jobs, requests[job].ID)
			}
		}
		if jobs != nil {
			s.result.Findings.Warnf("plan-request-left-out", source.Span{}, "plans of Maui's policies do without %s: %s",
				left.what, planning.SomeOf(jobs)).Note("%s; --planner native plans with it", left.instead)
		}
	}
}

// sayFlags reports the flags of a QOS that plans do without.
func (s *selection) sayFlags(qos string, flags []string) {
	for _, flag := range flags {
		if instead := leftOutFlags[flag]; instead != "" {
			s.result.Findings.Warnf("plan-setting-left-out", source.Span{}, "plans do without the flag %s of QOS %s", flag, qos).
				Note("%s", instead)
		}
	}
}

// leftOutFlags are flags of a QOS that Maui's plans do without.
var leftOutFlags = map[string]string{
	"PREEMPTOR": noPreemption, "PREEMPTEE": noPreemption, "RESTARTPREEMPT": noPreemption,
	"RUNNOW": "its jobs start in their turn", "USERESERVED": "its jobs use nodes outside of reservations too",
}

const noPreemption = "jobs that run stay where they are"

// mauiJobs are the requests of all jobs, with what their QOS says.
func (s *selection) mauiJobs(q *planning.Queue) []maui.Job {
	r := s.result
	values := evaluation.NewValues(r.Program, r.Snapshot)
	flags := map[string][]string{}
	equivalents := r.Jobs.Column("job.processor_equivalents")
	requests := make([]backfill.Request, r.Jobs.Rows)
	var running []*backfill.Request
	for job, state := range r.State {
		if state != evaluation.Done {
			requests[job] = q.Request(job)
		}
		if state == evaluation.Running {
			running = append(running, &requests[job])
		}
	}
	q.Unplaced(running)
	for _, r := range running {
		q.Requests = append(q.Requests, *r)
	}
	s.sayRequests(requests)
	q.Licenses()
	jobs := make([]maui.Job, r.Jobs.Rows)
	for job, request := range backfill.InRange(requests) {
		if r.State[job] == evaluation.Done {
			continue
		}
		j := &jobs[job]
		if j.Request = request; q.Cluster.Licenses == nil {
			j.Licenses = nil // no input says how many there are
		}
		for _, host := range r.Jobs.Value("job.hosts", job).List {
			if node, ok := q.Nodes[host]; ok && r.Snapshot.Manner().HostListRepeats {
				if j.HostTasks == nil {
					j.HostTasks = map[int32]int64{}
				}
				j.HostTasks[node]++
			}
		}
		list, known := flags[j.QOS]
		if !known {
			list = values.Of("qos.flags", j.QOS).List
			flags[j.QOS] = list
			s.sayFlags(j.QOS, list)
		}
		j.ReserveAlways, j.NoBackfill = slices.Contains(list, "RESERVEALWAYS"), slices.Contains(list, "NOBF")
		j.NoReservation, j.Dedicated = slices.Contains(list, "NORESERVATION"), slices.Contains(list, "DEDICATED") ||
			j.Sharing == backfill.SingleJob
		j.QueueSeconds, j.Bypassed, j.Equivalents = r.Now-s.clock.Start[job], s.clock.Bypass[job],
			column.DoubleAt(equivalents, job)
	}
	return jobs
}

// kept is what the iteration before left: reservations of jobs that still wait, on nodes that there still are.
func (s *selection) kept(q *planning.Queue) *maui.Kept {
	previous := s.options.Previous
	if previous == nil {
		return nil
	}
	k := &maui.Kept{ChunkUntil: previous.ChunkUntil, Standing: map[string]int64{}}
	for _, standing := range previous.Standing {
		k.Standing[standing.Name] = standing.Start
	}
	rows := rowsByID(s.result.Jobs)
	for i := range previous.Jobs {
		was := &previous.Jobs[i]
		job, ok := rows[was.ID]
		if !ok || was.Reservation == nil || s.result.State[job] == evaluation.Done ||
			s.result.State[job] == evaluation.Running {
			continue
		}
		r := maui.Reservation{Job: job, Start: max(was.Reservation.Start, s.result.Now), End: was.Reservation.End,
			Kind: maui.Kind(was.Reservation.Kind), Failed: was.Reservation.Failed}
		for _, share := range was.Reservation.Nodes {
			if node, ok := q.Nodes[share.Node]; ok {
				r.Nodes = append(r.Nodes, backfill.Share{Node: node, Tasks: share.Tasks})
			}
		}
		if len(r.Nodes) == len(was.Reservation.Nodes) {
			k.Reservations = append(k.Reservations, r)
		}
	}
	return k
}

func rowsByID(jobs *column.Table) map[string]int32 {
	rows := map[string]int32{}
	for job := range jobs.Rows {
		rows[jobs.Text("job.id", job)] = int32(job)
	}
	return rows
}

// ended reports a job that ran at the iteration before and does not now.
func (s *selection) ended() bool {
	if s.options.Previous == nil {
		return false
	}
	rows := rowsByID(s.result.Jobs)
	for i := range s.options.Previous.Jobs {
		was := &s.options.Previous.Jobs[i]
		if was.State != checkpoint.Running {
			continue
		}
		if job, ok := rows[was.ID]; !ok || s.result.State[job] == evaluation.Done {
			return true
		}
	}
	return false
}

// keepPlan notes for the next iteration what this one reserved and deferred (maui.md §9 P13). One that does not plan
// hands on what the last that did has left, of jobs that still wait.
func (s *selection) keepPlan(out *checkpoint.Checkpoint) {
	at := map[string]int{}
	for i := range out.Jobs {
		at[out.Jobs[i].ID] = i
	}
	r := s.result
	if s.mauiPlan == nil {
		s.handOn(out, at)
		return
	}
	out.ChunkUntil = s.mauiPlan.ChunkUntil
	for _, reserved := range s.mauiPlan.Reservations {
		if reserved.Kind == maui.ByPolicy && reserved.Start <= r.Now {
			out.Standing = append(out.Standing, checkpoint.Standing{Name: reserved.Name, Start: reserved.Start})
		}
		if reserved.Job < 0 {
			continue
		}
		i, ok := at[r.JobID(int(reserved.Job))]
		if !ok {
			continue
		}
		kept := &checkpoint.Reservation{Start: reserved.Start, End: reserved.End, Kind: int64(reserved.Kind)}
		kept.Failed = reserved.Failed
		for _, share := range reserved.Nodes {
			kept.Nodes = append(kept.Nodes,
				checkpoint.Share{Node: r.Schedule.Cluster.Nodes[share.Node].Name, Tasks: share.Tasks})
		}
		out.Jobs[i].Reservation = kept
	}
	for job, until := range s.deferred {
		if i, ok := at[r.JobID(int(job))]; ok && until > r.Now {
			out.Jobs[i].DeferredUntil = until
		}
	}
}

// handOn keeps what an iteration before this one reserved and deferred.
func (s *selection) handOn(out *checkpoint.Checkpoint, at map[string]int) {
	previous := s.options.Previous
	if previous == nil {
		return
	}
	if out.Standing = previous.Standing; previous.ChunkUntil > out.Time {
		out.ChunkUntil = previous.ChunkUntil
	}
	for i := range previous.Jobs {
		was := &previous.Jobs[i]
		k, ok := at[was.ID]
		if !ok || out.Jobs[k].State == checkpoint.Running {
			continue
		}
		if out.Jobs[k].Reservation = was.Reservation; was.DeferredUntil > out.Time {
			out.Jobs[k].DeferredUntil = was.DeferredUntil
		}
	}
}
