package slurm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/lang/schema/slurmtext"
	"github.com/fairway-sched/fairway/runtime/snapshot/format"
)

// slurmJob is a job. Every reader fills a record of it, so that the meaning of each field is decided once.
var slurmJob = &slurmObject{fields: jobFields, rows: (*format.Input).Jobs, settle: settleJob}

var jobFields = fieldsOf("job")

// The fields of a job that code uses.
var (
	ofJob = jobFields.slot

	jobID, jobRecord                      = ofJob("id"), ofJob("record")
	jobName, jobRecordID                  = ofJob("job.id"), ofJob("job.record_id")
	jobHet, jobHetOffset                  = ofJob("job.het_job_id"), ofJob("job.het_offset")
	jobArray, jobArrayTask                = ofJob("job.array_job_id"), ofJob("job.array_task_id")
	jobArrayTasks, jobArrayTaskList       = ofJob("job.array_tasks"), ofJob("job.array_task_list")
	jobArrayMax, jobUnsplit               = ofJob("job.array_running_max"), ofJob("unsplit")
	jobAccount, jobPartitionList          = ofJob("job.account"), ofJob("partition")
	jobPartitions, jobPartition           = ofJob("job.partitions"), ofJob("job.partition")
	jobStateWords, jobState, jobStateWord = ofJob("state"), ofJob("job.state"), ofJob("job.state_word")
	jobDescription, jobReason             = ofJob("description"), ofJob("job.state_reason")
	jobPriority, jobHold, jobHeld         = ofJob("job.recorded_priority"), ofJob("hold"), ofJob("job.held")
	jobSubmit, jobEligible                = ofJob("job.submit_time"), ofJob("job.eligible_time")
	jobBeginTime, jobStart, jobEnd        = ofJob("job.begin_time"), ofJob("job.start_time"), ofJob("job.end_time")
	jobElapsed, jobCPUSeconds             = ofJob("elapsed"), ofJob("cpu_seconds")
	jobLimit, jobUnlimited                = ofJob("limit"), ofJob("job.walltime_unlimited")
	jobWalltime                           = ofJob("job.walltime_seconds")
	jobTasks, jobProcs                    = ofJob("job.tasks"), ofJob("job.procs")
	jobProcsPerTask, jobDependency        = ofJob("job.procs_per_task"), ofJob("job.dependency")
	jobSubmitLine                         = ofJob("submit_line")
	jobCPUs, jobCPUsMax, jobCPUsHad       = ofJob("cpus"), ofJob("cpus_max"), ofJob("cpus_had")
	jobNodes, jobNodeCount                = ofJob("job.nodes"), ofJob("nodes")
	jobTmpDisk, jobDisk                   = ofJob("tmp_disk"), ofJob("job.disk_mb")
	jobRequested, jobAllocated, jobTRES   = ofJob("requested"), ofJob("allocated"), ofJob("job.tres")
	jobMemMin, jobMem, jobGPUs            = ofJob("mem_min"), ofJob("job.mem_mb"), ofJob("job.gpus")
	jobMemPerCPU, jobMemPerNode           = ofJob("job.mem_per_proc_mb"), ofJob("job.mem_per_node_mb")
	jobTRESPerNode, jobGresPerNode        = ofJob("tres_per_node"), ofJob("job.gres_per_node")
	jobTRESPerTask, jobGresPerTask        = ofJob("tres_per_task"), ofJob("job.gres_per_task")
	jobTRESPerJob, jobGresPerJob          = ofJob("tres_per_job"), ofJob("job.gres_per_job")
	jobCPUsPerTRES, jobProcsPerGres       = ofJob("cpus_per_tres"), ofJob("job.procs_per_gres")
	jobFeatureExpression, jobFeatures     = ofJob("job.feature_expression"), ofJob("job.features")
	jobAllocatedHosts, jobDetailHosts     = ofJob("job.allocated_hosts"), ofJob("detail_hosts")
	jobAllocatedIDs                       = ofJob("job.allocated_cpu_ids")
	jobAllocatedProcs, jobAllocatedCores  = ofJob("job.allocated_procs"), ofJob("job.allocated_cores")
	jobAllocatedMemMB                     = ofJob("job.allocated_mem_mb")
)

// slurmJobs writes the jobs of one source into its table.
func slurmJobs(in *format.Input) *slurmRows {
	in.Snapshot.Family = "slurm"
	if in.Snapshot.RecordIDs == nil {
		in.Snapshot.RecordIDs = format.NewRecordIDs()
	}
	in.Jobs()
	return newSlurmRows(in, slurmJob)
}

