package view

import "github.com/fairway-sched/fairway/runtime/backfill"

// shownTasks bounds how many tasks of an array an explanation goes through.
const shownTasks = 3

// placesOf are the requests of a job: of an array's record the first of its tasks.
func (p *Plan) placesOf(job int) []int {
	var list []int
	for i := range p.Schedule.Requests {
		if int(p.Schedule.Requests[i].Row) == job && len(list) < shownTasks {
			list = append(list, i)
		}
	}
	return list
}

// planned says when the job starts and what it waits for.
func (t *tree) planned(e *Explanation) {
	p := e.plan
	if p == nil {
		return
	}
	for _, i := range p.placesOf(e.job) {
		if at := p.at(i); at.By == backfill.ByNone && at.Never == "" && p.Result.Why[int32(e.job)] != nil {
			continue // what stops it has been said
		}
		for k, line := range p.Why(i) {
			if k == 0 {
				line = t.strong(line)
			}
			t.line(0, "%s", line)
		}
		t.line(0, "")
	}
}
