package format

import (
	"fmt"
	"time"

	"github.com/fairway-sched/fairway/runtime/column"
)

// Place is a range of an input's text.
type Place struct{ Start, End int }

// firstSecond is 1980: no batch system that is read here is older, and a time
// before it counts from the start of a trace, not from 1970.
const firstSecond = 315532800

// tenYears is how far after the snapshot's time a job may say it was submitted,
// in seconds. Clocks differ by minutes; what is further off is a wrong number.
const tenYears = 10 * 365 * 86400

// checkSubmitTimes takes out the jobs whose submit time cannot be, seen from
// the time of the snapshot: the input's own, else the one chosen. Age and queue
// time count from it. Slurm and PBS always count from 1970; other inputs may
// count from the start of a trace, and then do so throughout.
func (in *Input) checkSubmitTimes(jobs *column.Table) *column.Table {
	submit := jobs.Column("job.submit_time")
	if submit == nil || in.origin == FromTraces { // jobs of all times are what a trace holds
		return jobs
	}
	now := in.Snapshot.Now
	if now == 0 {
		now = in.Options.Now
	}
	from1970 := now >= firstSecond || in.origin == FromSlurm || in.origin == FromPBS
	var keep []int
	for row := range jobs.Rows {
		if fault := submitFault(submit.Ints[row], now, from1970); fault != "" && !submit.Missing.Get(row) {
			at := in.Submits[row]
			in.Bad("snapshot-bad-record", at.Start, at.End, "%s", fault).
				Note("the whole record is left out; no value is guessed")
			in.Counts.Records--
			continue
		}
		keep = append(keep, row)
	}
	if len(keep) == jobs.Rows {
		return jobs
	}
	return jobs.Pick(keep)
}

func submitFault(submit, now int64, from1970 bool) string {
	switch {
	case submit < 0 || submit > LastSecond:
		return fmt.Sprintf("submit_time should be seconds since 1970 up to the year 2106, not %d", submit)
	case submit < firstSecond && from1970:
		return fmt.Sprintf("submit_time cannot be before 1980: %d seconds since 1970", submit)
	case now != 0 && submit > now+tenYears:
		return fmt.Sprintf("submit_time cannot be ten years after the snapshot's time: %s and %s", TimeText(submit),
			TimeText(now))
	}
	return ""
}

// TimeText writes a time for people; one that counts from the start of a trace
// stays a number.
func TimeText(epochSeconds int64) string {
	if epochSeconds < firstSecond {
		return fmt.Sprintf("second %d", epochSeconds)
	}
	return time.Unix(epochSeconds, 0).UTC().Format(time.RFC3339)
}
