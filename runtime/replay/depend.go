package replay

import (
	"cmp"
	"container/heap"
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/snapshot"
)

// dependency is what a record waits for (sbatch, --dependency). slurmctld looks at it in each pass and each cycle.
type dependency struct {
	any   bool // one condition is enough
	conds []condition
}

// condition is one of them.
type condition struct {
	word    string
	jobs    []int // of Outcomes
	seconds int64 // after the start
}

// dependency reads the words of a record; nil if there are none. Jobs that the workload does not have are gone, and
// no job waits for them.
func (c *controller) dependency(r *record) *dependency {
	text := r.cells["job.dependency"].Str
	if text == "" {
		return nil
	}
	d := &dependency{any: strings.Contains(text, "?")}
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '?' }) {
		part, _, _ = strings.Cut(strings.TrimSpace(part), "(")
		word, list, _ := strings.Cut(part, ":")
		if _, err := strconv.Atoi(word); err == nil && list == "" {
			word, list = "afterok", word // a job id alone
		}
		if word = strings.ToLower(word); word == "singleton" {
			d.conds = append(d.conds, condition{word: word})
			continue
		}
		for id := range strings.SplitSeq(list, ":") {
			id, minutes, _ := strings.Cut(id, "+")
			n, _ := strconv.ParseInt(minutes, 10, 32)
			d.conds = append(d.conds, condition{word, c.named(id), 60 * max(0, n)})
		}
	}
	return d
}

// named are the jobs of an id: of an array all its tasks.
func (c *controller) named(id string) []int {
	id = strings.TrimSuffix(id, "_*")
	if jobs := c.arrays[id]; len(jobs) > 0 {
		return jobs
	}
	if job, ok := c.jobs[id]; ok {
		return []int{job}
	}
	return nil
}

// met reports whether a record may start now, and from when on it might.
func (c *controller) met(r *record) (since instant, ok bool) {
	since = 0
	for i := range r.waits.conds {
		at, met := c.condition(r, &r.waits.conds[i])
		switch {
		case met && r.waits.any:
			return at, true
		case !met && !r.waits.any:
			return 0, false
		}
		since = max(since, at)
	}
	return since, !r.waits.any
}

// condition reports whether one is met. After a start it is met at a time of its own, else now: when it is noticed.
func (c *controller) condition(r *record, d *condition) (since instant, ok bool) {
	if d.word == "singleton" {
		return c.now, !c.sameName(r)
	}
	since = c.now
	for _, job := range d.jobs {
		o := &c.out.Outcomes[job]
		runs := c.endsAt[job] != 0
		switch {
		case o.Never != "" && o.By == "":
		case d.word == "after" && (runs || o.End != 0):
			at := instant(o.Start+d.seconds) * second
			if len(o.Earlier) > 0 {
				at = instant(o.Earlier[0].Start+d.seconds) * second
			}
			if at > c.now {
				c.delayed = true
				return 0, false
			}
			if d.seconds > 0 {
				since = at
			}
		case o.End == 0 || runs:
			return 0, false
		case d.word == "afterok" || d.word == "aftercorr":
			if c.endedBadly(job) {
				return 0, false
			}
		case d.word == "afternotok":
			if !c.endedBadly(job) {
				return 0, false
			}
		}
	}
	return since, true
}

// sameName reports a job of the same user and name that runs, or waits and has a lower id.
func (c *controller) sameName(r *record) bool {
	user, name, own := r.cells["job.user"].Str, r.cells["job.name"].Str, evaluation.ParseJobID(r.id)
	for _, job := range c.sharers[[2]string{user, name}] {
		o := &c.out.Outcomes[job]
		if c.recordOf[job] == r || c.recordOf[job] == nil {
			continue
		}
		id := evaluation.ParseJobID(o.ID)
		_, waits := c.waiting[o.ID]
		if c.endsAt[job] != 0 || waits && cmp.Or(cmp.Compare(id.Job, own.Job), cmp.Compare(id.Part, own.Part)) < 0 {
			return true
		}
	}
	return false
}

// notice lets the records start whose dependencies are met by now, and sees begin times pass: neither asks for a pass.
func (c *controller) notice() error {
	for len(c.timed) > 0 && instant(c.timed[0].at) <= c.now {
		heap.Pop(&c.timed)
		c.unseen = true
	}
	if !c.moved && !c.delayed {
		return nil
	}
	c.moved, c.delayed = false, false
	var ready []*record
	kept := c.dependent[:0]
	for _, r := range c.dependent {
		since, ok := c.met(r)
		if !ok {
			kept = append(kept, r)
			continue
		}
		r.waits = nil
		ready = append(ready, r)
		r.cells["job.eligible_time"] = schema.TimestampValue(max(since, r.begin).seconds())
	}
	c.dependent = kept
	for _, r := range ready {
		c.unseen = true
		delete(r.cells, "job.dependency")
		if err := c.state.Change(r.id, snapshot.Cells{"job.dependency": schema.StringValue(""),
			"job.eligible_time": r.cells["job.eligible_time"]}); err != nil {
			return err
		}
	}
	return nil
}

// endedBadly reports a job that is recorded to have failed.
func (c *controller) endedBadly(job int) bool {
	if c.out.Outcomes[job].Cancelled {
		return true
	}
	if q := c.workload.queue; q != nil && job < len(q.jobs) {
		return false
	}
	word, _, _ := strings.Cut(strings.ToUpper(c.workload.table.Value("job.state_word", c.out.Outcomes[job].Row).Str), " ")
	switch word {
	case "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE":
		return true
	}
	return false
}
