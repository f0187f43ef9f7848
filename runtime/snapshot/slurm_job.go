package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/column"
)

// optional is one value of a record. One that is stated but not known was left
// open by the scheduler itself ("Unknown", null) and declares its column.
type optional[T any] struct {
	value         T
	stated, known bool
}

// known is a value; open is a value that the record says there is none of.
func known[T any](v T) optional[T] { return optional[T]{value: v, stated: true, known: true} }
func open[T any]() optional[T]     { return optional[T]{stated: true} }

// slurmJob is a job as any of Slurm's outputs states it. Every reader fills
// one and hands it to slurmJobs.add, so the meaning of each field is decided once.
type slurmJob struct {
	submitAt   place  // where the submit time stands, or the record
	id         string // the job's own id, or squeue's 12_3 and 12_[4-9]
	rawID      string // the record's own number when id is written as a task
	arrayJob   optional[int64]
	hetJob     optional[int64] // the heterogeneous job that it is a component of
	hetOffset  optional[int64]
	arrayTask  optional[int64]
	arrayTasks optional[int64] // that the record stands for
	arrayMax   optional[int64] // that may run at a time
	taskList   string          // numbers of arrayTasks
	unsplit    bool            // the record stands for all tasks of its array that are not split off yet
	name       optional[string]
	user       optional[string]
	group      optional[string]
	account    optional[string]
	qos        optional[string]
	partition  optional[string] // comma list in submit order
	state      []string         // words, the base state and its flags
	reason     optional[string]
	// JSON alone has it: the words that other outputs print in the place of the reason, if there are any
	description optional[string]
	dependency  optional[string]
	priority    optional[int64]
	// JSON alone has them: one as PARTITION=NUMBER for each partition of a job of several
	partitionPriorities []string
	hold                optional[bool]

	submit, eligible, accrue, start, end, deadline, evaluated optional[int64] // epoch seconds

	// Only accounting knows these; a queue does without them.
	elapsedSeconds optional[int64] // without the time the job was suspended
	cpuSeconds     optional[float64]
	cpusAllocated  optional[int64]

	limitSeconds    optional[int64] // slurmtext.Infinite when unlimited
	limitMinSeconds optional[int64]

	tasks, cpusPerTask, cpus, cpusMax, nodes, nodesMax, tasksPerNode optional[int64]
	tasksPerCore, threadsPerCore                                     optional[int64]

	tmpDiskPerNodeMB                         optional[int64]
	memPerCPUMB, memPerNodeMB                optional[int64]
	memMinMB                                 optional[int64] // squeue's: of each CPU or of each node
	tresRequested, tresAllocated             optional[slurmtext.TRESList]
	tresPerNode, tresPerJob, tresPerTask     optional[string]
	features, licenses, reservation, comment optional[string]
	hosts, excludedHosts, allocatedHosts     optional[[]string]
	detailHosts                              []string           // of the details being read
	granted                                  map[string]granted // on each host, if the details say
	grantedAt                                []placedGrant
	exclusive                                optional[bool]
	nice, restarts                           optional[int64]
}

// slurmJobs writes the jobs of one source into its table.
type slurmJobs struct {
	in       *input
	table    *column.Builder
	seen     map[string]bool
	tresName map[string]schema.ColumnID
	lists    map[string][]string
}

func newSlurmJobs(in *input) *slurmJobs {
	in.snapshot.Family = "slurm"
	if in.snapshot.slurmIDs == nil {
		in.snapshot.slurmIDs = newSlurmIDs()
	}
	return &slurmJobs{
		in: in, table: in.jobs(), seen: map[string]bool{},
		tresName: map[string]schema.ColumnID{}, lists: map[string][]string{},
	}
}

