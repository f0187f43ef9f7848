package slurm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/backfill/slurm"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	slurmlimit "github.com/fairway-sched/fairway/runtime/limit/slurm"
	"github.com/fairway-sched/fairway/runtime/limit/timeline"
	"github.com/fairway-sched/fairway/runtime/planning"
	"github.com/fairway-sched/fairway/runtime/program"
)

// Plan plans as slurmctld does: the main pass, then a backfill cycle.
func Plan(r *evaluation.Result, q *planning.Queue, o planning.Options) (*backfill.Schedule, error) {
	if r.Program.Plan == nil || r.Program.Plan.Slurm == nil || r.Program.Slurm == nil {
		return nil, &planning.Error{Problem: "the policy says nothing of how slurmctld places jobs",
			Advice: "give the slurm.conf, or plan with --planner native"}
	}
	q.Queues = true // whoever the snapshot is from
	b := planner{q: q, result: r, guard: guardOf(r), in: &slurm.Input{Cluster: q.Cluster, Settings: settingsOf(r, o),
		MainDepth: o.MainDepth, StartsOnly: o.Only != "", Now: cmp.Or(o.Pass, r.Now), Cycle: o.Cycle, Context: o.Context,
		Progress: o.Progress}}
	b.partitions = map[string]int32{}
	for i := range q.Cluster.Partitions {
		b.partitions[q.Cluster.Partitions[i].Name] = int32(i)
	}
	b.requests()
	b.entries()
	b.in.Preempt = b.preemption()
	if r.SlurmLimits != nil {
		b.in.Gate = &gate{limits: r.SlurmLimits.Clone(), cluster: q.Cluster, result: r}
		b.in.Limits = b.later
	}
	s, err := slurm.Plan(b.in)
	if err != nil {
		return nil, err
	}
	for i := range s.Placements {
		switch p := &s.Placements[i]; {
		case p.By == backfill.ByEstimate && p.Reason == "":
			p.Reason = r.Reason[s.Requests[i].Row]
		case p.By == backfill.ByNone && p.Reason == "" && len(b.partitions) == 0:
			p.Never = "no node says which partitions it is in"
		}
	}
	return s, nil
}

// settingsOf are those of the policy; where one pass alone is wanted, the other is off.
func settingsOf(r *evaluation.Result, o planning.Options) *program.SlurmPlan {
	if o.Only == "" {
		return r.Program.Plan.Slurm
	}
	settings := *r.Program.Plan.Slurm
	settings.Main, settings.Builtin = settings.Main && o.Only == planning.MainPass, false
	settings.Backfill = settings.Backfill && o.Only == planning.BackfillCycle
	return &settings
}

// later are the limits of associations and QOS over time.
func (b *planner) later(running []backfill.Request,
	ask func(r *backfill.Request, partition string) (int32, slurm.Got)) backfill.Limits {
	l := &planning.Limits{Result: b.result}
	l.Count(b.result.SlurmLimits.Timeline(b.in.Now), running,
		func(r *backfill.Request, partition string) (int, timeline.Got) {
			row, got := ask(r, partition)
			return int(row), timeline.Got{Procs: got.Procs, Nodes: got.Count}
		}, func(job int32) int { return planning.SlurmRow(b.result, job) })
	return l
}

// guardOf knows the partitions of the rows, as the evaluation does.
func guardOf(r *evaluation.Result) *guard {
	g := &guard{result: r, rules: r.Program.Slurm, version: evaluation.VersionNumber(r.Program.Version),
		values: evaluation.NewValues(r.Program, r.Snapshot)}
	g.readPartitions()
	return g
}

// planner makes the input of the plan.
type planner struct {
	q          *planning.Queue
	result     *evaluation.Result
	guard      *guard
	in         *slurm.Input
	partitions map[string]int32 // by name
}

