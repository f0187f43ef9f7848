package planning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/column"
)

// maxTasks bounds how many tasks of one array record are read.
const maxTasks = 1 << 20

// taskIDs reads the tasks of an array's record: 1,3,7-9 or 0-8:2, as sbatch has it with %5 after if so many may run at
// a time. Of a list that is cut off, or no list, those before are read, and it is not ok.
func taskIDs(text string) (list []int64, most int64, ok bool) {
	if text == "" {
		return nil, 0, true
	}
	text, limit, limited := strings.Cut(text, "%")
	if limited {
		n, err := strconv.ParseInt(limit, 10, 32)
		if err != nil || n < 0 {
			return nil, 0, false
		}
		most = n
	}
	for part := range strings.SplitSeq(text, ",") {
		span, step, stepped := strings.Cut(strings.TrimSpace(part), ":")
		by := int64(1)
		if stepped {
			n, err := strconv.ParseInt(step, 10, 32)
			if err != nil || n < 1 {
				return list, most, false
			}
			by = n
		}
		from, to, isRange := strings.Cut(span, "-")
		first, err := strconv.ParseInt(from, 10, 64)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseInt(to, 10, 64)
		}
		if err != nil || first < 0 || last < first || (last-first)/by >= maxTasks-int64(len(list)) {
			return list, most, false
		}
		for id := first; id <= last; id += by {
			list = append(list, id)
		}
	}
	return list, most, true
}

// ArrayTasks are the tasks that a record of a job stands for; −1 alone for a record that is one job.
func ArrayTasks(jobs *column.Table, row int) []int64 {
	if list, _, _ := taskIDs(jobs.Value("job.array_task_list", row).Str); len(list) > 0 &&
		jobs.Value("job.array_job_id", row).Known() {
		return list
	}
	return []int64{-1}
}

// MaxPlannedTasks bounds how many waiting tasks of one array are planned.
const MaxPlannedTasks = 10000

// tasks makes a request of each task that an array's record stands for, and says which job each request is read
// from, by Request.Job.
func (q *Queue) tasks() (requests []backfill.Request, rows map[int32]int32) {
	next, rows := int32(q.Result.Jobs.Rows), map[int32]int32{}
	if !slices.ContainsFunc(q.Requests, func(r backfill.Request) bool { return len(r.TaskIDs) > 0 }) {
		return q.Requests, rows
	}
	split := map[int32][]int32{} // the tasks of a record, by its job
	for _, r := range q.Requests {
		if r.Running || len(r.TaskIDs) == 0 {
			requests = append(requests, r)
			continue
		}
		ids := r.TaskIDs
		if len(ids) > MaxPlannedTasks {
			q.ArrayCut(&r)
			ids = ids[:MaxPlannedTasks]
		}
		for k, id := range ids {
			task := r
			task.TaskIDs, task.ID = []int64{id}, strconv.FormatInt(r.Array, 10)+"_"+strconv.FormatInt(id, 10)
			if k > 0 {
				task.Job = next
				rows[next] = r.Row
				next++
			}
			split[r.Job] = append(split[r.Job], task.Job)
			requests = append(requests, task)
		}
	}
	number := map[int32]int64{}
	for i := range requests {
		if r := &requests[i]; len(r.TaskIDs) == 1 {
			number[r.Job] = r.TaskIDs[0]
		}
	}
	for i := range requests {
		q.followTasks(&requests[i], split, number)
	}
	return requests, rows
}

// followTasks puts all tasks of a record in its place where another job comes after it; where that one's tasks follow
// those of the record one by one (sbatch, aftercorr), the task of the same number.
func (q *Queue) followTasks(r *backfill.Request, split map[int32][]int32, number map[int32]int64) {
	var after, starts []int32
	var delays []int64
	for _, job := range r.After {
		list := split[job]
		if len(list) == 0 {
			list = []int32{job}
		}
		if slices.Contains(q.corresponding[r.Row], job) && len(r.TaskIDs) == 1 {
			list = slices.DeleteFunc(slices.Clone(list), func(task int32) bool {
				n, ok := number[task]
				return ok && n != r.TaskIDs[0]
			})
		}
		after = append(after, list...)
	}
	for k, job := range r.AfterStart {
		list := split[job]
		if len(list) == 0 {
			list = []int32{job}
		}
		for _, task := range list {
			starts, delays = append(starts, task), append(delays, r.AfterStartSeconds[k])
		}
	}
	r.After, r.AfterStart, r.AfterStartSeconds = after, starts, delays
}

// ArrayCut says that not all waiting tasks of an array are planned.
func (q *Queue) ArrayCut(r *backfill.Request) {
	q.Result.Findings.Infof("plan-array-cut", source.Span{},
		"of the %d waiting tasks of array %d the first %d are planned", len(r.TaskIDs), r.Array, MaxPlannedTasks).
		Note("the others start later still")
}