// add writes one job or says why it cannot be one.
func (b *slurmJobs) add(j *slurmJob) error {
	state, stateWord, err := slurmState(j.state)
	if err != nil {
		return err
	}
	if b.in.snapshot.accounting && state == "pending" && j.start.known && j.end.known {
		state = "done" // a run of accounting that ended as its job was requeued
	}
	id := j.identify()
	if id == "" {
		return fieldError("JobId", "the record names no job")
	}
	if b.seen[id] {
		return fieldError("JobId", "job %s stands in the file twice", id)
	}
	b.seen[id] = true
	if j.rawID != "" && j.rawID != id {
		b.in.snapshot.slurmIDs.add(j.rawID, id)
	}
	if name := fmt.Sprintf("%d+%d", j.hetJob.value, j.hetOffset.value); j.hetJob.known && j.hetJob.value > 0 && j.hetOffset.known && name != id {
		b.in.snapshot.slurmIDs.components[name] = id
	}
	if j.arrayJob.known && !j.arrayTask.known && j.unsplit {
		b.in.snapshot.slurmIDs.unsplit[id] = true
	}
	if state == "pending" && !j.tresRequested.stated {
		j.tresRequested, j.tresAllocated = j.tresAllocated, open[slurmtext.TRESList]() // squeue prints both under one name
	}
	b.in.record()
	b.in.submits = append(b.in.submits, j.submitAt)
	b.table.Row()
	b.identity(j, id)
	if state != "" {
		b.table.String("job.state", state)
		b.table.String("job.state_word", stateWord)
	}
	b.scheduling(j, state)
	b.times(j, state)
	b.size(j, state)
	j.splitMemory(state)
	b.resources(j)
	b.placement(j)
	return nil
}

// identify gives the id of the row: a task of an array is 12_3 whatever record
// number it got when it was split off; the tasks not yet split off are one
// record, known by the number of the array, as scontrol and sprio have it.
func (j *slurmJob) identify() string {
	array, task, isTask := strings.Cut(j.id, "_")
	switch {
	case isTask && strings.HasPrefix(task, "["):
		n, err := strconv.ParseInt(array, 10, 64)
		if err == nil {
			j.arrayJob, j.arrayTask, j.unsplit = known(n), open[int64](), true
			j.tasksOf(strings.TrimRight(task[1:], "]"))
		}
		return array
	case isTask:
		a, errArray := strconv.ParseInt(array, 10, 64)
		t, errTask := strconv.ParseInt(task, 10, 64)
		if errArray == nil && errTask == nil {
			j.arrayJob, j.arrayTask = known(a), known(t)
		}
		return j.id
	case j.arrayJob.known && j.arrayTask.known:
		j.rawID = j.id
		return strconv.FormatInt(j.arrayJob.value, 10) + "_" + strconv.FormatInt(j.arrayTask.value, 10)
	}
	return j.id
}

// identity writes who the job is. The partition of a job with several is the
// first in the order of submission: its priority is the one that squeue shows.
func (b *slurmJobs) identity(j *slurmJob, id string) {
	b.table.String("job.id", id)
	if n, err := strconv.ParseInt(j.rawID, 10, 64); err == nil && j.rawID != id {
		b.table.Int("job.record_id", n)
	}
	if j.hetJob.known && j.hetJob.value > 0 { // JSON has 0 elsewhere
		setInt(b.table, "job.het_job_id", j.hetJob)
		setInt(b.table, "job.het_offset", j.hetOffset)
	}
	setInt(b.table, "job.array_job_id", j.arrayJob)
	if j.arrayJob.known {
		setInt(b.table, "job.array_task_id", j.arrayTask)
		if j.arrayTask.known {
			j.arrayTasks, j.taskList = known[int64](1), ""
		}
		if j.taskList != "" {
			b.table.String("job.array_task_list", j.taskList)
		}
		setInt(b.table, "job.array_tasks", j.arrayTasks)
		setInt(b.table, "job.array_running_max", j.arrayMax)
	}
	setString(b.table, "job.name", j.name)
	setString(b.table, "job.user", j.user)
	setString(b.table, "job.group", j.group)
	setString(b.table, "job.account", j.account)
	setString(b.table, "job.qos", j.qos)
	if j.partition.stated {
		partitions := b.list(j.partition.value, ",")
		b.table.List("job.partitions", partitions)
		first := ""
		if len(partitions) > 0 {
			first = partitions[0]
		}
		b.table.String("job.partition", first)
	}
}

// scheduling writes what ranks the job. Priority 0 of a pending job means held
// (job_mgr.c); the reason says so where the priority is not printed. A
// priority set by hand cannot be told from a computed one in any job output.
func (b *slurmJobs) scheduling(j *slurmJob, state string) {
	setInt(b.table, "job.recorded_priority", j.priority)
	if len(j.partitionPriorities) > 0 {
		b.table.List("job.recorded_partition_priorities", slices.Clone(j.partitionPriorities))
	}
	setInt(b.table, "job.nice", j.nice)
	if j.description.value != "" {
		j.reason = known(OneWord(j.description.value))
	}
	setString(b.table, "job.state_reason", j.reason)
	setString(b.table, "job.dependency", j.dependency)
	setInt(b.table, "job.restarts", j.restarts)
	heldReason := strings.HasPrefix(j.reason.value, "JobHeld")
	if j.priority.stated || j.hold.stated || heldReason {
		zero := j.priority.known && j.priority.value == 0
		b.table.Bool("job.held", state == "pending" && (zero || heldReason || j.hold.value))
	}
}

