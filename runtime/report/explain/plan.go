package explain

import "github.com/fairway-sched/fairway/runtime/backfill"

// planned says when the job starts and what it waits for.
func (t *tree) planned(e *Explanation) {
	p := e.plan
	if p == nil {
		return
	}
	for _, i := range p.PlacesOf(e.job) {
		if at := p.At(i); at.By == backfill.ByNone && at.Never == "" && p.Result.Why[int32(e.job)] != nil {
			continue // what stops it has been reported
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
