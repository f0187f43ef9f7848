package maui

import (
	"github.com/fairway-sched/fairway/lang/diag"
	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/column"
	"github.com/fairway-sched/fairway/runtime/program"
)

// priorityRange is what `setspri` takes: 0 to 1000, where 0 takes the priority away, or with -r what
// the command's manual page says. The library's policy has the same bounds.
func priorityRange(p *program.Program, relative bool) (low, high int64) {
	if relative && p.Documented("relative_priority_range") {
		return -1_000_000_000, 1_000_000_000
	}
	return 0, 1000
}

// refusedPriorities reports system priorities that Maui's client would have refused: the library's
// policy leaves them out.
func refusedPriorities(jobs *column.Table, p *program.Program) diag.List {
	value, relative := jobs.Column("job.system_priority"), jobs.Column("job.system_priority_relative")
	if value == nil {
		return nil
	}
	var found diag.List
	for _, kind := range []struct {
		relative      bool
		word, command string
	}{{false, "absolute", "`setspri`"}, {true, "relative", "`setspri -r`"}} {
		low, high := priorityRange(p, kind.relative)
		first, count := -1, 0
		for i := range jobs.Rows {
			if v := column.IntAt(value, i); (column.IntAt(relative, i) != 0) == kind.relative && (v < low || v > high) {
				if count++; first < 0 {
					first = i
				}
			}
		}
		if count == 0 {
			continue
		}
		d := found.Warnf("system-priority-range", source.Span{},
			"the %s system priority %d of job %s is outside %d to %d, so its computed priority counts",
			kind.word, value.Ints[first], jobs.Text("job.id", first), low, high)
		if count > 1 {
			d.Note("so it is with %d jobs", count)
		}
		switch {
		case kind.relative && low == 0:
			d.Note("%s refuses it; with --deviation relative_priority_range the manual's range counts", kind.command)
		case kind.relative:
			d.Note("%s refuses it by its manual too", kind.command)
		default:
			d.Note("%s refuses it", kind.command)
		}
	}
	return found
}