// requests parts what runs from what waits, in the order of submission. A job that something keeps out of the queue
// has no time.
func (b *planner) requests() {
	list := b.q.Requests
	b.q.Requests = nil // there can be very many, and from here on these are asked
	var running, waiting []int32
	for i := range list {
		request := &list[i]
		switch job := request.Row; {
		case b.result.State[job] == evaluation.Running:
			running = append(running, int32(i))
		case b.queued(int(job)), b.comes(int(job)):
			if !b.result.Jobs.Value("job.walltime_seconds", int(job)).Known() {
				request.WalltimeSeconds = 0
			}
			waiting = append(waiting, int32(i))
			if len(request.TaskIDs) > planning.MaxPlannedTasks {
				b.q.ArrayCut(request)
			}
		default:
			b.q.Stop(*request, "")
		}
	}
	bySubmission(list, running)
	bySubmission(list, waiting)
	inOrder(list, slices.Concat(running, waiting))
	b.in.Running, b.in.Waiting = list[:len(running):len(running)], list[len(running):len(running)+len(waiting)]
	for k := range b.in.Waiting {
		reason := saidReason(b.result.Jobs.Text("job.state_reason", int(b.in.Waiting[k].Row)))
		if b.in.Reasons = append(b.in.Reasons, reason); reason == partitionDown { // no nodes were looked for yet
			b.in.Waiting[k].Tested = 0
		}
	}
}

// bySubmission sorts places of requests as slurmctld has its jobs.
func bySubmission(list []backfill.Request, order []int32) {
	ids := make([]evaluation.JobID, len(list))
	for _, i := range order {
		ids[i] = evaluation.ParseJobID(list[i].ID)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if x, y := list[a].SubmitTime, list[b].SubmitTime; x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Or(cmp.Compare(ids[a].Job, ids[b].Job), cmp.Compare(ids[a].Part, ids[b].Part), cmp.Compare(a, b))
	})
}

// inOrder moves those at some places to the begin of a list, in the order of the places.
func inOrder(list []backfill.Request, places []int32) {
	at := make([]int32, len(list)) // where each is by now
	who := make([]int32, len(list))
	for i := range list {
		at[i], who[i] = int32(i), int32(i)
	}
	for k, i := range places {
		from := at[i]
		list[k], list[from] = list[from], list[k]
		other := who[k]
		at[other], who[from] = from, other
		at[i], who[k] = int32(k), i
	}
}

// saidReason is a reason in slurmctld's words, which outputs join by _ but for the names of nodes.
func saidReason(word string) string {
	kind, rest, more := strings.Cut(word, ",_")
	switch {
	case !more:
		return kind
	case strings.Contains(rest, ":"):
		return kind + ", " + rest
	}
	return kind + ", " + strings.ReplaceAll(rest, "_", " ")
}

// queued reports a job that build_job_queue takes. What limits say is asked again while jobs start.
func (b *planner) queued(job int) bool {
	w := b.result.Why[job]
	if w == nil {
		return true
	}
	switch w.Kind {
	case evaluation.BlockLimit, evaluation.BlockArray, evaluation.BlockPartition:
		return true
	}
	return false
}

// comes reports a job that comes to the queue by itself: at its begin time, or once others have run.
func (b *planner) comes(job int) bool {
	w := b.result.Why[job]
	return w != nil && (w.Kind == evaluation.BlockBegin || w.Kind == evaluation.BlockDependency)
}

// entries makes an entry of each partition of each job that waits.
func (b *planner) entries() {
	r := b.result
	for k := range b.in.Waiting {
		job := int(b.in.Waiting[k].Row)
		first, end := r.Entries(job)
		for row := first; row < end; row++ {
			b.entry(int32(k), row)
		}
	}
}

func (b *planner) entry(request int32, row int) {
	r, p := b.result, b.guard.partition(row)
	at, known := b.partitions[p.name]
	if !known {
		return // no node is in it
	}
	e := slurm.Entry{Request: request, Partition: at, Row: int32(row), Priority: r.Priority[row],
		Association: r.Rows.Text("job.association", row)}
	e.Later = b.comes(int(b.in.Waiting[request].Row))
	if r.Refused.Get(row) {
		e.Refused = partitionDown
		if w := cmp.Or(r.Barred[int32(row)], r.Why[r.RowJob[row]]); w != nil && w.Kind == evaluation.BlockPartition {
			e.Refused = w.Text
			if late(w) {
				e.Refused, e.Denied, e.DeniedPlans = "", w.Text, strings.HasPrefix(string(w.Refusal.Column), "partition.accounts")
			}
		}
	}
	if !b.guard.qosFlag(row, "partitionminnodes") {
		e.NodesMin = max(0, p.nodesMin)
	}
	if !b.guard.qosFlag(row, "partitionmaxnodes") {
		e.NodesMax = max(0, p.nodesMax)
	}
	if !b.guard.qosFlag(row, "partitiontimelimit") {
		e.LimitMax = max(0, p.maxSeconds)
	}
	e.Default = max(0, p.defaultSeconds)
	e.NoReserve = b.guard.jobQOSFlag(row, "noreserve")
	e.Threshold = b.threshold(row)
	b.in.Entries = append(b.in.Entries, e)
}

