package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// jobIDs finds jobs by their ids. The tasks of an array that are not split off go by the array's.
func (q *planQueue) jobIDs() map[string]int32 {
	ids := map[string]int32{}
	for job := range q.result.State {
		id := q.result.jobID(job)
		if _, ok := ids[id]; !ok {
			ids[id] = int32(job)
		}
		if number, _, cut := strings.Cut(id, "."); cut { // PBS: 12.server
			if _, ok := ids[number]; !ok {
				ids[number] = int32(job)
			}
		}
	}
	return ids
}

// after reads what other jobs a job waits for (sbatch and qsub, depend): a list of TYPE:JOB[:JOB…], all of
// them to be met where commas part them and one where question marks do. waits are those about which
// nothing can be planned.
func (q *planQueue) after(request *backfill.Request) (waits []backfill.Wait, never string) {
	text := q.result.Jobs.Value("job.dependency", int(request.Row)).Str
	if text == "" || text == "(null)" {
		return nil, ""
	}
	if strings.HasPrefix(q.result.Reason[request.Row], "DependencyNeverSatisfied") {
		return nil, "its dependency " + text + " can no longer be met"
	}
	request.AfterAny = strings.Contains(text, "?")
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '?' }) {
		part = strings.TrimSpace(part)
		part, _, _ = strings.Cut(part, "(") // afterok:12(unfulfilled)
		kind, list, _ := strings.Cut(part, ":")
		if strings.EqualFold(kind, "singleton") {
			request.After = append(request.After, q.sameName(request)...)
			continue
		}
		if list == "" {
			if _, err := strconv.Atoi(kind); err != nil {
				waits = append(waits, backfill.Wait{Kind: backfill.WaitDependency, Job: -1, Name: part})
				continue
			}
			kind, list = "afterok", kind // a job id alone
		}
		for id := range strings.SplitSeq(list, ":") {
			jobs := q.named(id)
			if len(jobs) == 0 {
				waits = append(waits, backfill.Wait{Kind: backfill.WaitDependency, Job: -1, Name: kind + ":" + id})
				continue
			}
			if strings.EqualFold(kind, "after") {
				request.AfterStart = append(request.AfterStart, q.waiting(jobs)...)
			} else {
				request.After = append(request.After, jobs...)
			}
		}
	}
	if request.AfterAny && len(request.After)+len(request.AfterStart) > 0 {
		waits = nil // one that is known is enough to plan with
	}
	if slices.Contains(request.After, request.Job) {
		return nil, "it depends on itself"
	}
	return waits, ""
}

// named finds the jobs of an id that are not done: of an array all its records. after:12+5 says minutes
// beside.
func (q *planQueue) named(id string) []int32 {
	id, _, _ = strings.Cut(id, "+")
	id = strings.TrimSuffix(id, "_*")
	var jobs []int32
	add := func(job int32) {
		if q.result.State[job] != Done && !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
	}
	job, found := q.ids[id]
	if found {
		add(job)
	} else if base, _, task := strings.Cut(id, "_"); task { // a task that is not split off yet
		if job, found = q.ids[base]; found {
			add(job)
		}
	}
	if number, err := strconv.ParseInt(id, 10, 64); err == nil {
		for _, job := range q.tasksOf(number) {
			add(job)
		}
	}
	return jobs
}

// tasksOf are the records of an array.
func (q *planQueue) tasksOf(array int64) []int32 {
	if q.arrays == nil {
		q.arrays = map[int64][]int32{}
		c := q.result.Jobs.Column("job.array_job_id")
		for job := range q.result.State {
			if isKnown(c, job) {
				q.arrays[c.Ints[job]] = append(q.arrays[c.Ints[job]], int32(job))
			}
		}
	}
	return q.arrays[array]
}

// waiting leaves out the jobs that run.
func (q *planQueue) waiting(jobs []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(jobs), func(job int32) bool { return q.result.State[job] == Running })
}

// sameName are the jobs that a singleton comes after: those of its user and name that run, or have a
// lower id.
func (q *planQueue) sameName(request *backfill.Request) []int32 {
	r, row := q.result, int(request.Row)
	name, own := r.Jobs.Value("job.name", row).Str, ParseJobID(request.ID)
	var jobs []int32
	for job, state := range r.State {
		if job == row || state == Done || r.Jobs.Value("job.user", job).Str != request.User || r.Jobs.Value("job.name", job).Str != name {
			continue
		}
		id := ParseJobID(r.jobID(job))
		if state == Running || cmp.Or(cmp.Compare(id.Job, own.Job), cmp.Compare(id.Part, own.Part)) < 0 {
			jobs = append(jobs, int32(job))
		}
	}
	return jobs
}

// dependencyWaits are the jobs that come first as things that a job waits for.
func (q *planQueue) dependencyWaits(request *backfill.Request) []backfill.Wait {
	own := *request
	own.After, own.AfterStart = nil, nil
	waits, _ := q.after(&own)
	var list []backfill.Wait
	for _, job := range append(own.After, own.AfterStart...) {
		list = append(list, backfill.Wait{Kind: backfill.WaitDependency, Job: job})
	}
	return append(list, waits...)
}
