package view

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fairway-sched/fairway/runtime/backfill"
)

// WriteSqueueStart writes what Slurm's squeue --start prints: the pending jobs by their expected start, those of
// which none is known last, and equal ones by their ids (squeue.1, --start).
func WriteSqueueStart(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%18s %9s %8s %8s %2s %19s %6s %-20s %s\n", "JOBID", "PARTITION", "NAME", "USER", "ST", "START_TIME", "NODES", "SCHEDNODES", "NODELIST(REASON)")
	rows := slices.DeleteFunc(slices.Clone(p.shown()), func(i int) bool {
		r := p.request(i)
		return p.at(i).By == backfill.ByRunning || r.Job != r.Row // squeue lists tasks that are not split off as one
	})
	slices.SortStableFunc(rows, func(a, b int) int {
		x, y := engineID(p, a), engineID(p, b)
		return cmp.Or(cmp.Compare(startRank(p.told(a)), startRank(p.told(b))), cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	for _, i := range rows {
		r := p.request(i)
		start, nodes := "N/A", "(null)"
		told := p.told(i)
		if told.By != backfill.ByNone {
			start = time.Unix(told.Start, 0).In(p.zone()).Format("2006-01-02T15:04:05")
		}
		if list := p.hostsOf(told.Nodes); list != "" && told.By != backfill.ByEstimate {
			nodes = list
		}
		fmt.Fprintf(out, "%18s %9s %8s %8s %2s %19s %6d %-20s (%s)\n", cut(p.squeueID(i), 18), cut(p.partitions(i), 9), cut(jobText(p.Result, "job.name", int(r.Row)), 8),
			cut(r.User, 8), "PD", start, max(1, r.Nodes, int64(len(told.Nodes))), cut(nodes, 20), p.squeueReason(i))
	}
	return out.Flush()
}

// told is what Slurm says of a request; of another planner's plan what that says.
func (p *Plan) told(i int) *backfill.Placement {
	if p.Schedule.Told != nil {
		return &p.Schedule.Told[i]
	}
	at := p.detail(i)
	return &at
}

// cut keeps the first n characters, as squeue does with what is too wide.
func cut(text string, n int) string {
	runes := []rune(printable(text))
	return string(runes[:min(n, len(runes))])
}

// squeueID writes an array's waiting tasks as 12_[4-9%2].
func (p *Plan) squeueID(i int) string {
	row := int(p.request(i).Row)
	list := jobText(p.Result, "job.array_task_list", row)
	if list == "" {
		return jobText(p.Result, "job.id", row)
	}
	if most := p.Result.Jobs.Value("job.array_running_max", row); most.Known() {
		list += "%" + strconv.FormatInt(most.Int, 10)
	}
	return jobText(p.Result, "job.id", row) + "_[" + list + "]"
}

func (p *Plan) partitions(i int) string {
	if list := p.Result.Jobs.Value("job.partitions", int(p.request(i).Row)).List; len(list) > 0 {
		return strings.Join(list, ",")
	}
	return p.request(i).Class
}

// squeueReason is the planner's reason, else the one that the queue was evaluated to.
func (p *Plan) squeueReason(i int) string {
	reason := p.told(i).Reason
	if reason == "" {
		reason = p.Result.Reason[p.request(i).Row]
	}
	if reason == "" {
		reason = "None"
	}
	return printable(reason)
}

// engineID are the numbers that jobs are sorted by.
func engineID(p *Plan, i int) [2]int64 {
	job, task, _ := strings.Cut(p.request(i).ID, "_")
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return math.MaxInt64
		}
		return n
	}
	return [2]int64{number(job), number(task)}
}
