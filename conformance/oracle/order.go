package oracle

import (
	"regexp"
	"slices"
	"strconv"
)

// order picks again and again the job of the best entry that is left. A job has an entry for
// each of its partitions; one that failed or is held is none, nor is one that the partition refuses
// while another takes the job.
func (q *queue) order(rows []Row) []int {
	var entries, out []int
	for i, r := range rows {
		if q.refused(q.rows[i]) && slices.ContainsFunc(q.rows,
			func(other row) bool { return other.job == r.Job && !q.refused(other) }) {
			continue
		}
		if q.waits(r.Job) && r.Priority.Err == nil && !slices.Contains(r.Holds, true) {
			entries = append(entries, i)
		}
	}
	for len(entries) > 0 {
		best := entries[0]
		for _, e := range entries {
			if q.before(rows, e, best) {
				best = e
			}
		}
		job := rows[best].Job
		out = append(out, job)
		entries = slices.DeleteFunc(entries, func(e int) bool { return rows[e].Job == job })
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

// before reports whether row a is strictly before row b: Maui looks at the
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

// numbered is a job's number, and after it its task's or component's: 12 and 3 of 12_3,
// 12_[3-5] and 12+3.
var numbered = regexp.MustCompile(`^([0-9]+)(?:[_+\[]+([0-9]+))?`)

// jobNumbers are both numbers of an id; 0 for what is not a number.
func jobNumbers(r row) [2]int64 {
	var n [2]int64
	if m := numbered.FindStringSubmatch(r.cells.text("job.id")); m != nil {
		n[0], _ = strconv.ParseInt(m[1], 10, 64)
		n[1], _ = strconv.ParseInt(m[2], 10, 64)
	}
	return n
}