// settleJob says what the fields of a job together mean.
func settleJob(w *slurmRows, r *slurmRecord) error {
	state, word, err := SlurmState(r.list(jobStateWords))
	if err != nil {
		return err
	}
	if w.in.Snapshot.Accounting && state == "pending" && r.known(jobStart) && r.known(jobEnd) {
		state = "done" // a run of accounting that ended as its job was requeued
	}
	id := r.identify()
	if id == "" {
		return fieldError("JobId", "the record names no job")
	}
	if w.seen[id] {
		return fieldError("JobId", "job %s is in the file twice", id)
	}
	w.seen[id] = true
	see(w.in.Snapshot.RecordIDs, r, id)
	if state == "pending" && !r.stated(jobRequested) { // squeue prints both under one name
		if r.stated(jobAllocated) {
			r.setTRES(jobRequested, r.tres(jobAllocated))
		}
		r.forget(jobAllocated)
	}
	at := r.at
	if c := r.cell(jobSubmit); c != nil {
		at = c.at
	}
	w.in.Submits = append(w.in.Submits, at)
	r.settleIdentity(w, id)
	if state != "" {
		r.setText(jobState, state)
		r.setText(jobStateWord, word)
	}
	r.settleScheduling(state)
	r.settleTimes(state)
	r.settleSize(state)
	r.settleResources()
	if r.stated(jobFeatureExpression) {
		r.setList(jobFeatures, featureNames(r.text(jobFeatureExpression)))
	}
	r.settleAllocation()
	if w.in.Snapshot.Accounting && w.in.Options.WholeTrace {
		r.settleSubmission()
	}
	return nil
}

// see notes the numbers by which only some outputs know a job.
func see(ids *format.RecordIDs, r *slurmRecord, id string) {
	if record := r.text(jobRecord); record != "" && record != id {
		ids.Add(record, id)
	}
	if r.int(jobHet) > 0 && r.known(jobHetOffset) {
		if name := fmt.Sprintf("%d+%d", r.int(jobHet), r.int(jobHetOffset)); name != id {
			ids.Components[name] = id
		}
	}
	if r.known(jobArray) && !r.known(jobArrayTask) && r.stated(jobUnsplit) {
		ids.Unsplit[id] = true
	}
}

// identify gives the id of the row: a task of an array is 12_3 whatever record
// number it got when it was split off; the tasks not yet split off are one
// record, known by the number of the array, as scontrol and sprio have it.
func (r *slurmRecord) identify() string {
	id := r.text(jobID)
	array, task, isTask := strings.Cut(id, "_")
	switch {
	case isTask && strings.HasPrefix(task, "["):
		if n, err := strconv.ParseInt(array, 10, 64); err == nil {
			r.setInt(jobArray, n)
			r.set(jobArrayTask, schema.Value{})
			r.setBool(jobUnsplit, true)
			r.tasksOf(strings.TrimRight(task[1:], "]"))
		}
		return array
	case isTask:
		a, errArray := strconv.ParseInt(array, 10, 64)
		t, errTask := strconv.ParseInt(task, 10, 64)
		if errArray == nil && errTask == nil {
			r.setInt(jobArray, a)
			r.setInt(jobArrayTask, t)
		}
	case r.known(jobArray) && r.known(jobArrayTask):
		r.setText(jobRecord, id)
		return itoa(r.int(jobArray)) + "_" + itoa(r.int(jobArrayTask))
	}
	return id
}

// settleIdentity writes who the job is. The partition of a job with several is the
// first in the order of submission: its priority is the one that squeue shows.
func (r *slurmRecord) settleIdentity(w *slurmRows, id string) {
	r.setText(jobName, id)
	if n, err := strconv.ParseInt(r.text(jobRecord), 10, 64); err == nil && r.text(jobRecord) != id {
		r.setInt(jobRecordID, n)
	}
	if r.int(jobHet) <= 0 { // JSON has 0 elsewhere
		r.forget(jobHet, jobHetOffset)
	}
	switch {
	case !r.known(jobArray):
		r.forget(jobArrayTask, jobArrayTaskList, jobArrayTasks, jobArrayMax)
	case r.known(jobArrayTask):
		r.setInt(jobArrayTasks, 1)
		r.forget(jobArrayTaskList)
	case r.text(jobArrayTaskList) == "":
		r.forget(jobArrayTaskList)
	}
	if r.stated(jobPartitionList) {
		partitions := w.list(r.text(jobPartitionList), ",")
		first := ""
		if len(partitions) > 0 {
			first = partitions[0]
		}
		r.setList(jobPartitions, partitions)
		r.setText(jobPartition, first)
	}
}

