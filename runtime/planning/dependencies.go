package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// jobIDs finds jobs by their ids. The tasks of an array that are not split off go by the array's.
func (q *Queue) jobIDs() map[string]int32 {
	if q.ids != nil {
		return q.ids
	}
	ids := map[string]int32{}
	q.ids = ids
	for job := range q.Result.State {
		id := q.Result.JobID(job)
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

// After reads what other jobs a job waits for (sbatch and qsub, depend): a list of TYPE:JOB[:JOB…], all of them to
// be met where commas part them and one where question marks do. To its own words come those of jobs that are to go
// before it. waits are those about which nothing can be planned.
func (q *Queue) After(request *backfill.Request) (waits []backfill.Wait, never string) {
	text := q.Result.Jobs.Text("job.dependency", int(request.Row))
	if text == "(null)" {
		text = ""
	}
	if text != "" && strings.HasPrefix(q.Result.Reason[request.Row], "DependencyNeverSatisfied") {
		return nil, "its dependency " + text + " can no longer be met"
	}
	own := dependencies{request: request, any: strings.Contains(text, "?")}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '?' }) {
		q.dependency(&own, strings.TrimSpace(part))
	}
	before := q.before()[request.Job]
	switch {
	case own.any && own.met:
		own.after, own.starts, own.delays, own.waits = nil, nil, nil, nil
	case own.any && len(own.after)+len(own.starts) > 0:
		own.waits = nil // one that is known is enough to plan with
	case own.failed != "" && (!own.any || len(own.waits) == 0):
		return nil, "its dependency " + own.failed + " can no longer be met"
	}
	for _, b := range before {
		switch state := q.Result.State[b.job]; {
		case state == evaluation.Done, b.start && state == evaluation.Running, b.job == request.Job:
		case b.start:
			own.start(b.job, 0)
		default:
			own.after = append(own.after, b.job)
		}
	}
	if len(before) < int(own.on) {
		own.waits = append(own.waits, backfill.Wait{Kind: backfill.WaitDependency, Job: -1,
			Name: fmt.Sprintf("on:%d", own.on)})
	}
	request.AfterAny = own.any && len(own.after)+len(own.starts) > 0
	request.After, request.AfterStart, request.AfterStartSeconds = own.after, own.starts, own.delays
	if len(own.corresponding) > 0 {
		if q.corresponding == nil {
			q.corresponding = map[int32][]int32{}
		}
		q.corresponding[request.Job] = own.corresponding
	}
	if slices.Contains(request.After, request.Job) {
		return nil, "it depends on itself"
	}
	return own.waits, ""
}

// tasksOf are the records of an array.
func (q *Queue) tasksOf(array int64) []int32 {
	if q.arrays == nil {
		q.arrays = map[int64][]int32{}
		c := q.Result.Jobs.Column("job.array_job_id")
		for job := range q.Result.State {
			if column.Known(c, job) {
				q.arrays[c.Ints[job]] = append(q.arrays[c.Ints[job]], int32(job))
			}
		}
	}
	return q.arrays[array]
}

// dependencyWaits are the jobs that come first as things that a job waits for.
func (q *Queue) dependencyWaits(request *backfill.Request) []backfill.Wait {
	own := *request
	own.After, own.AfterStart = nil, nil
	waits, _ := q.After(&own)
	var list []backfill.Wait
	for _, job := range append(own.After, own.AfterStart...) {
		list = append(list, backfill.Wait{Kind: backfill.WaitDependency, Job: job})
	}
	return append(list, waits...)
}