// times drops start and end of a job that has not started: Slurm prints its
// estimate there (job_mgr.c, pack of a pending job). EligibleTime is the
// begin time the job asked for as long as the reason says that it waits for it.
func (b *slurmJobs) times(j *slurmJob, state string) {
	b.time("job.submit_time", j.submit)
	b.time("job.eligible_time", j.eligible)
	b.time("job.accrue_time", j.accrue)
	b.time("job.deadline", j.deadline)
	b.time("job.last_evaluation_time", j.evaluated)
	if j.eligible.stated && j.reason.stated {
		begin := open[int64]()
		if state == "pending" && j.reason.value == "BeginTime" {
			begin = j.eligible
		}
		b.time("job.begin_time", begin)
	}
	if state == "pending" && j.start.stated {
		j.start = open[int64]()
	}
	if state == "pending" && j.end.stated {
		j.end = open[int64]()
	}
	if state == "done" && !j.end.known && j.start.known && j.elapsedSeconds.known {
		j.end = known(j.start.value + j.elapsedSeconds.value)
	}
	b.time("job.start_time", j.start)
	b.time("job.end_time", j.end)
	if j.limitSeconds.stated {
		unlimited := j.limitSeconds.known && j.limitSeconds.value == slurmtext.Infinite
		b.table.Bool("job.walltime_unlimited", unlimited)
		if unlimited {
			j.limitSeconds = open[int64]()
		}
		setInt(b.table, "job.walltime_seconds", j.limitSeconds)
	}
	setInt(b.table, "job.walltime_min_seconds", j.limitMinSeconds)
}

// size follows the job size factor (priority_multifactor.c): the CPUs a
// running job has, else the most it accepts if it says so, else the least.
func (b *slurmJobs) size(j *slurmJob, state string) {
	setInt(b.table, "job.tasks", j.tasks)
	setInt(b.table, "job.procs_per_task", j.cpusPerTask)
	procs := j.cpus
	if state == "pending" && j.cpusMax.known && j.cpusMax.value > 0 {
		procs = j.cpusMax
	}
	if n, ok := j.tres().value.Get("cpu"); ok && !procs.known {
		procs = known(n)
	}
	setInt(b.table, "job.procs", procs)
	setInt(b.table, "job.nodes", j.minNodes(state))
	setInt(b.table, "job.nodes_max", j.nodesMax)
	setInt(b.table, "job.tasks_per_node", j.tasksPerNode)
	setInt(b.table, "job.tasks_per_core", j.tasksPerCore)
	setInt(b.table, "job.threads_per_core", j.threadsPerCore)
	if j.tmpDiskPerNodeMB.known && j.nodes.known {
		b.table.Int("job.disk_mb", j.tmpDiskPerNodeMB.value*max(j.nodes.value, 1))
	}
}

// minNodes is the least number of nodes, which the size factor counts. The node count
// printed for a pending job is an estimate (6 for -N 2-6); its requested TRES has the minimum.
func (j *slurmJob) minNodes(state string) optional[int64] {
	if n, ok := j.tresRequested.value.Get("node"); ok && state == "pending" {
		return known(n)
	}
	return j.nodes
}

// tres is what is allocated, else what was requested.
func (j *slurmJob) tres() optional[slurmtext.TRESList] {
	if j.tresAllocated.known {
		return j.tresAllocated
	}
	return j.tresRequested
}

// splitMemory tells whether squeue's minimal memory is that of each CPU or of each node, which its column
// does not say: the total does. Where both would give it, as for one CPU on one node, it stays open.
func (j *slurmJob) splitMemory(state string) {
	total, ok := j.tres().value.Get("mem")
	if !j.memMinMB.known || j.memPerCPUMB.stated || j.memPerNodeMB.stated {
		return
	}
	j.memPerCPUMB, j.memPerNodeMB = open[int64](), open[int64]()
	byCPU := ok && j.cpus.known && total == j.memMinMB.value*j.cpus.value
	byNode := ok && j.nodes.known && total == j.memMinMB.value*j.minNodes(state).value
	switch {
	case byCPU && !byNode:
		j.memPerCPUMB = j.memMinMB
	case byNode && !byCPU:
		j.memPerNodeMB = j.memMinMB
	}
}

