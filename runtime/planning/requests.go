package planning

import (
	"slices"

	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// oneYear is the time that Slurm counts for a job without a time limit (backfill.c, INFINITE).
const oneYear = int64(365 * 24 * 3600)

// read makes the requests: what runs, then the waiting jobs in the order considered, then those that no
// planner is asked about.
func (q *Queue) read() {
	r := q.Result
	q.Queues = q.PartitionsAreQueues()
	q.Requests = nil
	if q.soon == nil {
		q.Requests = make([]backfill.Request, 0, len(r.State))
	}
	for job, state := range r.State {
		if state == evaluation.Running {
			q.Requests = append(q.Requests, q.Request(job))
		}
	}
	q.placesUnknown()
	q.overcommitted()
	q.Licenses()
	listed := make([]bool, len(r.State))
	for _, job := range r.Order {
		listed[job] = true
		if q.soon == nil || q.soon.takes(int(job), len(q.Requests)) {
			q.wait(int(job))
		}
	}
	if q.unlicensed > 0 {
		r.Findings.Infof("plan-licenses-unknown", source.Span{},
			"%s %s for licences, and no input says how many there are",
			diag.Count(q.unlicensed, "waiting job"), diag.Agree(q.unlicensed, "asks", "ask")).
			Note("they are planned as if there were enough; add the output of scontrol show license")
	}
	for job, state := range r.State {
		if !listed[job] && state != evaluation.Running && state != evaluation.Done {
			q.Stop(q.Request(job), "")
		}
	}
	// Limits that the resource manager has for endless are brought to what planners compute with.
	q.Requests, q.stopped = backfill.InRange(q.Requests), backfill.InRange(q.stopped)
	q.limitsUnknown()
}

// limitsUnknown reports how many jobs have no known time limit.
func (q *Queue) limitsUnknown() {
	for _, guess := range []struct {
		jobs []string
		text string
	}{{q.timeless, "a year"}, {q.timed, "as long as they really took"}} {
		if len(guess.jobs) == 0 {
			continue
		}
		q.Result.Findings.Warnf("plan-walltime-unknown", source.Span{},
			"no input states a time limit of %s: planned to take %s", SomeOf(guess.jobs), guess.text).
			Note("state walltime_seconds of the jobs, or walltime_default_seconds of their partition; walltime_unlimited " +
				"says that a job has no limit")
	}
}

// placesUnknown reports how many running jobs have no known nodes, and gives them some.
func (q *Queue) placesUnknown() {
	running := make([]*backfill.Request, len(q.Requests))
	for i := range running {
		running[i] = &q.Requests[i]
	}
	if n, left := q.Unplaced(running); n > 0 {
		q.Result.Findings.Warnf("plan-place-unknown", source.Span{}, "no input says where %d of %s run",
			n, diag.Count(len(q.Requests), "running job")).
			Note("they are planned as if they were where they fit, nodes in use first; add the output of squeue --json or " +
				"scontrol show job")
		if len(left) > 0 {
			q.Result.Findings.Warnf("plan-place-unknown", source.Span{}, "no nodes have room for running %s", SomeOf(left)).
				Note("nothing is kept for what has no room; take the jobs and the nodes at one time")
		}
	}
	if q.unsplit > 0 {
		q.Result.Findings.Warnf("plan-split-unknown", source.Span{},
			"no input says how many processors %d of %s have on each of their nodes", q.unsplit,
			diag.Count(len(q.Requests), "running job")).
			Note("they are planned as if spread evenly; add the output of squeue --json or scontrol -d show job")
	}
}

// wait adds a waiting job, or notes why no planner is asked about it.
func (q *Queue) wait(job int) {
	request := q.Request(job)
	if q.Cluster.Licenses == nil && request.Licenses != nil {
		request.Licenses = nil
		q.unlicensed++
	}
	waits, never := q.After(&request)
	if never == "" {
		never = q.impossible(&request)
	}
	if never != "" || len(waits) > 0 {
		q.Stop(request, never, waits...)
		return
	}
	q.Requests = append(q.Requests, request)
}

// Stop notes a job that has no time.
func (q *Queue) Stop(request backfill.Request, never string, waits ...backfill.Wait) {
	r, job := q.Result, request.Row
	if b := r.Why[job]; b != nil && !b.SaysAll() && len(waits) == 0 && never == "" {
		waits = append(waits, q.stopOfBlock(b, &request)...)
	}
	if never == "" {
		never = tooLarge(r, job)
	}
	reason := r.Reason[job]
	switch {
	case reason != "":
	case never != "":
		reason = backfill.ReasonNever
	case r.State[job] == evaluation.Held:
		reason = "held"
	case r.Failed.Get(int(r.JobRow[job])):
		reason = evaluation.NoPriority
	}
	q.stopped = append(q.stopped, request)
	q.reasons = append(q.reasons, backfill.Placement{Job: request.Job, Reason: reason, Never: never, WaitsFor: waits})
}

// stopOfBlock says what is in a job's way as things that it waits for.
func (q *Queue) stopOfBlock(b *evaluation.Block, r *backfill.Request) []backfill.Wait {
	w := backfill.Wait{Kind: backfill.WaitLimit, Job: -1, Name: b.Text}
	switch b.Kind {
	case evaluation.BlockDependency:
		return q.dependencyWaits(r)
	case evaluation.BlockBegin:
		w.Kind, w.Name, w.Until = backfill.WaitBegin, "", r.Begin
	case evaluation.BlockReservation:
		w.Kind, w.Name = backfill.WaitReservation, r.Reservation
	case evaluation.BlockAccess, evaluation.BlockSubmission, evaluation.BlockClass, evaluation.BlockNodes,
		evaluation.BlockCap, evaluation.BlockPriority:
		w.Kind = backfill.WaitAccess
	case evaluation.BlockPartition:
		if b.Refusal != nil && b.Refusal.Name != "" {
			w.Kind, w.Name = backfill.WaitPartition, b.Refusal.Name
		}
	default:
		if b.Limit != nil {
			w.Limit = limitOver(q.Result, b.Limit)
		}
	}
	return []backfill.Wait{w}
}

// Request is what a job asks for, or has.
func (q *Queue) Request(job int) backfill.Request {
	r := q.Result
	text := func(id schema.ColumnID) string { return r.Jobs.Value(id, job).Str }
	number := func(id schema.ColumnID) int64 { return r.Jobs.Value(id, job).Int }
	out := backfill.Request{
		Job: int32(job), Row: int32(job), ID: r.JobID(job),
		User: text("job.user"), Group: text("job.group"), Account: text("job.account"), QOS: text("job.qos"),
		Class:              text("job.partition"),
		Priority:           q.priority(job),
		WalltimeMinSeconds: number("job.walltime_min_seconds"), WalltimeSeconds: q.walltime(job),
		Reservation: text("job.reservation"), Begin: number("job.begin_time"), Deadline: number("job.deadline"),
		SubmitTime: number("job.submit_time"),
		Array:      number("job.array_job_id"), ArrayMax: number("job.array_running_max"),
	}
	q.lists(&out) // licences are left out below where no input says which there are
	unreadable := false
	if r.Snapshot.Manner().FeatureCounts {
		out.Features = pbsFeatures(text("job.feature_expression"), r.Jobs.Value("job.features", job).List)
	} else if out.Features, unreadable = featuresOf(text("job.feature_expression"),
		r.Jobs.Value("job.features", job).List); unreadable && r.State[job] != evaluation.Done {
		r.Findings.Warnf("plan-features-unreadable", source.Span{}, "the constraint %q of job %s cannot be read",
			text("job.feature_expression"), out.ID).
			Note("it is planned as if it asked for all features that it names on each of its nodes")
	}
	out.Partitions = q.partitionsOf(job)
	out.Hosts = q.indices(r.Jobs.Value("job.hosts", job).List)
	out.Excluded = q.indices(r.Jobs.Value("job.excluded_hosts", job).List)
	out.Switches, out.SwitchSeconds, out.Tested = number("job.switches"), number("job.switch_wait_seconds"),
		number("job.accrue_time")
	out.Het = number("job.het_job_id")
	q.size(&out)
	if r.State[job] == evaluation.Running {
		q.running(&out)
	}
	return out
}

// priority is the number that the queue goes by.
func (q *Queue) priority(job int) int64 {
	if q.Result.Stored != nil {
		return q.Result.Stored[job]
	}
	return q.Result.Priority[q.Result.JobRow[job]]
}

// walltime is a job's limit: its own, else its partition's default, else the longest that its partition allows, else
// what a trace says that it took. A Maui job without one keeps its 0, with which Maui computes.
func (q *Queue) walltime(job int) int64 {
	r := q.Result
	if v := r.Jobs.Value("job.walltime_seconds", job); v.Known() {
		return v.Int
	}
	unlimited := r.Jobs.Int("job.walltime_unlimited", job) != 0
	values := q.credentials()
	name := r.Jobs.Text("job.partition", job)
	if v := values.Of("partition.walltime_default_seconds", name); v.Known() && v.Int > 0 && !unlimited {
		return v.Int
	}
	if v := values.Of("partition.walltime_max_seconds", name); v.Known() && v.Int > 0 {
		return v.Int
	}
	if v := r.Jobs.Value("job.runtime_seconds", job); v.Known() && v.Int > 0 {
		q.timed = append(q.timed, r.JobID(job))
		return v.Int
	}
	if !unlimited {
		q.timeless = append(q.timeless, r.JobID(job))
	}
	return oneYear
}

// PartitionsAreQueues reports nodes whose partitions are what jobs are submitted to, not sets of nodes beside
// classes. Where the records do not say which resource manager wrote them, they are sets of nodes if jobs or nodes
// state what goes only with those.
func (q *Queue) PartitionsAreQueues() bool {
	r := q.Result
	if m := r.Snapshot.Manner(); m.PartitionsAreQueues || m.PartitionsAreNodes {
		return m.PartitionsAreQueues
	}
	named, common := false, false
	for job := range r.State {
		for _, name := range q.queuesOf(job) {
			named, common = true, common || q.isPartition(name)
		}
	}
	classes := r.Facts.Partitions == evaluation.Classes || r.Snapshot.Nodes.Column("node.classes") != nil ||
		r.Jobs.Column("job.node_partitions") != nil
	return common || named && !classes
}

// isPartition reports a name that nodes have for a partition of theirs.
func (q *Queue) isPartition(name string) bool {
	return slices.ContainsFunc(q.Cluster.Partitions, func(p backfill.Partition) bool { return p.Name == name })
}

// queuesOf are the queues that a job is submitted to.
func (q *Queue) queuesOf(job int) []string {
	if list := q.Result.Jobs.Value("job.partitions", job).List; len(list) > 0 {
		return list
	}
	if name := q.Result.Jobs.Text("job.partition", job); name != "" {
		return []string{name}
	}
	return nil
}

// partitionsOf are the partitions that a job may run in; nil is any.
func (q *Queue) partitionsOf(job int) []string {
	r := q.Result
	switch {
	case len(q.Cluster.Partitions) == 0: // where no node says
		return nil
	case !q.Queues:
		return r.Jobs.Value("job.node_partitions", job).List
	}
	return q.queuesOf(job)
}

// indices finds nodes by name, each once.
func (q *Queue) indices(names []string) []int32 {
	var list []int32
	for _, name := range names {
		if node, ok := q.Nodes[name]; ok && !slices.Contains(list, node) {
			list = append(list, node)
		}
	}
	return list
}

// impossible says of a job that it names a node, reservation or licence which there is not.
func (q *Queue) impossible(request *backfill.Request) string {
	job := int(request.Row)
	for _, name := range q.Result.Jobs.Value("job.hosts", job).List {
		if _, ok := q.Nodes[name]; !ok {
			return "it insists on node " + name + ", which there is not"
		}
	}
	if name := unlicensed(q.Cluster, request); name != "" {
		return "it asks for licence " + name + ", which there is not"
	}
	return ""
}
