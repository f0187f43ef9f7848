package evaluation

import (
	"strconv"
	"strings"
)

// JobID is a job's number and, of an array's task or a heterogeneous job's component, the
// number within it. An id that begins with no digit is 0 in both, so that such jobs
// keep the snapshot's order.
type JobID struct{ Job, Part int64 }

// ParseJobID reads an id as squeue prints it: 12, the array task 12_3, the tasks 12_[1-5,9%2] that
// still are as one record, which counts as the first of them, and the component 20+0;
// also TORQUE's 12[3].server. slurmctld compares the numbers that these are made of
// (array_job_id, array_task_id).
func ParseJobID(id string) JobID {
	job, rest := cutNumber(id)
	if rest == id {
		return JobID{}
	}
	part, _ := cutNumber(strings.TrimLeft(rest, "_+["))
	return JobID{job, part}
}

// cutNumber takes the digits off the front; too many of them are the largest number.
func cutNumber(s string) (n int64, rest string) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end > 0 { // an error would cost more than all else
		n, _ = strconv.ParseInt(s[:end], 10, 64)
	}
	return n, s[end:]
}
