package slurm

import (
	"strconv"
	"strings"

	"github.com/fairway-sched/fairway/lang/schema"
)

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