// settleScheduling writes what ranks the job. Priority 0 of a pending job means held
// (job_mgr.c); the reason says so where the priority is not printed. A
// priority set by hand cannot be distinguished from a computed one in any job output.
func (r *slurmRecord) settleScheduling(state string) {
	if text := r.text(jobDescription); text != "" { // the words that other outputs print in the place of the reason
		r.setText(jobReason, OneWord(text))
	}
	heldReason := strings.HasPrefix(r.text(jobReason), "JobHeld")
	if r.stated(jobPriority) || r.stated(jobHold) || heldReason {
		zero := r.known(jobPriority) && r.int(jobPriority) == 0
		r.setBool(jobHeld, state == "pending" && (zero || heldReason || r.int(jobHold) != 0))
	}
}

// settleTimes drops start and end of a job that has not started: Slurm prints its
// estimate there (job_mgr.c, pack of a pending job). EligibleTime is the
// begin time the job asked for as long as the reason says that it waits for it.
func (r *slurmRecord) settleTimes(state string) {
	if r.stated(jobEligible) && r.stated(jobReason) {
		begin := schema.Value{}
		if state == "pending" && r.text(jobReason) == "BeginTime" {
			begin = r.get(jobEligible)
		}
		r.set(jobBeginTime, begin)
	}
	if state == "pending" {
		r.setIf(r.stated(jobStart), jobStart, schema.Value{})
		r.setIf(r.stated(jobEnd), jobEnd, schema.Value{})
	}
	r.endByElapsed(state)
	if limit := r.get(jobLimit); r.stated(jobLimit) {
		unlimited := limit.Int == slurmtext.Infinite
		r.setBool(jobUnlimited, unlimited)
		r.set(jobWalltime, finite(limit))
	}
}

// endByElapsed: accounting may have the time that passed instead of the end.
func (r *slurmRecord) endByElapsed(state string) {
	if state == "done" && !r.known(jobEnd) && r.known(jobStart) && r.known(jobElapsed) {
		r.set(jobEnd, schema.TimestampValue(r.int(jobStart)+r.int(jobElapsed)))
	}
}

// settleSize follows the job size factor (priority_multifactor.c): the CPUs a
// running job has, else the most it accepts if it says so, else the least.
func (r *slurmRecord) settleSize(state string) {
	procs, stated := r.get(jobCPUs), r.stated(jobCPUs)
	if state == "pending" && r.int(jobCPUsMax) > 0 {
		procs, stated = r.get(jobCPUsMax), true
	}
	if n, ok := r.tres(r.effective()).Get("cpu"); ok && !procs.Known() {
		procs, stated = schema.IntValue(n), true
	}
	r.setIf(stated, jobProcs, procs)
	nodes, stated := r.minNodes(state)
	r.setIf(stated, jobNodes, nodes)
	if r.known(jobTmpDisk) && r.known(jobNodeCount) {
		r.setInt(jobDisk, r.int(jobTmpDisk)*max(r.int(jobNodeCount), 1))
	}
	r.splitMemory(nodes)
}

// minNodes is the least number of nodes, which the size factor counts. The node count
// printed for a pending job is an estimate (6 for -N 2-6); its requested TRES has the minimum.
func (r *slurmRecord) minNodes(state string) (nodes schema.Value, stated bool) {
	if n, ok := r.tres(jobRequested).Get("node"); ok && state == "pending" {
		return schema.IntValue(n), true
	}
	return r.get(jobNodeCount), r.stated(jobNodeCount)
}

// effective is what is allocated, else what was requested.
func (r *slurmRecord) effective() slot {
	if r.known(jobAllocated) {
		return jobAllocated
	}
	return jobRequested
}

// splitMemory tells whether squeue's minimal memory is that of each CPU or of each node, which its column
// does not say: the total does. Where both would give it, as for one CPU on one node, it stays open.
func (r *slurmRecord) splitMemory(minNodes schema.Value) {
	total, ok := r.tres(r.effective()).Get("mem")
	if !r.known(jobMemMin) || r.stated(jobMemPerCPU) || r.stated(jobMemPerNode) {
		return
	}
	least := r.get(jobMemMin)
	byCPU, byNode := schema.Value{}, schema.Value{}
	if ok && r.known(jobCPUs) && total == least.Int*r.int(jobCPUs) {
		byCPU = least
	}
	if ok && r.known(jobNodeCount) && total == least.Int*minNodes.Int {
		byNode = least
	}
	if byCPU.Known() && byNode.Known() {
		byCPU, byNode = schema.Value{}, schema.Value{}
	}
	r.set(jobMemPerCPU, byCPU)
	r.set(jobMemPerNode, byNode)
}

