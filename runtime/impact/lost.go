package impact

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
)

// Lost is the work that running jobs of a user or an account lose because the plans end them for others, where the two
// plans differ in it: the processor-hours for which they have run.
type Lost struct {
	By   string  `json:"by"`
	Name string  `json:"name"`
	Old  float64 `json:"old_processor_hours"`
	New  float64 `json:"new_processor_hours"`
}

// losers are by what lost work is added up.
var losers = []struct {
	by string
	of func(Job) string
}{
	{"account", func(j Job) string { return j.Account }},
	{"user", func(j Job) string { return j.User }},
}

// lost compares the work that two plans end, the largest differences first.
func (c *Comparison) lost(before, after Side) {
	if before.Plan == nil || after.Plan == nil {
		return
	}
	for _, group := range losers {
		seconds := map[string]*[2]int64{}
		for k, side := range []Side{before, after} {
			eachLoss(side, func(j Job, lost int64) {
				name := group.of(j)
				if seconds[name] == nil {
					seconds[name] = &[2]int64{}
				}
				seconds[name][k] += lost
			})
		}
		var list []Lost
		for name, x := range seconds {
			if x[0] != x[1] {
				list = append(list, Lost{By: group.by, Name: name, Old: inHours(x[0]), New: inHours(x[1])})
			}
		}
		slices.SortFunc(list, func(a, b Lost) int {
			return cmp.Or(-cmp.Compare(max(a.New-a.Old, a.Old-a.New), max(b.New-b.Old, b.Old-b.New)),
				cmp.Compare(a.Name, b.Name))
		})
		c.Lost = append(c.Lost, list...)
	}
	var all [2]int64
	eachLoss(before, func(_ Job, lost int64) { all[0] += lost })
	eachLoss(after, func(_ Job, lost int64) { all[1] += lost })
	c.Summary.OldLostHours, c.Summary.NewLostHours = inHours(all[0]), inHours(all[1])
}

// inHours divides once: sums of fractions would depend on the order of the jobs.
func inHours(seconds int64) float64 { return float64(seconds) / 3600 }

// eachLoss visits the jobs that a plan ends, with the processor-seconds for which they ran. One that is suspended loses
// nothing.
func eachLoss(side Side, visit func(j Job, lost int64)) {
	rows := runningRows(side.Plan, side.Result)
	for i := range side.Plan.Preempted {
		v := &side.Plan.Preempted[i]
		if row, runs := rows[v.Job]; runs && v.Mode != "suspend" {
			visit(jobOf(side.Result, row), v.RanSeconds*v.Procs)
		}
	}
}

// runningRows are the rows of the jobs that ran before the plan.
func runningRows(s *backfill.Schedule, r *evaluation.Result) map[int32]int {
	rows := map[int32]int{}
	for i := range s.Requests {
		if row := int(s.Requests[i].Row); s.Placements[i].By == backfill.ByRunning && row < r.Jobs.Rows {
			rows[s.Requests[i].Job] = row
		}
	}
	return rows
}

// Text is how much is lost.
func (x *Lost) Text() (was, is string) { return hours(x.Old), hours(x.New) }

func hours(h float64) string { return fmt.Sprintf("%.1f", h) }

// lost is what the plans end for others; "" if that is the same.
func (s *Summary) lost() string {
	if s.OldLostHours == s.NewLostHours {
		return ""
	}
	return fmt.Sprintf("running jobs that are ended for others lose %s processor-hours of work instead of %s",
		hours(s.NewLostHours), hours(s.OldLostHours))
}
