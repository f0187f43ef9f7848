package plan

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

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/backfill"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/report/eval"
)

// WriteSqueueStart writes what Slurm's squeue --start prints: the pending jobs by their expected start, those of
// which none is known last, and equal ones by their ids (squeue.1, --start).
func WriteSqueueStart(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%18s %9s %8s %8s %2s %19s %6s %-20s %s\n", "JOBID", "PARTITION", "NAME", "USER", "ST", "START_TIME",
		"NODES", "SCHEDNODES", "NODELIST(REASON)")
	rows := slices.DeleteFunc(slices.Clone(p.shown()), func(i int) bool {
		r := p.Request(i)
		return p.At(i).By == backfill.ByRunning || r.Job != r.Row // squeue lists tasks that are not split off as one
	})
	slices.SortStableFunc(rows, func(a, b int) int {
		x, y := engineID(p, a), engineID(p, b)
		return cmp.Or(cmp.Compare(p.squeueRank(a), p.squeueRank(b)), cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	largest := p.largestNodes()
	for _, i := range rows {
		r := p.Request(i)
		start, nodes := "N/A", "(null)"
		told := p.told(i)
		if at, known := p.squeueTime(i); known {
			start = time.Unix(at, 0).In(p.Zone()).Format("2006-01-02T15:04:05")
		}
		if list := p.hostsOf(told.Nodes); list != "" && told.By != backfill.ByEstimate {
			nodes = list
		}
		fmt.Fprintf(out, "%18s %9s %8s %8s %2s %19s %6d %-20s (%s)\n", cut(p.squeueID(i), 18),
			cut(p.partitions(i), 9), cut(eval.JobText(p.Result, "job.name", int(r.Row)), 8),
			cut(r.User, 8), "PD", start, p.leastNodes(i, largest), cut(nodes, 20), p.squeueReason(i))
	}
	return out.Flush()
}

// largestNodes are the processors of the largest node of each partition.
func (p *Plan) largestNodes() map[string]int64 {
	largest := map[string]int64{}
	for i := range p.Schedule.Cluster.Nodes {
		n := &p.Schedule.Cluster.Nodes[i]
		for _, partition := range n.Partitions {
			largest[partition] = max(largest[partition], n.Capacity.Procs)
		}
	}
	return largest
}

// leastNodes are the fewest nodes that a request implies, also where more are planned (slurm.md §11.25).
func (p *Plan) leastNodes(i int, largest map[string]int64) int64 {
	r, size := p.Request(i), int64(0)
	for partition := range strings.SplitSeq(p.partitions(i), ",") {
		size = max(size, largest[partition])
	}
	least := max(1, r.Nodes)
	if procs := p.Result.Jobs.Int("job.procs", int(r.Row)); size > 0 {
		least = max(least, (procs+size-1)/size)
	}
	if r.TasksPerNode > 0 {
		least = max(least, (r.Tasks+r.TasksPerNode-1)/r.TasksPerNode)
	}
	return least
}

// squeueTime is the start that squeue --start shows: the one that is planned, or the time before which the job may not
// begin (slurm.md §11.5).
func (p *Plan) squeueTime(i int) (at int64, known bool) {
	row := int(p.Request(i).Row)
	if b := p.Result.Why[int32(row)]; b != nil && b.Kind == evaluation.BlockBegin {
		return p.Result.Jobs.Int("job.begin_time", row), true
	}
	told := p.told(i)
	return told.Start, told.By != backfill.ByNone
}

func (p *Plan) squeueRank(i int) int64 {
	if at, known := p.squeueTime(i); known {
		return at
	}
	return math.MaxInt64
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
	runes := []rune(source.Plain(text))
	return string(runes[:min(n, len(runes))])
}

// squeueID writes an array's waiting tasks as 12_[4-9%2].
func (p *Plan) squeueID(i int) string {
	row := int(p.Request(i).Row)
	list := eval.JobText(p.Result, "job.array_task_list", row)
	if list == "" {
		return eval.JobText(p.Result, "job.id", row)
	}
	if most := p.Result.Jobs.Value("job.array_running_max", row); most.Known() {
		list += "%" + strconv.FormatInt(most.Int, 10)
	}
	return eval.JobText(p.Result, "job.id", row) + "_[" + list + "]"
}

func (p *Plan) partitions(i int) string {
	if list := p.Result.Jobs.Value("job.partitions", int(p.Request(i).Row)).List; len(list) > 0 {
		return strings.Join(list, ",")
	}
	return p.Request(i).Class
}

// squeueReason is the planner's reason, else, of a job that it does not plan, the one that the queue was evaluated to.
func (p *Plan) squeueReason(i int) string {
	told := p.told(i)
	reason := told.Reason
	waits := told.By == backfill.ByReservation || told.By == backfill.ByEstimate
	if reason == "" && !(waits && p.Planner == "slurm") {
		reason = p.Result.Reason[p.Request(i).Row]
	}
	if reason == "" {
		reason = "None"
	}
	recorded := eval.JobText(p.Result, "job.state_reason", int(p.Request(i).Row))
	if reason == recorded || strings.HasPrefix(reason, "Job's_") {
		reason = separateWords(reason)
	}
	return source.Plain(reason)
}

// separateWords parts the words of a reason that scontrol joins: no word of Slurm's has an underscore, but names of
// nodes, which follow a colon, may.
func separateWords(reason string) string {
	words, names, listed := strings.Cut(reason, ":")
	if words = strings.ReplaceAll(words, "_", " "); listed {
		return words + ":" + names
	}
	return words
}

// engineID are the numbers that jobs are sorted by.
func engineID(p *Plan, i int) [2]int64 {
	job, task, _ := strings.Cut(p.Request(i).ID, "_")
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return math.MaxInt64
		}
		return n
	}
	return [2]int64{number(job), number(task)}
}
