package engine

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// relativeRange is what `setspri -r` takes: 0 to 1000, or what the command's manual page says.
// The library's policy has the same bounds.
func relativeRange(p *program.Program) (low, high int64) {
	if p.Documented("relative_priority_range") {
		return -1_000_000_000, 1_000_000_000
	}
	return 0, 1000
}

// refusedPriorities reports relative system priorities that Maui's client would have
// refused: the library's policy leaves them out.
func refusedPriorities(jobs *column.Table, p *program.Program) diag.List {
	var found diag.List
	value, relative := jobs.Column("job.system_priority"), jobs.Column("job.system_priority_relative")
	if p.Family != "maui" || value == nil || relative == nil {
		return nil
	}
	low, high := relativeRange(p)
	first, count := -1, 0
	for i := range jobs.Rows {
		if v := value.Ints[i]; relative.Ints[i] != 0 && (v < low || v > high) {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count == 0 {
		return nil
	}
	d := found.Warnf("system-priority-range", source.Span{}, "the relative system priority %d of job %s is outside %d to %d, so its computed priority counts",
		value.Ints[first], jobs.Value("job.id", first).Str, low, high)
	if count > 1 {
		d.Note("so it is with %d jobs", count)
	}
	if low == 0 {
		d.Note("`setspri -r` refuses it; with --deviation relative_priority_range the manual's range counts")
	} else {
		d.Note("`setspri -r` refuses it by its manual too")
	}
	return found
}