// threshold is MinPrioThresh: of the partition's QOS, the job's, or its association (acct_policy_get_prio_thresh).
func (b *planner) threshold(row int) int64 {
	value := func(id schema.ColumnID, name string) int64 {
		if v := b.guard.values.Of(id, name); name != "" && v.Known() {
			return v.Int
		}
		return 0
	}
	own, partition := b.result.Rows.Text("job.qos", row), b.guard.partition(row).qos
	if b.guard.jobQOSFlag(row, "overpartqos") {
		own, partition = partition, own
	}
	if t := cmp.Or(value("qos.priority_threshold", partition), value("qos.priority_threshold", own)); t > 0 {
		return t
	}
	const levels = 64 // a tree is not deeper than that
	name := b.result.Rows.Text("job.association", row)
	for range levels { // the database hands it down
		if t := value("association.priority_threshold", name); t > 0 || name == "" {
			return t
		}
		name = b.guard.values.Of("association.parent", name).Str
	}
	return 0
}

// jobQOSFlag reports a flag of the job's own QOS.
func (g *guard) jobQOSFlag(row int, flag string) bool {
	q := g.result.Rows.Text("job.qos", row)
	return q != "" && slices.Contains(evaluation.FlagWords(g.values.Of("qos.flags", q).List), flag)
}

// partitionDown is slurmctld's word for a job whose partition does not start any.
const partitionDown = "PartitionDown"

// gate asks the limits of associations and QOS while a plan starts jobs.
type gate struct {
	limits  *slurmlimit.Limits
	cluster *backfill.Cluster
	result  *evaluation.Result
	last    *slurmlimit.Stop // what stopped the last entry asked about
}

func (g *gate) BeforeNodes(row int32) string {
	return g.word(g.limits.CheckBeforeNodes(int(row)))
}

func (g *gate) WithNodes(row int32, got slurm.Got) string {
	return g.word(g.limits.CheckWithNodes(int(row), g.got(got)))
}

func (g *gate) Start(row int32, got slurm.Got) { g.limits.Start(int(row), g.got(got)) }

func (g *gate) End(row int32, got *slurm.Got) {
	if got != nil {
		g.limits.End(int(row), g.got(*got))
		return
	}
	job := int(g.result.RowJob[row])
	if counted(g.result.Jobs.Text("job.state", job)) {
		g.limits.Remove(job)
	}
}

func (g *gate) Copy() slurm.Gate {
	return &gate{limits: g.limits.Clone(), cluster: g.cluster, result: g.result}
}

func (g *gate) word(stop *slurmlimit.Stop) string {
	if g.last = stop; stop == nil {
		return ""
	}
	return stop.Reason
}

func (g *gate) NodesMax(row int32) (most int64, word string) {
	stop := g.limits.NodesMax(int(row))
	if stop == nil {
		return 0, ""
	}
	return stop.Value, stop.Reason
}

func (g *gate) got(got slurm.Got) timeline.Got {
	out := timeline.Got{Procs: got.Procs, Nodes: got.Count}
	for _, node := range got.Nodes {
		out.Hosts = append(out.Hosts, g.cluster.Nodes[node].Name)
	}
	return out
}

// GroupQOS names the QOS whose limit on all its jobs together stopped the last entry (job_state_qos_grp_limit).
func (g *gate) GroupQOS(int32) string {
	if g.last == nil || g.last.Object != "qos" || !strings.HasPrefix(g.last.Kind, "Grp") {
		return ""
	}
	return g.last.Name
}
