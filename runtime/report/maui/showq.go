package maui

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fairway-sched/fairway/lang/source"
	"github.com/fairway-sched/fairway/runtime/evaluation"
	"github.com/fairway-sched/fairway/runtime/family/maui"
	"github.com/fairway-sched/fairway/runtime/report/eval"
	"github.com/fairway-sched/fairway/runtime/report/form"
)

// WriteShowq writes what Maui's showq prints: running jobs by the time at which they end, eligible
// ones by priority, and the others that wait as the resource manager lists them.
func WriteShowq(w io.Writer, r *evaluation.Result, o eval.Options) error {
	out := bufio.NewWriter(w)
	active := o.Only(activeJobs(r))
	showqHead(out, "ACTIVE JOBS--------------------", "REMAINING", "STARTTIME")
	for _, job := range active {
		showqRow(out, r, job, spanOrUnknown(eval.Remaining(r, job)), timeOrUnknown(eval.StartOf(r, job)))
	}
	showqUse(out, r, active)

	idle := make([]bool, r.Jobs.Rows)
	var eligible []int
	for _, job := range maui.Of(r).Idle {
		idle[job] = true
		eligible = append(eligible, int(job))
	}
	eligible = o.Only(eligible)
	showqHead(out, "IDLE JOBS----------------------", "WCLIMIT", "QUEUETIME")
	for _, job := range eligible {
		showqWaiting(out, r, job)
	}
	fmt.Fprintf(out, "\n%d Idle %s\n\n", len(eligible), form.Plural(len(eligible), "Job", "Jobs"))

	var blocked []int
	showqHead(out, "BLOCKED JOBS----------------", "WCLIMIT", "QUEUETIME")
	for job := range r.Jobs.Rows {
		if eval.Waits(r, job) && !idle[job] {
			blocked = append(blocked, job)
		}
	}
	blocked = o.Only(blocked)
	for _, job := range blocked {
		showqWaiting(out, r, job)
	}
	fmt.Fprintf(out, "\nTotal Jobs: %d   Active Jobs: %d   Idle Jobs: %d   Blocked Jobs: %d\n",
		len(active)+len(eligible)+len(blocked), len(active), len(eligible), len(blocked))
	return out.Flush()
}

// activeJobs lists what runs, what ends first above. Of jobs that end together those that ran before
// this iteration come first, as the resource manager lists them, then those that start in it, in
// the order of their start. Suspended jobs are last (recorded: b04, b07).
func activeJobs(r *evaluation.Result) []int {
	var list []int
	for job := range r.Jobs.Rows {
		if r.State[job] == evaluation.Running && !eval.WaitsInSnapshot(r, job) {
			list = append(list, job)
		}
	}
	for _, job := range r.Started {
		list = append(list, int(job))
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(suspendedRank(r, a), suspendedRank(r, b)), cmp.Compare(endRank(r, a), endRank(r, b)))
	})
	return list
}

func suspendedRank(r *evaluation.Result, job int) int {
	if r.Suspended(job) {
		return 1
	}
	return 0
}

// endRank orders jobs by their end; it is unknown when it comes for a job without a limit.
func endRank(r *evaluation.Result, job int) int64 {
	if left := eval.Remaining(r, job); left.Known() {
		return left.Int
	}
	return math.MaxInt64
}

func showqHead(out io.Writer, section, span, moment string) {
	fmt.Fprintf(out, "%s\n%-18s %8s %10s %5s %11s  %19s\n\n", section, "JOBNAME", "USERNAME", "STATE", "PROC", span,
		moment)
}

// showqWaiting writes a job that waits. QUEUETIME is when it was submitted, whatever its queue
// time counts from.
func showqWaiting(out io.Writer, r *evaluation.Result, job int) {
	showqRow(out, r, job, spanOrUnknown(r.Jobs.Value("job.walltime_seconds", job)),
		timeOrUnknown(r.Jobs.Value("job.submit_time", job)))
}

func showqRow(out io.Writer, r *evaluation.Result, job int, span, moment string) {
	procs := notKnown
	if n, known := maui.Procs(r, job); known {
		procs = fmt.Sprint(n)
	}
	fmt.Fprintf(out, "%-18s %8s %10s %5s %11s  %19s\n", source.Plain(eval.JobText(r, "job.id", job)),
		source.Plain(eval.JobText(r, "job.user", job)),
		mauiState(r, job), procs, span, moment)
}

// showqUse writes how much of the machine is in use: of processors and nodes that are up. It says
// of either only what the snapshot knows: which nodes a job takes that starts now is not in it.
func showqUse(out io.Writer, r *evaluation.Result, active []int) {
	fmt.Fprintf(out, "\n%6d Active %-4s", len(active), form.Plural(len(active), "Job", "Jobs"))
	procs, known := procsInUse(r, active)
	total, nodes, _ := evaluation.Machine(r.Snapshot)
	switch {
	case known && nodes > 0:
		fmt.Fprintf(out, "   %5d of %4d Processors Active (%.2f%%)", procs, total, percent(float64(procs), float64(total)))
	case known:
		fmt.Fprintf(out, "   %5d Processors Active", procs)
	}
	fmt.Fprintln(out)
	if used, ok := nodesInUse(r, active); ok && nodes > 0 {
		fmt.Fprintf(out, "%26d of %4d Nodes Active      (%.2f%%)\n", used, nodes, percent(float64(used), float64(nodes)))
	}
	fmt.Fprintln(out)
}

func procsInUse(r *evaluation.Result, jobs []int) (procs int64, known bool) {
	for _, job := range jobs {
		n, known := maui.Procs(r, job)
		switch {
		case r.Suspended(job):
			continue // it has given its processors and nodes back
		case !known:
			return 0, false
		}
		procs += n
	}
	return procs, true
}

func nodesInUse(r *evaluation.Result, jobs []int) (count int, known bool) {
	seen := map[string]bool{}
	for _, job := range jobs {
		hosts := r.Jobs.Value("job.allocated_hosts", job)
		switch {
		case r.Suspended(job):
			continue
		case !hosts.Known() || eval.WaitsInSnapshot(r, job):
			return 0, false
		}
		for _, host := range hosts.List {
			seen[host] = true
		}
	}
	return len(seen), true
}