// resources writes the trackable resources, memory and GPUs.
func (b *slurmJobs) resources(j *slurmJob) {
	tres := j.tres()
	mem := open[int64]()
	if tres.known {
		for _, t := range tres.value {
			b.table.Double(b.tresColumn(t.Name), float64(t.Count))
		}
		if mb, ok := tres.value.Get("mem"); ok {
			mem = known(mb)
		}
	}
	// Without TRES the memory follows from what each node or CPU gets; 0 means
	// all of a node's memory there, which only the node knows.
	if !mem.known && j.memPerNodeMB.value > 0 && j.nodes.known {
		mem = known(j.memPerNodeMB.value * max(j.nodes.value, 1))
	}
	if !mem.known && j.memPerCPUMB.value > 0 && j.cpus.known {
		mem = known(j.memPerCPUMB.value * j.cpus.value)
	}
	if tres.stated || mem.known {
		setInt(b.table, "job.mem_mb", mem)
	}
	if gpus, ok := j.gpus(tres); ok {
		b.table.Int("job.gpus", gpus)
	}
	setInt(b.table, "job.mem_per_proc_mb", j.memPerCPUMB)
	setInt(b.table, "job.mem_per_node_mb", j.memPerNodeMB)
	for _, per := range []struct {
		column schema.ColumnID
		text   optional[string]
	}{{"job.gres_per_node", j.tresPerNode}, {"job.gres_per_task", j.tresPerTask}, {"job.gres_per_job", j.tresPerJob}} {
		if list := gresList(per.text.value); list != "" {
			b.table.String(per.column, list)
		}
	}
}

// gpus counts gres/gpu in the TRES, else its types, else what was asked for
// by node, job or task: a cluster that does not track gres/gpu has it only there.
func (j *slurmJob) gpus(tres optional[slurmtext.TRESList]) (int64, bool) {
	if n, ok := tres.value.Get("gres/gpu"); ok {
		return n, true
	}
	typed := int64(0)
	for _, t := range tres.value {
		if strings.HasPrefix(t.Name, "gres/gpu:") {
			typed += t.Count
		}
	}
	if typed > 0 {
		return typed, true
	}
	switch {
	case j.tresPerJob.value != "":
		typed = gpusIn(j.tresPerJob.value)
	case j.tresPerNode.value != "" && j.nodes.known:
		typed = gpusIn(j.tresPerNode.value) * j.nodes.value
	case j.tresPerTask.value != "" && j.tasks.known:
		typed = gpusIn(j.tresPerTask.value) * j.tasks.value
	}
	return typed, typed > 0 || tres.known
}

// placement writes where the job may run and where it does.
func (b *slurmJobs) placement(j *slurmJob) {
	if j.features.stated {
		b.table.String("job.feature_expression", j.features.value)
		b.table.List("job.features", featureNames(j.features.value))
	}
	setString(b.table, "job.licenses", j.licenses)
	setString(b.table, "job.reservation", j.reservation)
	setString(b.table, "job.comment", j.comment)
	setList(b.table, "job.hosts", j.hosts)
	setList(b.table, "job.excluded_hosts", j.excludedHosts)
	setList(b.table, "job.allocated_hosts", j.allocatedHosts)
	procs, memMB, cores := j.allocated()
	for _, c := range []struct { // the order of columns is that of every output
		id   schema.ColumnID
		list []string
	}{{"job.allocated_procs", procs}, {"job.allocated_mem_mb", memMB}, {"job.allocated_cores", cores}} {
		if c.list != nil {
			b.table.List(c.id, c.list)
		}
	}
	if j.exclusive.stated {
		b.table.Bool("job.exclusive", j.exclusive.value)
	}
}

func (b *slurmJobs) time(id schema.ColumnID, c optional[int64]) {
	if c.known {
		b.table.Time(id, c.value)
	} else if c.stated {
		b.table.Declare(id, schema.Timestamp)
	}
}

// tresColumn keeps the column name of each resource, which would be put
// together anew for every job otherwise.
func (b *slurmJobs) tresColumn(name string) schema.ColumnID {
	id, ok := b.tresName[name]
	if !ok {
		id = schema.TRES("job", name)
		b.tresName[name] = id
	}
	return id
}

// list splits text, once for each different text.
func (b *slurmJobs) list(text, separator string) []string {
	if text == "" {
		return nil
	}
	l, ok := b.lists[text]
	if !ok {
		l = strings.Split(text, separator)
		b.lists[text] = l
	}
	return l
}
