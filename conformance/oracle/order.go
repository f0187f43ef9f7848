package oracle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

// order picks again and again the best of the waiting jobs that are left.
func (q *queue) order(rows []Row) []int {
	first := map[int]int{} // the row that stands for a job
	for i := len(rows) - 1; i >= 0; i-- {
		first[rows[i].Job] = i
	}
	var waiting, out []int
	for job := range q.jobs {
		r := rows[first[job]]
		if q.waits(job) && r.Priority.Err == nil && !slices.Contains(r.Holds, true) {
			waiting = append(waiting, job)
		}
	}
	for len(waiting) > 0 {
		best := 0
		for k := range waiting {
			if q.before(rows, first[waiting[k]], first[waiting[best]]) {
				best = k
			}
		}
		out = append(out, waiting[best])
		waiting = slices.Delete(waiting, best, best+1)
	}
	return out
}

// waits reports a job that is neither started, done nor held by somebody.
func (q *queue) waits(job int) bool {
	switch q.jobs[job].text("job.state") {
	case "running", "suspended", "completing", "done":
		return false
	}
	return q.jobs[job]["job.held"].Int == 0
}

// before reports whether row a stands strictly before row b: Maui looks at the
// priority alone; Slurm at reservation, tier, priority, submission and id (sort_job_queue2).
func (q *queue) before(rows []Row, a, b int) bool {
	if q.policy.Family != "slurm" {
		return rows[a].Stored > rows[b].Stored
	}
	reserved, tier := func(r row) int64 {
		if r.cells.text("job.reservation") != "" {
			return 0
		}
		return 1
	}, func(r row) int64 {
		if v := q.credential("partition.priority_tier", r.cells.text("job.partition")); v.Known() {
			return v.Int
		}
		return 1
	}
	ra, rb := q.rows[a], q.rows[b]
	ja, jb := jobNumbers(ra), jobNumbers(rb)
	for _, k := range []struct{ smaller, greater int64 }{
		{reserved(ra), reserved(rb)},
		{tier(rb), tier(ra)},
		{rows[b].Stored, rows[a].Stored},
		{ra.cells["job.submit_time"].Int, rb.cells["job.submit_time"].Int},
		{ja[0], jb[0]},
		{ja[1], jb[1]},
	} {
		if k.smaller != k.greater {
			return k.smaller < k.greater
		}
	}
	return false
}

// jobNumbers are the job's number and its task's; 0 for what is not a number.
func jobNumbers(r row) [2]int64 {
	var n [2]int64
	for i, part := range strings.SplitN(r.cells[schema.ColumnID("job.id")].Str, "_", 2) {
		n[i], _ = strconv.ParseInt(part, 10, 64)
	}
	return n
}