// settleResources writes the trackable resources, memory and GPUs.
func (r *slurmRecord) settleResources() {
	from := r.effective()
	tres, mem := r.tres(from), schema.Value{}
	if tres != nil {
		r.setTRES(jobTRES, tres)
	}
	nodes, cpus := r.get(jobNodeCount), r.get(jobCPUs)
	// Without TRES the memory follows from what each node or CPU gets; 0 means
	// all of a node's memory there, which only the node knows.
	if mb, ok := tres.Get("mem"); ok {
		mem = schema.IntValue(mb)
	} else if each := r.int(jobMemPerNode); each > 0 && nodes.Known() {
		mem = schema.IntValue(each * max(nodes.Int, 1))
	} else if each := r.int(jobMemPerCPU); each > 0 && cpus.Known() {
		mem = schema.IntValue(each * cpus.Int)
	}
	r.setIf(r.stated(from) || mem.Known(), jobMem, mem)
	if gpus, ok := r.gpus(tres); ok {
		r.setInt(jobGPUs, gpus)
	}
	for _, per := range [...]struct{ from, to slot }{
		{jobTRESPerNode, jobGresPerNode}, {jobTRESPerTask, jobGresPerTask}, {jobTRESPerJob, jobGresPerJob},
		{jobCPUsPerTRES, jobProcsPerGres},
	} {
		list := GresList(r.text(per.from))
		r.setIf(list != "", per.to, schema.StringValue(list))
	}
}

// gpus counts gres/gpu in the TRES, else its types, else what was asked for
// by node, job or task: a cluster that does not track gres/gpu has it only there.
func (r *slurmRecord) gpus(tres slurmtext.TRESList) (n int64, ok bool) {
	if n, ok := trackedGPUs(tres); ok {
		return n, true
	}
	perJob, perNode, perTask := r.text(jobTRESPerJob), r.text(jobTRESPerNode), r.text(jobTRESPerTask)
	switch {
	case perJob != "":
		n = GPUsIn(perJob)
	case perNode != "" && r.known(jobNodeCount):
		n = GPUsIn(perNode) * r.int(jobNodeCount)
	case perTask != "" && r.known(jobTasks):
		n = GPUsIn(perTask) * r.int(jobTasks)
	}
	return n, n > 0 || tres != nil
}

// trackedGPUs are the gres/gpu of a list, else the sum of its types.
func trackedGPUs(tres slurmtext.TRESList) (n int64, ok bool) {
	if n, ok = tres.Get("gres/gpu"); ok {
		return n, true
	}
	for _, t := range tres {
		if strings.HasPrefix(t.Name, "gres/gpu:") {
			n += t.Count
		}
	}
	return n, n > 0
}

// tasksOf reads the tasks that a record of an array stands for, as in 1,3,7-9%2 or 0-8:2. A list that
// was cut off (…) says how many may run but not how many there are; it is kept as it stands for plans to say so.
func (r *slurmRecord) tasksOf(text string) {
	list, throttle, throttled := strings.Cut(text, "%")
	if n, err := strconv.ParseInt(strings.TrimSpace(throttle), 10, 64); throttled && err == nil && n > 0 {
		r.setInt(jobArrayMax, n)
	}
	total := int64(0)
	r.set(jobArrayTasks, schema.Value{})
	r.setText(jobArrayTaskList, strings.TrimSpace(list))
	for part := range strings.SplitSeq(list, ",") {
		n, ok := tasksIn(strings.TrimSpace(part))
		if !ok {
			return
		}
		total += n
	}
	r.setInt(jobArrayTasks, total)
}

// maxArrayTasks is more than any cluster allows (MaxArraySize).
const maxArrayTasks = 1 << 32

// tasksIn counts one part: 3, 7-9 or 0-8:2.
func tasksIn(part string) (int64, bool) {
	span, step, stepped := strings.Cut(part, ":")
	by := int64(1)
	if stepped {
		n, err := strconv.ParseInt(step, 10, 64)
		if err != nil || n < 1 {
			return 0, false
		}
		by = n
	}
	from, to, isRange := strings.Cut(span, "-")
	first, err := strconv.ParseInt(from, 10, 64)
	if err != nil || first < 0 {
		return 0, false
	}
	if !isRange {
		return 1, true
	}
	last, err := strconv.ParseInt(to, 10, 64)
	if err != nil || last < first || last > maxArrayTasks {
		return 0, false
	}
	return (last-first)/by + 1, true
}
